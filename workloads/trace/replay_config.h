// The keys of a procedure's step `replay`.
//
//   - {step: replay, file: volume3.csv.zst, device: "3", time_scale: 0.5, address_policy: wrap}
#pragma once

#include <string>

#include "sim/config_visitor.h"
#include "workloads/trace/columns.h"
#include "workloads/trace/replay_spec.h"

namespace ftlsim {

struct ReplayConfig {
  std::string file;
  std::string format;
  std::string device;
  double time_scale = 1;
  AddressPolicy address_policy = AddressPolicy::kWrap;
  Bytes address_span;
  ReplayMode mode = ReplayMode::kOpen;
  BlockEvent event = BlockEvent::kIssue;
  IologWait iolog_wait = IologWait::kAbsoluteMs;
  Bytes trace_lba_size = Bytes(512);
  ColumnsConfig columns;

  // All keys but `iodepth`, which the step has anyway; they stand in the step itself.
  void visit(FieldVisitor& v);
};

// The keys that visit() names, for the table of which step takes which key.
inline constexpr std::string_view kReplayKeys[] = {
    "file", "format", "device",     "time_scale",     "address_policy", "address_span",
    "mode", "event",  "iolog_wait", "trace_lba_size", "columns"};

// What decides about the content, for `trace info` as well.
inline TraceOptions options_of(const ReplayConfig& config, bool has_columns) {
  return {config.event, config.iolog_wait, config.trace_lba_size, config.columns, has_columns};
}

// The replay that the keys ask for. `iodepth` and the folder of a relative path are up to the
// caller.
ReplaySpec replay_spec_of(const ReplayConfig& config, bool has_columns);

}  // namespace ftlsim
