#include "workloads/trace/trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/diagnostics.h"
#include "sim/suggest.h"
#include "workloads/trace/column_formats.h"
#include "workloads/trace/formats.h"

namespace ftlsim {
namespace {

using LineMaker = std::unique_ptr<LineFormat> (*)(const TraceOptions&);

struct TextFormat {
  TraceFormatInfo info;
  LineMaker make;
};

constexpr TextFormat kTextFormats[] = {
    {{"fio3", "fio iolog, version 3"}, make_fio_iolog},
    {{"fio2", "fio iolog, version 2"}, make_fio_iolog},
    {{"blkparse", "blkparse, default text"}, make_blkparse},
    {{"biosnoop", "bcc biosnoop"}, [](const TraceOptions&) { return make_biosnoop(); }},
    {{"nvme_ftrace", "nvme_setup_cmd events of ftrace or perf"}, make_nvme_ftrace},
    {{"etw_xperf", "Windows ETW, xperf dumper"},
     [](const TraceOptions&) { return make_etw_xperf(); }},
    {{"etw_wpa", "Windows ETW, wpaexporter CSV"},
     [](const TraceOptions&) { return make_etw_wpa(); }},
};
constexpr std::string_view kHowToName = "FORMAT:FILE, --format, or the key 'format'";
constexpr TraceFormatInfo kBlktrace{"blktrace", "blktrace, binary"};
constexpr TraceFormatInfo kVscsi{"vscsi", "CloudPhysics vscsi, binary"};

std::vector<TraceFormatInfo> list_formats() {
  std::vector<TraceFormatInfo> list{kBlktrace, kVscsi};
  for (const TextFormat& f : kTextFormats) list.push_back(f.info);
  for (const ColumnTrace& t : column_traces()) list.push_back({t.name, t.doc});
  std::sort(list.begin(), list.end(),
            [](const TraceFormatInfo& a, const TraceFormatInfo& b) { return a.name < b.name; });
  return list;
}

std::vector<std::string_view> names_of_formats() {
  std::vector<std::string_view> names;
  for (const TraceFormatInfo& f : trace_formats()) names.push_back(f.name);
  return names;
}

std::unique_ptr<LineFormat> make_line_format(std::string_view name, const TraceOptions& options,
                                             std::string& error) {
  for (const TextFormat& f : kTextFormats)
    if (f.info.name == name) return f.make(options);
  if (name == "csv" && options.has_columns) {
    ColumnMap map;
    if (!make_column_map(options.columns, map, error)) return nullptr;
    return make_column_format(std::move(map));
  }
  for (const ColumnTrace& t : column_traces())
    if (t.name == name) return make_column_format(t.map);
  return nullptr;
}

std::string unknown_format(std::string_view name) {
  const std::vector<std::string_view> names = names_of_formats();
  const std::optional<std::string_view> near = suggest(name, names);
  return fmt::format("unknown trace format {}{} (known: {})", quote(name),
                     near ? fmt::format("; did you mean '{}'?", *near) : "",
                     fmt::join(names, ", "));
}

// The format to read `input` by; empty, with the reason in `error`, if that
// cannot be told.
std::string_view choose_format(TraceInput& input, const TraceOptions& options, std::string& error) {
  if (options.has_columns) return "csv";
  const std::string_view head = input.head();
  if (head.empty()) {
    error = input.error().empty() ? "the trace is empty" : input.error();
    return {};
  }
  if (head.starts_with("\xff\xfe") || head.starts_with("\xfe\xff")) {
    error = "the trace is UTF-16 text; convert it to UTF-8 first";
    return {};
  }
  const bool is_whole = head.size() < TraceInput::kMaxLine;
  if (is_fio_log(head, is_whole)) {
    error =
        "this is a log of fio's results (write_bw_log and the like), not a trace; fio's traces are "
        "those of write_iolog";
    return {};
  }
  const std::vector<std::string_view> found = recognise_trace(head, is_whole, options);
  if (found.size() == 1) return found.front();
  if (found.empty() && !input.error().empty()) {
    error = fmt::format("the trace cannot be read: {}", input.error());
  } else if (found.empty()) {
    error = fmt::format(
        "the format of the trace is not recognised; name it ({}; known: {}), or give the columns "
        "of a CSV",
        kHowToName, fmt::join(names_of_formats(), ", "));
  } else {
    error = fmt::format("the trace fits the formats {}, which differ in meaning; name one ({})",
                        fmt::join(found, ", "), kHowToName);
  }
  return {};
}

}  // namespace

std::span<const TraceFormatInfo> trace_formats() {
  static const std::vector<TraceFormatInfo> kFormats = list_formats();
  return kFormats;
}

bool is_trace_format(std::string_view name) {
  const std::span<const TraceFormatInfo> all = trace_formats();
  return std::any_of(all.begin(), all.end(), [&](const auto& f) { return f.name == name; });
}

std::unique_ptr<Trace> Trace::start(std::unique_ptr<ByteSource> source, std::string_view format,
                                    const TraceOptions& options, std::string& error) {
  if (source == nullptr) return nullptr;
  std::unique_ptr<Trace> trace(new Trace(std::move(source)));
  if (format.empty()) {
    format = choose_format(trace->input_, options, error);
    if (format.empty()) return nullptr;
  } else if (!is_trace_format(format)) {
    error = unknown_format(format);
    return nullptr;
  } else if (options.has_columns && format != "csv") {
    error = fmt::format("columns are for the format 'csv', not for '{}'", format);
    return nullptr;
  }
  for (const TraceFormatInfo& f : trace_formats())
    if (f.name == format) trace->format_ = f.name;
  TraceInput& input = trace->input_;
  if (format == kBlktrace.name) {
    trace->reader_ = make_blktrace_reader(options, input, trace->devices_, trace->tally_);
  } else if (format == kVscsi.name) {
    trace->reader_ = make_vscsi_reader(input, trace->devices_, trace->tally_);
  } else {
    std::unique_ptr<LineFormat> lines = make_line_format(format, options, error);
    if (lines == nullptr) return nullptr;
    trace->reader_ = make_line_reader(std::move(lines), input, trace->devices_, trace->tally_);
  }
  return trace;
}

std::unique_ptr<Trace> Trace::open(const std::filesystem::path& path, std::string_view format,
                                   const TraceOptions& options, std::string& error) {
  return start(open_file(path, error), format, options, error);
}

std::unique_ptr<Trace> Trace::of_memory(std::string_view bytes, std::string_view format,
                                        const TraceOptions& options, std::string& error) {
  return start(memory_source(bytes), format, options, error);
}

}  // namespace ftlsim
