#include "ftl/thermal/throttle.h"

namespace ftlsim {

bool Throttle::observe(int64_t t) {
  const size_t level = level_;
  const bool halted = halted_;
  while (level_ < steps_.size() && t >= steps_[level_].at) ++level_;
  while (level_ > 0 && t <= steps_[level_ - 1].release) --level_;
  if (t >= critical_.at) halted_ = true;
  if (t <= critical_.release) halted_ = false;
  return level_ != level || halted_ != halted;
}

}  // namespace ftlsim
