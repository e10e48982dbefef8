// The requests of one thread of a job: which direction, how many, and what comes between and after
// them (flushes, reading back, further passes), with fio's semantics.
//
// The sequence is a function of (seed, the job's stream name, thread number) alone; depth, number
// of threads and the drive's speed do not change it. The one exception is a job with different
// rates for reads and writes, where time decides whose turn it is.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sim/rng.h"
#include "workloads/block_addressing.h"
#include "workloads/file_addressing.h"
#include "workloads/job_spec.h"
#include "workloads/request_source.h"

namespace ftlsim {

class SyntheticSource final : public RequestSource {
 public:
  // `seed` is the run's; the job's own randseed replaces it. `job` must outlive the source.
  // Allocates only what BlockAddressing does.
  SyntheticSource(const JobSpec& job, uint64_t seed, uint32_t thread);

  bool next(IoRequest& request) override {
    if (general_) [[unlikely]]
      return next_general(request);
    return take(mixed_ ? draw_direction() : direction_, request);
  }
  bool next_paced(Duration elapsed, IoRequest& request) override;

  double fraction() const override;

 private:
  enum class Stage : uint8_t { kMain, kVerify, kEnd, kDone };

  // Hands out the next request of a direction. False: the bytes of all passes have been issued.
  bool take(Direction d, IoRequest& request) {
    if (issued_ + address_.smallest(d) > total_) [[unlikely]] {
      if (issued_ >= total_) return false;  // else the last block goes past, as in fio
    }
    const Extent extent = address_.next(d, total_ - issued_);
    request.direction = d;
    request.offset = extent.offset;
    request.bytes = extent.bytes;
    issued_ += extent.bytes;
    return true;
  }

  Direction draw_direction() {
    return mix_rng_.chance(job_->read_percent, 100) ? Direction::kRead : Direction::kWrite;
  }

  bool next_general(IoRequest& request);
  bool next_main(IoRequest& request);
  bool flush_is_due() const;
  bool main_request(IoRequest& request);
  bool take_of_files(Direction d, IoRequest& request);
  bool read_back(IoRequest& request);
  void pass_trim();
  bool trim_is_due();
  void next_trim(IoRequest& request);
  bool next_loop();
  Direction due_direction(Direction drawn, Duration elapsed) const;
  void advance_due(const IoRequest& request);

  const JobSpec* job_;
  bool mixed_;
  bool general_;  // anything between or after the requests, or passes of their own
  Direction direction_;
  uint64_t issued_ = 0;
  uint64_t total_;  // bytes of this loop; UINT64_MAX: no end
  BlockAddressing address_;
  Rng mix_rng_;

  // general
  Stage stage_ = Stage::kMain;
  bool barrier_ = false;  // the next request waits for all before it
  uint32_t loops_left_ = 0;
  uint64_t ios_ = 0;         // requests of this loop
  uint64_t pass_bytes_ = 0;  // after so many a pass ends and the numbers repeat; UINT64_MAX: never
  uint64_t pass_issued_ = 0;
  uint64_t writes_ = 0;
  bool last_was_flush_ = false;
  std::optional<FileAddressing> files_;   // instead of address_, if there are several
  std::optional<IoRequest> second_half_;  // of a trim and write
  std::optional<Direction> forced_;       // by a rate
  Rng start_mix_rng_;

  // A copy of the generator that runs behind and draws the same requests once more.
  struct Follower {
    BlockAddressing address;
    std::optional<FileAddressing> files;
    Rng mix_rng;
    uint64_t pass_issued = 0;
  };
  bool follow(Follower& follower, Direction& d, Extent& extent) const;
  void next_pass_of(Follower& follower) const;

  // Reading back, `unread_` requests late.
  std::optional<Follower> reader_;
  uint64_t unread_ = 0;         // requests that the replay has still to pass
  uint64_t unread_writes_ = 0;  // writes among them
  uint64_t reads_due_ = 0;      // reads of a backlog batch still to issue
  uint64_t read_writes_ = 0;    // writes that it has passed

  // Trimming what was written. The writes that it concerns are drawn twice: when they are issued,
  // and when the trimmer comes to them.
  std::optional<Follower> trimmer_;
  Rng trim_rng_;
  Rng trimmer_rng_;
  uint64_t trims_left_ = 0;      // writes to trim that the trimmer has not come to
  uint64_t trims_in_batch_ = 0;  // trims that follow without another condition
  uint64_t trim_passed_ = 0;     // writes that the trimmer has passed
  bool last_was_trim_ = false;

  // Rates: when the next request of a direction is due, and the bytes so far.
  std::array<Duration, kDirections> due_{};
  std::array<uint64_t, kDirections> rated_bytes_{};
  Rng gap_rng_;
};

}  // namespace ftlsim
