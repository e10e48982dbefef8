#include "workloads/trace/replay_config.h"

namespace ftlsim {
namespace {

constexpr Choice<AddressPolicy> kPolicies[] = {
    {"wrap", AddressPolicy::kWrap, "modulo the capacity"},
    {"scale", AddressPolicy::kScale, "all addresses shrunk so that the highest one fits"},
    {"drop", AddressPolicy::kDrop, "such records are left out"},
    {"error", AddressPolicy::kError, "a trace with such records is refused"},
};

constexpr Choice<ReplayMode> kModes[] = {
    {"open", ReplayMode::kOpen, "at the recorded times, as far as iodepth allows"},
    {"closed", ReplayMode::kClosed, "as fast as requests complete"},
    {"fio_gaps", ReplayMode::kFioGaps, "the recorded gap after each issue, as fio replays"},
};

constexpr Choice<BlockEvent> kEvents[] = {
    {"Q", BlockEvent::kQueue, "queued by the application"},
    {"D", BlockEvent::kIssue, "issued to the drive"},
    {"C", BlockEvent::kComplete, "completed"},
};

constexpr Choice<IologWait> kWaits[] = {
    {"abs_ms", IologWait::kAbsoluteMs, "milliseconds since the start, as fio's code does it"},
    {"rel_us", IologWait::kRelativeUs, "microseconds since the last entry, as its manual says"},
};

}  // namespace

void ReplayConfig::visit(FieldVisitor& v) {
  v.field({"file", "trace, also packed; a relative path counts from the procedure's folder"}, file);
  v.field({"format", "format of the trace; from its content if left out"}, format);
  v.field({"device", "replay the records of this device alone"}, device);
  v.number({"time_scale", "factor on the recorded times: 0.5 replays twice as fast"}, time_scale,
           1e-6, 1e6);
  v.choice({"address_policy", "what to do with addresses past the end of the drive"},
           address_policy, kPolicies);
  v.field({"address_span", "for 'scale': the range that becomes the drive; else the trace's own"},
          address_span, Bytes(0), Bytes::tib(1024));
  v.choice({"mode", "when requests are issued"}, mode, kModes);
  v.choice({"event", "which event counts in blktrace and blkparse"}, event, kEvents);
  v.choice({"iolog_wait", "what 'wait' means in a fio iolog of version 2"}, iolog_wait, kWaits);
  v.field({"trace_lba_size", "logical block of the traced drive, for nvme_ftrace"}, trace_lba_size,
          Bytes(512), Bytes::kib(64));
  v.section({"columns", "which column of a CSV is what"}, columns);
}

ReplaySpec replay_spec_of(const ReplayConfig& config, bool has_columns) {
  ReplaySpec spec;
  spec.file = config.file;
  spec.format = config.format;
  spec.options = options_of(config, has_columns);
  spec.device = config.device;
  spec.time_scale_q32 = static_cast<uint64_t>(config.time_scale * 4294967296.0);
  spec.address_policy = config.address_policy;
  spec.address_span = config.address_span.count();
  spec.mode = config.mode;
  return spec;
}

}  // namespace ftlsim
