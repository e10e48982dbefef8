// What a trace holds, gathered record by record in the order of time with bounded memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/trace/footprint.h"
#include "tools/trace/trace_source.h"
#include "workloads/trace/trace_record.h"

namespace ftlsim {

// The largest count in one window of time, windows side by side from the first record on.
class PeakRate {
 public:
  explicit PeakRate(int64_t window_ns) : window_ns_(window_ns) {}
  void add(int64_t since_first_ns, uint64_t bytes) {
    const int64_t window = since_first_ns / window_ns_;
    if (window != window_) requests_ = bytes_ = 0;
    window_ = window;
    bytes_ += bytes;
    if (++requests_ > most_requests_) most_requests_ = requests_;
    if (bytes_ > most_bytes_) most_bytes_ = bytes_;
  }
  uint64_t most_requests() const { return most_requests_; }
  uint64_t most_bytes() const { return most_bytes_; }

 private:
  int64_t window_ns_;
  int64_t window_ = -1;
  uint64_t requests_ = 0;
  uint64_t bytes_ = 0;
  uint64_t most_requests_ = 0;
  uint64_t most_bytes_ = 0;
};

class TraceStatistics {
 public:
  void add(const TraceRecord& record);
  uint64_t records() const { return records_; }

  // The report of `trace info`.
  std::string text(const TraceSource& source) const;

 private:
  struct OfOp {
    uint64_t count = 0;
    uint64_t bytes = 0;
    uint64_t sequential = 0;  // begin where the one before of the same device and kind ended
  };

  using Ends = std::array<uint64_t, kTraceOps>;
  static constexpr Ends kNoEnd{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

  void add_extent(const TraceRecord& record);
  std::string period_text() const;
  std::string ops_text() const;
  std::string space_text() const;
  std::string sizes_text() const;
  std::string devices_text(const DeviceNames& names) const;

  uint64_t records_ = 0;
  int64_t first_ns_ = 0;
  int64_t last_ns_ = 0;
  std::array<OfOp, kTraceOps> ops_{};
  Footprint touched_;
  Footprint written_;
  uint64_t highest_ = 0;
  std::map<uint64_t, uint64_t> sizes_;  // up to kMostSizes different ones
  uint64_t other_sizes_ = 0;
  std::vector<uint64_t> by_device_;
  std::vector<Ends> ends_;  // by device
  PeakRate per_second_{1'000'000'000};
  PeakRate per_10ms_{10'000'000};
};

}  // namespace ftlsim
