// From the records of a trace to the requests of its replay: device filter, address policy, whole
// logical blocks, order, time scale, and pieces that fit the slots of the replay.
#pragma once

#include <cstdint>

#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"
#include "workloads/trace/replay_report.h"
#include "workloads/trace/replay_spec.h"
#include "workloads/trace/trace.h"
#include "workloads/trace/trace_order.h"

namespace ftlsim {

// The reason of records that the address policies kDrop and kError keep out.
inline constexpr std::string_view kPastTheEndOfDrive = "past the end of the drive";

struct ReplayRequest {
  Direction direction = Direction::kRead;
  bool flush = false;  // instead of the direction
  bool fua = false;
  bool last = false;  // the last piece of its record
  uint64_t offset = 0;
  uint64_t bytes = 0;
  Duration due;  // since the first record
  Duration gap;  // since the record before; 0 for the later pieces of a record
};

class ReplayStream {
 public:
  // The trace must be fresh, and outlive the stream.
  ReplayStream(Trace& trace, const ReplaySpec& spec, const DriveLimits& drive);

  // The next request, in the order of due times. False at the end. A record counts as issued when
  // its last piece has been handed out.
  bool next(ReplayRequest& request);

  // Counts what has been read and not been handed out as left out; next() gives nothing any more.
  void stop();

  // Copies the counts; the caller's own fields stay.
  void fill(ReplayReport& report) const;
  const Trace& trace() const { return trace_; }

 private:
  bool admit(TraceRecord& record);
  bool place(TraceRecord& record);
  bool keep_inside(TraceRecord& record);
  bool next_record();
  void set_times();
  void cut(ReplayRequest& request);

  Trace& trace_;
  const ReplaySpec& spec_;
  DriveLimits drive_;
  uint32_t device_ = 0;
  TraceOrder order_;
  bool started_ = false;  // first_ns_ is known
  bool stopped_ = false;
  int64_t first_ns_ = 0;
  TraceRecord record_;  // being handed out
  uint64_t left_ = 0;   // bytes of it; meaningful while pending_
  bool pending_ = false;
  Duration due_;
  Duration gap_;
  uint64_t requests_ = 0;
  uint64_t moved_ = 0;
  uint64_t rounded_ = 0;
};

}  // namespace ftlsim
