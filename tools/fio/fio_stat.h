// The statistics of fio's results: moments, and the histogram whose bins fio's percentiles, json+
// and histogram logs share.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ftlsim {

// Count, smallest, largest, mean and standard deviation of whole numbers; sums in integers.
class FioMoments {
 public:
  void add(uint64_t value) {
    ++count_;
    sum_ += value;
    squares_ += Wide{value} * value;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
  }
  void merge(const FioMoments& other) {
    count_ += other.count_;
    sum_ += other.sum_;
    squares_ += other.squares_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  uint64_t count() const { return count_; }
  uint64_t min() const { return count_ == 0 ? 0 : min_; }
  uint64_t max() const { return max_; }
  double mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  // Of the sample, as fio has it.
  double deviation() const {
    if (count_ < 2) return 0;
    const Wide spread = squares_ * count_ - Wide{sum_} * sum_;
    const double n = static_cast<double>(count_);
    return std::sqrt(static_cast<double>(spread) / n / (n - 1));
  }

 private:
  __extension__ using Wide = unsigned __int128;
  uint64_t count_ = 0;
  uint64_t sum_ = 0;
  uint64_t min_ = std::numeric_limits<uint64_t>::max();
  uint64_t max_ = 0;
  Wide squares_ = 0;
};

// Nanoseconds in fio's bins: one each below 128, then 64 per octave.
class FioBins {
 public:
  static constexpr size_t kBins = 29 * 64;

  static constexpr size_t index_of(uint64_t ns) {
    if (ns < 128) return static_cast<size_t>(ns);
    const auto shift = static_cast<uint64_t>(std::bit_width(ns)) - 7;
    return std::min<size_t>((shift + 1) * 64 + ((ns >> shift) & 63), kBins - 1);
  }
  // The middle of a bin, which stands for all its values.
  static constexpr uint64_t value_of(size_t index) {
    if (index < 128) return index;
    const uint64_t shift = index / 64 - 1;
    return (uint64_t{1} << (shift + 6)) + ((index % 64) << shift) + ((uint64_t{1} << shift) / 2);
  }

  void add(uint64_t ns) {
    if (bins_.empty()) bins_.resize(kBins);
    ++bins_[index_of(ns)];
    ++count_;
  }
  void merge(const FioBins& other) {
    if (other.count_ == 0) return;
    bins_.resize(kBins);
    for (size_t i = 0; i < kBins; ++i) bins_[i] += other.bins_[i];
    count_ += other.count_;
  }
  void clear() { *this = FioBins{}; }

  uint64_t operator[](size_t i) const { return bins_.empty() ? 0 : bins_[i]; }
  uint64_t count() const { return count_; }
  // The value at or below which `percent` of the values lie; 0 if there are none.
  uint64_t percentile(double percent) const {
    const double wanted = percent / 100 * static_cast<double>(count_);
    uint64_t seen = 0;
    for (size_t i = 0; i < bins_.size(); ++i) {
      seen += bins_[i];
      if (seen > 0 && static_cast<double>(seen) >= wanted) return value_of(i);
    }
    return 0;
  }

 private:
  std::vector<uint64_t> bins_;  // none before the first value
  uint64_t count_ = 0;
};

// A latency of fio's results: what it was in all and, where percentiles are wanted, how it was
// distributed.
struct FioLatency {
  FioMoments moments;
  FioBins bins;

  void add(uint64_t ns, bool with_bins = true) {
    moments.add(ns);
    if (with_bins) bins.add(ns);
  }
  void merge(const FioLatency& other) {
    moments.merge(other.moments);
    bins.merge(other.bins);
  }
};

}  // namespace ftlsim
