// The default text of blkparse. An I/O shows up several times (queued, issued,
// completed); exactly one kind of event counts, the others are left out and
// counted by kind.
#include <array>

#include "workloads/trace/formats.h"
#include "workloads/trace/trace_text.h"

namespace ftlsim {
namespace {

using trace_text::next_word;
using trace_text::parse_time;
using trace_text::parse_u64;

constexpr uint64_t kSector = 512;

char letter_of(BlockEvent event) {
  switch (event) {
    case BlockEvent::kQueue:
      return 'Q';
    case BlockEvent::kComplete:
      return 'C';
    case BlockEvent::kIssue:
      break;
  }
  return 'D';
}

// The letters RWBS: R, W, D (discard), F before W (flush first) or after it
// (FUA), N (no data).
bool parse_rwbs(std::string_view rwbs, TraceRecord& record, bool& flush, bool& no_data) {
  flush = false;
  bool data = false;
  no_data = false;
  for (const char c : rwbs) {
    switch (c) {
      case 'R':
      case 'W':
      case 'D':
        record.op = c == 'R' ? TraceOp::kRead : c == 'W' ? TraceOp::kWrite : TraceOp::kTrim;
        data = true;
        break;
      case 'F':
        (data ? record.fua : flush) = true;
        break;
      case 'N':
        no_data = true;
        break;
      case 'S':
      case 'M':
      case 'A':
      case 'E':
        break;
      default:
        return false;
    }
  }
  if (!data && flush) record.op = TraceOp::kFlush;
  return data || flush || no_data;
}

class Blkparse final : public LineFormat {
 public:
  explicit Blkparse(BlockEvent event) : action_(letter_of(event)) {}

  // 259,0  0  793  0.038936711  4711  Q  WS 31443472 + 256 [fio]
  Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) override {
    if (line.starts_with("CPU") || line.starts_with("Total")) return Parsed::kEnd;  // the summary
    std::string_view rest = line;
    const std::string_view device = next_word(rest);
    const std::string_view cpu = next_word(rest);
    const std::string_view sequence = next_word(rest);
    const std::string_view time = next_word(rest);
    const std::string_view pid = next_word(rest);
    const std::string_view action = next_word(rest);
    uint64_t number = 0;
    if (device.find(',') == std::string_view::npos || !parse_u64(cpu, number) ||
        !parse_u64(sequence, number) || !parse_u64(pid, number) || action.empty())
      return reject(context, "no line of blkparse's default text");
    if (!parse_time(time, 1'000'000'000, record.time_ns))
      return reject(context, "time is not a number");
    if (action == "m") return Parsed::kNothing;  // a message
    if (action.size() != 1 || action.front() != action_)
      return filter(context, event_reason(action.size() == 1 ? action.front() : '?'));
    bool flush = false;
    bool no_data = false;
    if (!parse_rwbs(next_word(rest), record, flush, no_data))
      return reject(context, "unknown RWBS letters");
    if (no_data) return filter(context, "command without data");
    record.device = context.devices.id_of(device);
    return parse_extent(rest, flush, record, context);
  }

 private:
  // "31443472 + 256 [fio]"; a flush without data has none.
  static Parsed parse_extent(std::string_view rest, bool flush, TraceRecord& record,
                             LineContext& context) {
    uint64_t sector = 0;
    uint64_t sectors = 0;
    std::string_view words = rest;
    const bool extent = parse_u64(next_word(words), sector) && next_word(words) == "+" &&
                        parse_u64(next_word(words), sectors);
    if (!extent && flush) record.op = TraceOp::kFlush;  // "FWS" without data
    if (record.op == TraceOp::kFlush) return Parsed::kRecord;
    if (!extent) return reject(context, "no 'sector + sectors'");
    if (__builtin_mul_overflow(sector, kSector, &record.offset) ||
        __builtin_mul_overflow(sectors, kSector, &record.bytes))
      return reject(context, "address or size beyond 2^64 bytes");
    return Parsed::kRecord;
  }

  char action_;
};

}  // namespace

std::string_view event_reason(char action) {
  static constexpr std::string_view kLetters = "QMFGSRDCPUTIXBA";
  static constexpr std::array<std::string_view, 15> kReasons = {
      "event Q", "event M", "event F", "event G", "event S", "event R", "event D", "event C",
      "event P", "event U", "event T", "event I", "event X", "event B", "event A"};
  const size_t at = kLetters.find(action);
  return at == std::string_view::npos ? "other event" : kReasons[at];
}

std::unique_ptr<LineFormat> make_blkparse(const TraceOptions& options) {
  return std::make_unique<Blkparse>(options.event);
}

}  // namespace ftlsim
