// The kernel's trace events nvme_setup_cmd, as text of ftrace or perf.
// Addresses are logical blocks of the namespace, whose size the trace does not
// tell; lengths are one less than the number of blocks. A command that the
// kernel does not know is printed without an end of line, so that the next
// event follows on the same line.
#include "workloads/trace/formats.h"
#include "workloads/trace/trace_text.h"

namespace ftlsim {
namespace {

using trace_text::parse_number;

constexpr std::string_view kEvent = "nvme_setup_cmd:";
constexpr uint64_t kForceUnitAccess = 0x4000;

// The value of `key` (which ends with '=') up to a blank, a comma or a
// parenthesis.
std::string_view value_of(std::string_view text, std::string_view key) {
  const size_t at = text.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + key.size());
  return rest.substr(0, rest.find_first_of(" ,)"));
}

class NvmeFtrace final : public LineFormat {
 public:
  explicit NvmeFtrace(uint64_t lba_size) : lba_size_(lba_size) {}

  Parsed parse(std::string_view line, TraceRecord& record, LineContext& context) override {
    const size_t at = line.find(kEvent);
    if (at == std::string_view::npos) return Parsed::kNothing;
    std::string_view event = line.substr(at + kEvent.size());
    const size_t second = event.find(kEvent);
    if (second != std::string_view::npos) {
      // What stands before the second one is its task and time, too.
      context.rest = event;
      event = event.substr(0, second);
    }
    if (!parse_stamp(line.substr(0, at), record.time_ns))
      return reject(context, "time is not a number");
    if (value_of(event, "qid=") == "0") return filter(context, "admin command");
    name_device(event, record, context);
    const size_t command = event.find("cmd=(");
    if (command == std::string_view::npos) return reject(context, "no cmd=(...)");
    return parse_command(event.substr(command + 5), record, context);
  }

 private:
  // "  fio-98976   [014] ..... 879504.024068: "
  static bool parse_stamp(std::string_view before, int64_t& time) {
    before = trace_text::trim(before);
    if (!before.ends_with(':')) return false;
    before.remove_suffix(1);
    const size_t blank = before.find_last_of(" \t");
    return trace_text::parse_time(
        blank == std::string_view::npos ? before : before.substr(blank + 1), 1'000'000'000, time);
  }

  // disk=nvme0n1, or in older kernels the controller alone.
  static void name_device(std::string_view event, TraceRecord& record, LineContext& context) {
    std::string_view name = value_of(event, "disk=");
    if (name.empty()) name = trace_text::trim(event.substr(0, event.find(':')));
    record.device = context.devices.id_of(name);
  }

  Parsed parse_command(std::string_view command, TraceRecord& record, LineContext& context) const {
    std::string_view rest = command;
    std::string_view name = trace_text::next_word(rest);
    if (name.ends_with(')')) name.remove_suffix(1);
    if (name == "nvme_cmd_flush") {
      record.op = TraceOp::kFlush;
      return Parsed::kRecord;
    }
    if (name == "nvme_cmd_read") {
      record.op = TraceOp::kRead;
    } else if (name == "nvme_cmd_write") {
      record.op = TraceOp::kWrite;
    } else if (name == "nvme_cmd_dsm") {
      return filter(context, "deallocation whose ranges are not in the trace");
    } else {
      return filter(context, "other command");
    }
    uint64_t block = 0;
    uint64_t length = 0;
    uint64_t control = 0;
    if (!parse_number(value_of(command, "slba="), block) ||
        !parse_number(value_of(command, "len="), length) || length > UINT32_MAX)
      return reject(context, "no slba= and len=");
    if (parse_number(value_of(command, "ctrl="), control))
      record.fua = record.op == TraceOp::kWrite && (control & kForceUnitAccess) != 0;
    if (__builtin_mul_overflow(block, lba_size_, &record.offset))
      return reject(context, "address or size beyond 2^64 bytes");
    record.bytes = (length + 1) * lba_size_;
    return Parsed::kRecord;
  }

  uint64_t lba_size_;
};

}  // namespace

std::unique_ptr<LineFormat> make_nvme_ftrace(const TraceOptions& options) {
  return std::make_unique<NvmeFtrace>(options.lba_size.count());
}

}  // namespace ftlsim
