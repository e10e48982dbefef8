#include "nand/reliability/retry_ladder.h"

#include "sim/math.h"

namespace ftlsim {

RetryLadder::RetryLadder(const RetryConfig& config, const RberModel& rber)
    : policy_(config.policy),
      hard_retries_(config.policy == RetryPolicy::kTableWalk
                        ? static_cast<uint32_t>(config.table.size())
                        : (config.policy == RetryPolicy::kCached ? 1 : 0)),
      soft_(config.soft.enabled),
      soft_config_(config.soft),
      log_gain_(exact_log(config.soft.gain)),
      set_levels_(config.set_levels) {
  for (const RetryEntry& entry : config.table)
    table_.push_back(rber.x_of(static_cast<double>(entry.age.to_ns()) * 1e-9));
}

}  // namespace ftlsim
