// The throttle steps as a machine with hysteresis.
//
// A step begins when the temperature reaches its `at` and ends when it has fallen to its `release`;
// the steps nest, so the level is the number of steps in force. The critical stop works alike and
// overrides them. Decides from one temperature at a time and keeps no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ftl/thermal/config.h"

namespace ftlsim {

class Throttle {
 public:
  explicit Throttle(const ThermalConfig& config)
      : steps_(config.throttle), critical_(config.critical) {}

  // Takes the temperature, in thousandths of a degree, into account. True if anything changed.
  bool observe(int64_t millidegrees);

  size_t level() const { return level_; }  // 0: no step in force
  size_t steps() const { return steps_.size(); }
  bool halted() const { return halted_; }
  // The step in force; level() must not be 0.
  const ThrottleStepConfig& step() const { return steps_[level_ - 1]; }
  // The lowest temperature at which anything would begin.
  int64_t lowest() const { return steps_.empty() ? critical_.at : steps_.front().at; }

 private:
  std::vector<ThrottleStepConfig> steps_;
  CriticalConfig critical_;
  size_t level_ = 0;
  bool halted_ = false;
};

}  // namespace ftlsim
