// The requests of a job with an access specification: every request draws its line, then its size,
// its direction and whether it is random, with the semantics that vdbench and Iometer share: draws
// are independent, nothing is remembered but where the last request of each stream ended.
//
// One source serves all threads of its job; each takes the next request when it is free. The
// sequence is a function of (seed, the job's stream name); the times at which requests are due
// depend on the rate too.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/rng.h"
#include "workloads/job_spec.h"
#include "workloads/request_source.h"

namespace ftlsim {

class AccessSource final : public RequestSource {
 public:
  // `job` must outlive the source; `rate_milli` is the rate of the phase for jobs that have a share
  // of it, in thousandths of a request per second. Logical blocks are `lba_size`.
  AccessSource(const JobSpec& job, uint64_t seed, uint64_t rate_milli, Bytes lba_size);

  bool next(IoRequest& request) override { return take(request); }
  bool next_paced(Duration elapsed, IoRequest& request) override;
  // Of the bytes that the job has to move, if it has such a limit.
  double fraction() const override;

  // The rate it runs at, in thousandths; 0: none.
  uint64_t rate_milli() const { return rate_milli_; }

 private:
  bool take(IoRequest& request);
  bool choose_line();
  uint64_t draw_size(const AccessLine& line);
  bool place(const AccessLine& line, bool random, IoRequest& request);
  void place_on_own_grid(const AccessLine& line, IoRequest& request);
  bool place_behind(const AccessLine& line, uint64_t at, IoRequest& request);
  static bool chance(Rng& rng, uint32_t share) {
    return share == kMillion || (share != 0 && rng.chance(share, kMillion));
  }
  Duration gap();

  const JobSpec* job_;
  uint64_t lba_size_;
  uint64_t rate_milli_;
  uint64_t limit_;              // bytes to move
  uint64_t total_share_ = 0;    // of the lines that are not used up
  std::vector<uint64_t> ends_;  // of the streams: behind their last request
  std::vector<bool> used_up_;   // lines
  size_t line_ = 0;             // of the running burst
  uint32_t burst_left_ = 0;
  bool burst_begins_ = false;
  uint64_t moved_ = 0;
  uint64_t arrived_ = 0;  // requests with a due time
  Duration due_;
  Rng line_rng_;
  Rng size_rng_;
  Rng place_rng_;
  Rng mix_rng_;
  Rng gap_rng_;
};

// Sets what the rest of the engine reads of a job from its access specification: kind, sizes of
// requests and the region that encloses all lines. The specification has lines.
void describe_access(JobSpec& job);

}  // namespace ftlsim
