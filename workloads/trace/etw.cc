// Disk events of Windows, in the two forms that its tools write: xperf's dumper
// (rows of all kinds, one kind per name, times in us at the completion) and
// wpaexporter's table (numbers written as the computer's language has it: ';'
// with decimal comma and dots between thousands, or ',' with a point).
#include <algorithm>
#include <array>
#include <vector>

#include "workloads/trace/formats.h"
#include "workloads/trace/trace_text.h"

namespace ftlsim {
namespace {

using trace_text::parse_number;
using trace_text::parse_time;
using trace_text::trim;

class EtwXperf final : public LineFormat {
 public:
  Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) override {
    if (in_header_ || line.starts_with("BeginHeader")) {
      in_header_ = !line.starts_with("EndHeader");
      return Parsed::kNothing;
    }
    std::array<std::string_view, 9> f;
    const size_t n = trace_text::split(line, ',', f);
    const std::string_view kind = trim(f[0]);
    if (kind == "DiskRead") {
      record.op = TraceOp::kRead;
    } else if (kind == "DiskWrite") {
      record.op = TraceOp::kWrite;
    } else if (kind == "DiskFlush") {
      record.op = TraceOp::kFlush;
    } else {
      return Parsed::kNothing;
    }
    // name, time, process, thread, IRP, [offset, size,] elapsed, disk
    const bool flush = record.op == TraceOp::kFlush;
    const size_t elapsed = flush ? 5 : 7;
    if (n < elapsed + 2) return reject(context, "wrong number of columns");
    int64_t duration = 0;
    if (!parse_time(trim(f[1]), 1000, record.time_ns) ||
        !parse_time(trim(f[elapsed]), 1000, duration))
      return reject(context, "time is not a number");
    record.time_ns -= duration;
    record.device = context.devices.id_of(trim(f[elapsed + 1]));
    if (flush) return Parsed::kRecord;
    if (!parse_number(trim(f[5]), record.offset)) return reject(context, "address is not a number");
    if (!parse_number(trim(f[6]), record.bytes)) return reject(context, "size is not a number");
    return Parsed::kRecord;
  }

 private:
  bool in_header_ = false;
};

class EtwWpa final : public LineFormat {
 public:
  Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) override {
    if (!has_header_) return parse_header(line, context);
    std::array<std::string_view, kMaxColumns> fields;
    const size_t n = trace_text::split(line, delimiter_, fields);
    if (n > kMaxColumns || n < needed_) return reject(context, "wrong number of columns");
    const auto field = [&](size_t column) { return unquoted(fields[index_[column]]); };
    const std::string_view type = field(kType);
    if (type == "Read") {
      record.op = TraceOp::kRead;
    } else if (type == "Write") {
      record.op = TraceOp::kWrite;
    } else if (type == "Flush") {
      record.op = TraceOp::kFlush;
    } else {
      return reject(context, "unknown operation");
    }
    if (!parse_time(plain(field(kInit)), 1'000'000'000, record.time_ns))
      return reject(context, "time is not a number");
    record.device = context.devices.id_of(field(kDisk));
    if (record.op == TraceOp::kFlush) return Parsed::kRecord;
    if (!parse_number(field(kOffset), record.offset))
      return reject(context, "address is not a number");
    if (!trace_text::parse_u64(plain(field(kSize)), record.bytes))
      return reject(context, "size is not a number");
    return Parsed::kRecord;
  }

 private:
  static constexpr size_t kMaxColumns = 64;
  enum Column : size_t { kType, kInit, kSize, kOffset, kDisk, kColumns };
  // Titles go on with units and explanations.
  static constexpr std::array<std::string_view, kColumns> kTitles = {"IO Type", "Init Time", "Size",
                                                                     "Min Offset", "Disk"};

  static std::string_view unquoted(std::string_view field) {
    field = trim(field);
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
      field = field.substr(1, field.size() - 2);
    return field;
  }

  static bool has_title(std::string_view field, std::string_view title) {
    return field.starts_with(title) &&
           (field.size() == title.size() || field.substr(title.size()).starts_with(" ("));
  }

  Parsed parse_header(std::string_view line, LineContext& context) {
    delimiter_ = line.find(';') != std::string_view::npos    ? ';'
                 : line.find('\t') != std::string_view::npos ? '\t'
                                                             : ',';
    std::array<std::string_view, kMaxColumns> fields;
    const size_t n = std::min(trace_text::split(line, delimiter_, fields), kMaxColumns);
    for (size_t c = 0; c < kColumns; ++c) {
      size_t i = 0;
      while (i < n && !has_title(unquoted(fields[i]), kTitles[c])) ++i;
      if (i == n) return reject(context, "the header lacks a column that is needed");
      index_[c] = i;
      needed_ = std::max(needed_, i + 1);
    }
    has_header_ = true;
    return Parsed::kNothing;
  }

  // The number without marks between thousands, and with a decimal point.
  std::string_view plain(std::string_view number) {
    const char decimal = delimiter_ == ';' ? ',' : '.';
    size_t n = 0;
    for (const char c : number) {
      if (n == number_.size()) return {};
      if (c == decimal) {
        number_[n++] = '.';
      } else if (c != ',' && c != '.' && c != '\'' && c != ' ') {
        number_[n++] = c;
      }
    }
    return {number_.data(), n};
  }

  char delimiter_ = ';';
  bool has_header_ = false;
  size_t needed_ = 0;
  std::array<size_t, kColumns> index_{};
  std::array<char, 40> number_{};
};

}  // namespace

std::unique_ptr<LineFormat> make_etw_xperf() { return std::make_unique<EtwXperf>(); }
std::unique_ptr<LineFormat> make_etw_wpa() { return std::make_unique<EtwWpa>(); }

}  // namespace ftlsim
