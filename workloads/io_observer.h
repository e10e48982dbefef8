// The hook of whoever wants to see every request of the job threads: per-request logs, results per
// job. Without one, a request costs one comparison.
#pragma once

#include <cstdint>

#include "sim/units.h"
#include "workloads/job_guard.h"
#include "workloads/job_spec.h"
#include "workloads/job_steady.h"

namespace ftlsim {

struct IoEvent {
  uint32_t thread = 0;  // of the phase
  Direction direction = Direction::kRead;
  bool flush = false;
  uint32_t depth = 0;  // requests of the thread in flight when it was issued, itself included
  uint64_t offset = 0;
  uint64_t bytes = 0;
  bool failed = false;  // an NVMe command of it ended with another status than success
  Time called;          // when the host began to submit it, or when it was due in an open loop
  Time issued;          // when the host's CPU was done with submitting it
  Time completed;       // when the host's CPU was done with its completion
};

class IoObserver {
 public:
  // Thread `thread` of the running phase, clone `clone` of `job`, starts at `at`.
  virtual void on_thread_begin(uint32_t thread, const JobSpec& job, uint32_t clone, Time at) = 0;
  virtual void on_request(const IoEvent& event) = 0;
  // The thread has a reason to end that fio reports as an error; on_thread_end() follows.
  virtual void on_thread_error(uint32_t thread, const ThreadError& error) = 0;
  virtual void on_thread_end(uint32_t thread, Time at) = 0;
  // The phase has ended; `job` of it looked for a steady state.
  virtual void on_job_steady(const JobSpec& job, const SteadyState& steady) = 0;

 protected:
  ~IoObserver() = default;
};

}  // namespace ftlsim
