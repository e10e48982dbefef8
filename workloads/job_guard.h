// What ends a job thread early: requests that fail or take too long, and rates that are not
// reached.
//
// As in fio, a rate is looked at when a request completes: the first time two seconds after the
// start of the thread, then whenever a cycle has passed since the last look.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sim/units.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Errors as fio reports them, with the numbers of Linux.
enum class JobError : uint8_t { kNone = 0, kIo = 5, kTimedOut = 110 };

// The error of a thread, and what fio calls the place where it noticed.
struct ThreadError {
  JobError error = JobError::kNone;
  std::string_view cause = {};
};

class JobGuard {
 public:
  JobGuard() = default;
  // `limits` must outlive the guard; null: there are none.
  explicit JobGuard(const LimitSpec* limits) : limits_(limits) {
    if (limits == nullptr) return;
    LimitSpec none;
    none.ends_on_error = limits->ends_on_error;
    none.rate_cycle = limits->rate_cycle;
    looks_at_all_ = *limits != none;
  }

  bool active() const { return limits_ != nullptr; }
  // Why the thread ended; kNone while it may go on.
  const ThreadError& error() const { return error_; }

  // A request has completed, `elapsed` after the start of the thread; only if there are limits.
  // False: the thread must issue no more.
  bool add(Direction d, uint64_t bytes, bool failed, Duration latency, Duration elapsed) {
    if (!failed && !looks_at_all_) return true;
    const size_t i = index_of(d);
    if (failed) {
      if (limits_->ends_on_error[i]) fail({JobError::kIo, "io_u error"});
    } else {
      counts_[i].bytes += bytes;
      ++counts_[i].requests;
      const Duration most = limits_->max_latency[i];
      if (most > Duration{} && latency > most) fail({JobError::kTimedOut, "max latency exceeded"});
    }
    for (size_t k = 0; k < kDirections; ++k)
      if (counts_[k].requests > 0 && too_slow(k, elapsed)) fail({JobError::kIo, "check_min_rate"});
    return error_.error == JobError::kNone;
  }

 private:
  struct Count {
    uint64_t bytes = 0;
    uint64_t requests = 0;
    uint64_t seen_bytes = 0;  // at the last look
    uint64_t seen_requests = 0;
    Duration seen_at;
  };

  void fail(const ThreadError& error) {
    if (error_.error == JobError::kNone) error_ = error;
  }

  bool too_slow(size_t i, Duration elapsed) {
    const uint64_t bytes_min = limits_->rate_min[i];
    const uint64_t iops_min = limits_->iops_min[i];
    if ((bytes_min == 0 && iops_min == 0) || elapsed < Duration::s(2)) return false;
    Count& count = counts_[i];
    bool slow = false;
    if (count.seen_requests > 0) {
      const Duration spent = elapsed - count.seen_at;
      if (spent < limits_->rate_cycle || spent < Duration::ms(1)) return false;
      __extension__ using Wide = unsigned __int128;
      const auto ms = static_cast<uint64_t>(spent / Duration::ms(1));
      const uint64_t moved =
          bytes_min != 0 ? count.bytes - count.seen_bytes : count.requests - count.seen_requests;
      slow = Wide{moved} * 1000 / ms < (bytes_min != 0 ? bytes_min : iops_min);
    }
    count.seen_bytes = count.bytes;
    count.seen_requests = count.requests;
    count.seen_at = elapsed;
    return slow;
  }

  const LimitSpec* limits_ = nullptr;
  bool looks_at_all_ = false;  // not only at requests that fail
  std::array<Count, kDirections> counts_;
  ThreadError error_;
};

}  // namespace ftlsim
