// fio's latency_target: looks for the largest depth at which, in a window of time, enough requests
// are fast enough.
//
// Starts at half the depth. A window that holds raises the depth towards the lowest known to fail,
// one that does not lowers it towards the highest known to hold. When the two meet the search is
// over and the job ends, unless it is to keep running.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/units.h"
#include "workloads/job_spec.h"

namespace ftlsim {

class DepthControl {
 public:
  DepthControl() = default;
  DepthControl(const LatencyTargetSpec& spec, uint32_t most)
      : spec_(spec), depth_(std::max(most / 2, 1u)), failing_(most + 1) {}

  bool active() const { return spec_.target > Duration{}; }
  uint32_t depth() const { return depth_; }
  // The search is over, and so is the job.
  bool finished() const { return settled_ && !spec_.keep_running; }

  // A request has completed at `now`.
  void add(Duration latency, Time now) {
    ++requests_;
    if (latency > spec_.target) ++slow_;
    if (now - window_begin_ < spec_.window) return;
    const bool holds = static_cast<double>(requests_ - slow_) * 100 >=
                       spec_.percentile * static_cast<double>(requests_);
    requests_ = slow_ = 0;
    window_begin_ = now;
    if (!settled_) step(holds);
  }

 private:
  void step(bool holds) {
    (holds ? holding_ : failing_) = depth_;
    if (!holds && depth_ == 1) failing_ = 2;  // there is no smaller depth: this one has to do
    const uint32_t next = (std::max(holding_, 1u) + failing_) / 2;
    settled_ = failing_ - std::max(holding_, 1u) <= 1;
    depth_ = std::max(settled_ ? holding_ : next, 1u);
  }

  LatencyTargetSpec spec_;
  uint32_t depth_ = 0;
  uint32_t failing_ = 0;  // the lowest depth known to fail
  uint32_t holding_ = 0;  // the highest known to hold
  uint64_t requests_ = 0;
  uint64_t slow_ = 0;
  Time window_begin_;
  bool settled_ = false;
};

}  // namespace ftlsim
