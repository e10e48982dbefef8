// The table of bcc's biosnoop. A row is printed when the I/O ends; its issue is
// that time minus the latencies. The command may hold blanks, so the columns
// are taken from the right.
#include <array>

#include "workloads/trace/formats.h"
#include "workloads/trace/trace_text.h"

namespace ftlsim {
namespace {

using trace_text::parse_time;
using trace_text::parse_u64;

// The last word of `rest`, which it is taken off.
std::string_view last_word(std::string_view& rest) {
  rest = trace_text::trim(rest);
  const size_t blank = rest.find_last_of(" \t");
  const size_t from = blank == std::string_view::npos ? 0 : blank + 1;
  const std::string_view word = rest.substr(from);
  rest = rest.substr(0, from);
  return word;
}

class Biosnoop final : public LineFormat {
 public:
  Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) override {
    if (line.starts_with("TIME")) return parse_header(line, context);
    if (line.starts_with("Tracing") || line.starts_with("#")) return Parsed::kNothing;
    if (unusable_) return reject(context, "the table has no columns SECTOR and BYTES");
    std::string_view rest = line;
    int64_t latency = 0;
    int64_t queued = 0;
    if (!parse_time(last_word(rest), 1'000'000, latency))
      return reject(context, "latency is not a number");
    if (has_queue_ && !parse_time(last_word(rest), 1'000'000, queued))
      return reject(context, "latency is not a number");
    const std::string_view bytes = last_word(rest);
    const std::string_view sector = last_word(rest);
    const std::string_view op = last_word(rest);
    const std::string_view disk = last_word(rest);
    std::string_view front = rest;
    if (!parse_time(trace_text::next_word(front), 1'000'000'000, record.time_ns))
      return reject(context, "time is not a number");
    if (trace_text::trim(front).empty()) return reject(context, "wrong number of columns");
    record.time_ns -= latency + queued;
    uint64_t at = 0;
    if (!parse_u64(sector, at) || __builtin_mul_overflow(at, uint64_t{512}, &record.offset))
      return reject(context, "address is not a number");
    if (!parse_u64(bytes, record.bytes)) return reject(context, "size is not a number");
    record.device = context.devices.id_of(disk);
    return parse_op(op, record, context);
  }

 private:
  Parsed parse_header(std::string_view line, LineContext& context) {
    has_queue_ = line.find("QUE(") != std::string_view::npos;
    unusable_ = line.find("SECTOR") == std::string_view::npos ||
                line.find("BYTES") == std::string_view::npos;
    return unusable_ ? reject(context, "the table has no columns SECTOR and BYTES")
                     : Parsed::kNothing;
  }

  static Parsed parse_op(std::string_view op, TraceRecord& record, LineContext& context) {
    if (op.starts_with('R')) {
      record.op = TraceOp::kRead;
    } else if (op.starts_with('W')) {
      record.op = TraceOp::kWrite;
    } else if (op.starts_with('D')) {
      record.op = TraceOp::kTrim;
    } else if (op.starts_with('F')) {
      record.op = TraceOp::kFlush;
      record.bytes = 0;
    } else {
      return reject(context, "unknown operation");
    }
    return Parsed::kRecord;
  }

  bool has_queue_ = false;
  bool unusable_ = false;
};

}  // namespace

std::unique_ptr<LineFormat> make_biosnoop() { return std::make_unique<Biosnoop>(); }

}  // namespace ftlsim
