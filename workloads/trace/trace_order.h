// Puts the records of a trace in the order of their times, with constant memory.
//
// Records may be out of order by up to kWindow places; what is later still gets the time of the
// record before it (counted). Traces that tell times in whole seconds have the records of a second
// spread evenly over it, up to kWindow of them (what exceeds that comes at its end).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/trace/trace_record.h"

namespace ftlsim {

class TraceOrder {
 public:
  static constexpr size_t kWindow = 4096;
  static constexpr size_t kMostPerUnit = size_t{1} << 17;

  // `resolution_ns` above 1 ms: records of equal time are spread over that time.
  explicit TraceOrder(int64_t resolution_ns);

  // Whether a record can come out, or more must go in first.
  bool needs_input() const;
  void push(const TraceRecord& record);
  // No more will be pushed.
  void end() { ended_ = true; }
  // The earliest record. False: there is none (needs_input() or the end).
  bool pop(TraceRecord& record);

  // Records that were earlier than one read before them.
  uint64_t backward_steps() const { return backward_; }
  // Of those, records that were out of order by more than the window, and were delayed.
  uint64_t delayed() const { return delayed_; }
  size_t size() const { return size_; }

 private:
  TraceRecord& at(size_t place) { return ring_[(first_ + place) & (ring_.size() - 1)]; }
  const TraceRecord& at(size_t place) const { return ring_[(first_ + place) & (ring_.size() - 1)]; }
  void grow();
  void spread();

  int64_t resolution_ns_;
  bool spreads_;
  // Sorted by time, equal times in the order of the file. The size is a power of two.
  std::vector<TraceRecord> ring_;
  size_t first_ = 0;
  size_t size_ = 0;
  size_t spread_ = 0;  // of them have their final times
  bool ended_ = false;
  int64_t newest_ns_ = INT64_MIN;  // of all pushed
  int64_t last_ns_ = INT64_MIN;    // of the last one popped
  uint64_t backward_ = 0;
  uint64_t delayed_ = 0;
};

}  // namespace ftlsim
