// Latency histogram with log-linear buckets: 32 per octave, so that a bucket is at most 1/32 (3.2
// %) of its values wide; values below 64 ns have a bucket each. A fixed array, no allocation.
//
// Count, sum, minimum and maximum are exact. All arithmetic that reaches an output is on integers,
// but for the one division of the mean.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "sim/assert.h"
#include "sim/units.h"

namespace ftlsim {

class LatencyHistogram {
 public:
  static constexpr int kSubBits = 5;  // 2^5 buckets per octave
  static constexpr size_t kSub = size_t{1} << kSubBits;
  static constexpr size_t kBuckets = (63 - kSubBits - 1) * kSub + 2 * kSub;

  // Adds one value >= 0. The sum of all values must stay below 2^64 ns (585 years).
  void add(Duration d) { add_ns(d.to_ns()); }
  void add_ns(int64_t ns) {
    SIM_ASSERT(ns >= 0, "negative latency {} ns", ns);
    ++buckets_[bucket_of(ns)];
    ++count_;
    sum_ += static_cast<uint64_t>(ns);
    min_ = std::min(min_, ns);
    max_ = std::max(max_, ns);
  }

  uint64_t count() const { return count_; }
  uint64_t sum_ns() const { return sum_; }
  // 0 if empty.
  int64_t min_ns() const { return count_ == 0 ? 0 : min_; }
  int64_t max_ns() const { return max_; }
  double mean_ns() const;

  // The value at or below which `percent` (0 to 100, in steps of 0.001) of the values lie, in ns:
  // off by at most half a bucket, never outside [min, max]; exactly min at 0 and max at 100. 0 if
  // empty.
  int64_t percentile(double percent) const;

  void merge(const LatencyHistogram& other);

  // Takes out an earlier state of this same histogram, which leaves what was added since. Count and
  // sum stay exact; minimum and maximum are then known to the width of a bucket.
  void subtract(const LatencyHistogram& earlier);

  // Bucket access, for fingerprints and exports: bucket i holds values
  // bucket_low(i)..bucket_high(i).
  uint64_t bucket(size_t i) const { return buckets_[i]; }
  static constexpr size_t bucket_of(int64_t ns) {
    const auto v = static_cast<uint64_t>(ns);
    const int shift = static_cast<int>(std::bit_width(v | kSub)) - 1 - kSubBits;
    return (static_cast<size_t>(shift) << kSubBits) + static_cast<size_t>(v >> shift);
  }
  static constexpr int64_t bucket_low(size_t i) {
    if (i < kSub) return static_cast<int64_t>(i);
    const size_t shift = (i >> kSubBits) - 1;
    return static_cast<int64_t>((uint64_t{kSub} + (i & (kSub - 1))) << shift);
  }
  static constexpr int64_t bucket_high(size_t i) {
    return i + 1 < kBuckets ? bucket_low(i + 1) - 1 : std::numeric_limits<int64_t>::max();
  }

  friend bool operator==(const LatencyHistogram&, const LatencyHistogram&) = default;

 private:
  std::array<uint64_t, kBuckets> buckets_{};
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  int64_t min_ = std::numeric_limits<int64_t>::max();
  int64_t max_ = 0;
};

}  // namespace ftlsim
