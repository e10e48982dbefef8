// The parts of LatencyHistogram that run outside the simulation loop.
#include "sim/histogram.h"

namespace ftlsim {

double LatencyHistogram::mean_ns() const {
  return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

int64_t LatencyHistogram::percentile(double percent) const {
  SIM_ASSERT(percent >= 0 && percent <= 100, "percentile {} is outside [0, 100]", percent);
  if (count_ == 0) return 0;
  // The rank of the value, counted from 1, in integers: a rounded product could miss it by one.
  __extension__ using Wide = unsigned __int128;
  const auto thousandths = static_cast<uint64_t>(percent * 1000 + 0.5);
  const auto rank = static_cast<uint64_t>((Wide{count_} * thousandths + 99'999) / 100'000);
  if (rank <= 1) return min_;
  if (rank >= count_) return max_;
  uint64_t seen = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    seen += buckets_[i];
    if (seen < rank) continue;
    const int64_t middle = bucket_low(i) + (bucket_high(i) - bucket_low(i)) / 2;
    return std::clamp(middle, min_, max_);
  }
  return max_;
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  for (size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

void LatencyHistogram::subtract(const LatencyHistogram& earlier) {
  SIM_ASSERT(count_ >= earlier.count_ && sum_ >= earlier.sum_,
             "subtracting {} values from {}: not an earlier state", earlier.count_, count_);
  const int64_t old_min = min_;
  const int64_t old_max = max_;
  min_ = std::numeric_limits<int64_t>::max();
  max_ = 0;
  for (size_t i = 0; i < kBuckets; ++i) {
    SIM_ASSERT(buckets_[i] >= earlier.buckets_[i], "bucket {}: not an earlier state", i);
    buckets_[i] -= earlier.buckets_[i];
    if (buckets_[i] == 0) continue;
    min_ = std::min(min_, std::max(bucket_low(i), old_min));
    max_ = std::min(bucket_high(i), old_max);
  }
  count_ -= earlier.count_;
  sum_ -= earlier.sum_;
}

}  // namespace ftlsim
