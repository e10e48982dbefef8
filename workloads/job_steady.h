// fio's steady-state detector: one value per interval, and a window of the last of them.
//
// Attained when the window is full and either the largest deviation from its mean, or the slope of
// the least-squares line through it, is below the limit.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/units.h"
#include "workloads/job_spec.h"

namespace ftlsim {

class SteadyState {
 public:
  SteadyState() = default;
  // All memory for a window is allocated here.
  explicit SteadyState(const SteadySpec& spec)
      : spec_(spec),
        iops_(window_length(spec)),
        bytes_(window_length(spec)),
        latency_(window_length(spec)) {}

  const SteadySpec& spec() const { return spec_; }
  bool active() const { return spec_.measure != SteadyMeasure::kNone; }
  bool attained() const { return attained_; }
  // The last criterion, in units of the measure or in percent; with the slope's sign.
  double criterion() const { return criterion_; }
  // The same before it became a percentage.
  double deviation() const { return deviation_; }

  // Totals of requests, bytes and completion latencies so far, `elapsed` after the start of the
  // job. To be called once per interval. True when the state is steady from now on.
  bool add(Duration elapsed, uint64_t requests, uint64_t bytes, Duration latencies) {
    const uint64_t new_requests = requests - last_requests_;
    const uint64_t new_bytes = bytes - last_bytes_;
    const auto new_ns = static_cast<uint64_t>((latencies - last_latencies_).to_ns());
    last_requests_ = requests;
    last_bytes_ = bytes;
    last_latencies_ = latencies;
    if (attained_ || elapsed <= spec_.ramp || iops_.empty()) return false;
    __extension__ using Wide = unsigned __int128;
    const auto per_second = [&](uint64_t n) {
      return static_cast<uint64_t>(Wide{n} * 1'000'000'000 /
                                   static_cast<uint64_t>(spec_.interval.to_ns()));
    };
    iops_[next_] = per_second(new_requests);
    bytes_[next_] = per_second(new_bytes);
    latency_[next_] = new_requests == 0 ? 0 : new_ns / new_requests;
    next_ = (next_ + 1) % iops_.size();
    filled_ = std::min(filled_ + 1, iops_.size());
    if (filled_ == iops_.size()) judge();
    return attained_;
  }

  // The window, oldest first; shorter than its length until it is full.
  std::vector<uint64_t> iops() const { return ordered(iops_); }
  std::vector<uint64_t> bytes_per_second() const { return ordered(bytes_); }
  std::vector<uint64_t> mean_latency_ns() const { return ordered(latency_); }

 private:
  static size_t window_length(const SteadySpec& spec) {
    return spec.measure == SteadyMeasure::kNone
               ? 0
               : static_cast<size_t>(std::max<int64_t>(spec.duration / spec.interval, 1));
  }

  std::vector<uint64_t> ordered(const std::vector<uint64_t>& ring) const {
    std::vector<uint64_t> out;
    const size_t first = filled_ == ring.size() ? next_ : 0;
    for (size_t i = 0; i < filled_; ++i) out.push_back(ring[(first + i) % ring.size()]);
    return out;
  }

  void judge() {
    const std::vector<uint64_t>& ring = spec_.measure == SteadyMeasure::kIops        ? iops_
                                        : spec_.measure == SteadyMeasure::kBandwidth ? bytes_
                                                                                     : latency_;
    const size_t n = ring.size();
    double sum = 0;
    double weighted = 0;
    for (size_t i = 0; i < n; ++i) {
      const auto y = static_cast<double>(ring[(next_ + i) % n]);
      sum += y;
      weighted += y * static_cast<double>(i);
    }
    const double count = static_cast<double>(n);
    const double mean = sum / count;
    if (spec_.slope) {
      const double x_mean = (count - 1) / 2;
      const double x_spread = count * (count * count - 1) / 12;
      criterion_ = x_spread > 0 ? (weighted - x_mean * sum) / x_spread : 0;
    } else {
      criterion_ = 0;
      for (const uint64_t value : ring) {
        const double away = static_cast<double>(value) - mean;
        criterion_ = std::max(criterion_, away < 0 ? -away : away);
      }
    }
    deviation_ = criterion_;
    if (spec_.percent) criterion_ = mean > 0 ? 100 * criterion_ / mean : 0;
    attained_ = (criterion_ < 0 ? -criterion_ : criterion_) < spec_.limit;
  }

  SteadySpec spec_;
  std::vector<uint64_t> iops_;
  std::vector<uint64_t> bytes_;
  std::vector<uint64_t> latency_;  // mean of the interval's requests, in ns
  size_t next_ = 0;
  size_t filled_ = 0;
  uint64_t last_requests_ = 0;
  uint64_t last_bytes_ = 0;
  Duration last_latencies_;
  double criterion_ = 0;
  double deviation_ = 0;
  bool attained_ = false;
};

}  // namespace ftlsim
