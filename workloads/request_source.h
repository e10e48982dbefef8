// Where a job thread's requests come from: SyntheticSource (fio's patterns, one per thread) or
// AccessSource (access specifications, one for all threads of a job).
#pragma once

#include <cstdint>

#include "workloads/job_spec.h"

namespace ftlsim {

// One host request, before the block layer splits it. Offset and length are bytes, multiples of the
// logical block.
struct IoRequest {
  Direction direction = Direction::kRead;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  bool flush = false;    // no data: brings everything acknowledged to the medium
  bool fua = false;      // of a write
  bool barrier = false;  // issued only when all requests before it have completed
  Duration due;          // not before this time since the start of the thread
};

class RequestSource {
 public:
  // Fills in the next request. False: the source is exhausted, and stays so.
  virtual bool next(IoRequest& request) = 0;
  // The same for a thread that keeps a pace: `elapsed` is the time since its start, and the request
  // may have a `due` and a `barrier`.
  virtual bool next_paced(Duration elapsed, IoRequest& request) {
    static_cast<void>(elapsed);
    return next(request);
  }
  // Part of the work handed out so far, 0 to 1; 0 if it has no end of its own.
  virtual double fraction() const = 0;

 protected:
  ~RequestSource() = default;
};

}  // namespace ftlsim
