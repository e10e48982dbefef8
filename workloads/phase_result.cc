#include "workloads/phase_result.h"

namespace ftlsim {
namespace {

double per_second(uint64_t count, Duration span) {
  return span > Duration{} ? static_cast<double>(count) * 1e9 / static_cast<double>(span.to_ns())
                           : 0;
}

}  // namespace

DirectionResult PhaseResult::measured(Direction d) const {
  DirectionResult out = directions[index_of(d)];
  const DirectionResult& before = warmup[index_of(d)];
  out.issued -= before.issued;
  out.completed -= before.completed;
  out.bytes -= before.bytes;
  out.nvme_commands -= before.nvme_commands;
  out.errors -= before.errors;
  out.latency.subtract(before.latency);
  return out;
}

double PhaseResult::measured_iops() const {
  uint64_t count = 0;
  for (const Direction d : kAllDirections)
    count += directions[index_of(d)].completed - warmup[index_of(d)].completed;
  return per_second(count, measured_span());
}

double PhaseResult::measured_bytes_per_second() const {
  uint64_t count = 0;
  for (const Direction d : kAllDirections)
    count += directions[index_of(d)].bytes - warmup[index_of(d)].bytes;
  return per_second(count, measured_span());
}

}  // namespace ftlsim
