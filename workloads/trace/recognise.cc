// Which format a trace is in, from its first bytes: by marks that only one
// format has, else by trying the readers of the formats that are bare columns.
#include <algorithm>
#include <array>

#include "workloads/trace/binary.h"
#include "workloads/trace/column_formats.h"
#include "workloads/trace/formats.h"
#include "workloads/trace/trace.h"
#include "workloads/trace/trace_text.h"

namespace ftlsim {
namespace {

constexpr size_t kMaxLines = 64;

std::vector<std::string_view> first_lines(std::string_view head, bool is_whole) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  if (!is_whole) {
    const size_t last = head.rfind('\n');
    head = head.substr(0, last == std::string_view::npos ? 0 : last);
  }
  std::vector<std::string_view> lines;
  while (!head.empty() && lines.size() < kMaxLines) {
    std::string_view line = trace_text::next_field(head, '\n');
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

bool is_blktrace(std::string_view head) {
  return head.size() >= 4 &&
         (head.substr(1, 3) == "\x74\x61\x65" || head.substr(0, 3) == "\x65\x61\x74");
}

// The version of the first two records, if they are there and plausible.
bool is_vscsi(std::string_view head) {
  const auto version = [&](size_t size, size_t at, uint16_t number) {
    for (size_t i = 0; i < 2; ++i) {
      if (head.size() < (i + 1) * size) return i > 0;
      if (binary::get<uint16_t>(head, i * size + at) >> 8 != number) return false;
    }
    return true;
  };
  const bool text = head.substr(0, 40).find('\0') == std::string_view::npos;
  return !text && (version(40, 2, 2) || version(32, 14, 1));
}

// At least nine of ten lines are records, and one is.
bool fits(LineFormat& format, const std::vector<std::string_view>& lines) {
  DeviceNames devices;
  size_t good = 0;
  size_t bad = 0;
  for (const std::string_view line : lines) {
    LineContext context{devices, {}, {}};
    TraceRecord record;
    switch (format.parse(line, record, context)) {
      case Parsed::kRecord:
      case Parsed::kFiltered:
        ++good;
        break;
      case Parsed::kRejected:
        ++bad;
        break;
      case Parsed::kEnd:
        return good > 0 && good >= 9 * bad;
      case Parsed::kNothing:
        break;
    }
  }
  return good > 0 && good >= 9 * bad;
}

// The format that a mark in the text names; empty if there is none.
std::string_view marked_format(const std::vector<std::string_view>& lines) {
  const auto any = [&](auto&& test) { return std::any_of(lines.begin(), lines.end(), test); };
  const auto holds = [](std::string_view line, std::string_view mark) {
    return line.find(mark) != std::string_view::npos;
  };
  for (const std::string_view line : lines) {
    if (line.starts_with("fio version 3 iolog")) return "fio3";
    if (line.starts_with("fio version 2 iolog")) return "fio2";
    if (line.starts_with("TIME") && holds(line, "COMM")) return "biosnoop";
    if (line.starts_with("BeginHeader")) return "etw_xperf";
    if (holds(line, "IO Type") && holds(line, "Init Time")) return "etw_wpa";
    if (line == kOwnCsvHeader) return "csv";
    if (holds(line, "request_io_size_bytes") && holds(line, "file_offset")) return "thesios";
  }
  if (any([&](std::string_view line) { return holds(line, "nvme_setup_cmd:"); }))
    return "nvme_ftrace";
  return {};
}

// "time, value, direction, block[, offset], priority[, issue time]", all numbers.
bool is_fio_log_line(std::string_view line) {
  constexpr size_t kMost = 8;
  std::array<std::string_view, kMost> fields;
  const size_t n = trace_text::split(line, ',', fields);
  if (n < 4 || n > kMost) return false;
  for (size_t i = 0; i < n; ++i) {
    uint64_t value = 0;
    if (i > 0 && !fields[i].starts_with(' ')) return false;
    if (!trace_text::parse_number(i == 0 ? fields[i] : fields[i].substr(1), value)) return false;
  }
  return true;
}

}  // namespace

bool is_fio_log(std::string_view head, bool is_whole) {
  const std::vector<std::string_view> lines = first_lines(head, is_whole);
  return !lines.empty() && std::all_of(lines.begin(), lines.end(), is_fio_log_line);
}

std::vector<std::string_view> recognise_trace(std::string_view head, bool is_whole,
                                              const TraceOptions& options) {
  if (is_blktrace(head)) return {"blktrace"};
  if (is_vscsi(head)) return {"vscsi"};
  const std::vector<std::string_view> lines = first_lines(head, is_whole);
  const std::string_view marked = marked_format(lines);
  if (!marked.empty()) return {marked};
  if (fits(*make_blkparse(options), lines)) return {"blkparse"};
  std::vector<std::string_view> found;
  for (const ColumnTrace& t : column_traces())
    if (t.map.header != ColumnMap::Header::kNamed && fits(*make_column_format(t.map), lines))
      found.push_back(t.name);
  return found;
}

}  // namespace ftlsim
