// The requests of one thread of a job: sequential, random and mixed patterns with fio's semantics.
//
// The sequence is a function of (seed, the job's stream name, thread number) alone; depth, number
// of threads and the drive's speed do not change it.
#pragma once

#include <array>
#include <cstdint>

#include "sim/rng.h"
#include "workloads/block_permutation.h"
#include "workloads/job_spec.h"
#include "workloads/request_source.h"

namespace ftlsim {

class SyntheticSource final : public RequestSource {
 public:
  // `seed` is the run's; the job's own randseed replaces it. Allocates nothing.
  SyntheticSource(const JobSpec& job, uint64_t seed, uint32_t thread);

  bool next(IoRequest& request) override {
    const Direction d = mixed_ ? draw_direction() : direction_;
    uint64_t bytes = block_[index_of(d)];
    if (issued_ + bytes > total_) [[unlikely]] {
      if (issued_ >= total_) return false;
      if (short_tail_) bytes = total_ - issued_;  // else the last block goes past, as in fio
    }
    request.direction = d;
    request.offset = random_ ? random_offset(d) : sequential_offset(d, bytes);
    request.bytes = bytes;
    issued_ += bytes;
    return true;
  }

  double fraction() const override;

 private:
  Direction draw_direction() {
    return mix_rng_.chance(read_percent_, 100) ? Direction::kRead : Direction::kWrite;
  }

  // Continues where the last request of this direction ended and wraps at the end of the region,
  // where `bytes` may shrink to the rest.
  uint64_t sequential_offset(Direction d, uint64_t& bytes) {
    uint64_t at = position_[index_of(d)];
    if (at + bytes > end_) [[unlikely]] {
      if (short_tail_ && at < end_) {
        bytes = end_ - at;
      } else {
        at = begin_;
      }
    }
    position_[index_of(d)] = at + bytes;
    return at;
  }

  uint64_t random_offset(Direction d) {
    const size_t i = index_of(d);
    if (!use_map_) return begin_ + address_rng_.below(blocks_[i]) * block_[i];
    Pass& pass = passes_[shared_pass_ ? 0 : i];
    if (pass.place == pass.order.blocks()) [[unlikely]] {
      pass.order.reset(blocks_[i], address_rng_);
      pass.place = 0;
    }
    return begin_ + pass.order.at(pass.place++) * block_[i];
  }

  // One round over all blocks in random order.
  struct Pass {
    BlockPermutation order;
    uint64_t place = 0;
  };

  bool mixed_;
  bool random_;
  bool use_map_;
  bool short_tail_;
  bool shared_pass_;  // equal block sizes: reads and writes take turns on one map, as in fio
  Direction direction_;
  uint32_t read_percent_;
  uint64_t begin_;
  uint64_t end_;
  uint64_t issued_ = 0;
  uint64_t total_;  // UINT64_MAX: no end
  std::array<uint64_t, kDirections> block_{};
  std::array<uint64_t, kDirections> blocks_{};  // whole blocks in the region
  std::array<uint64_t, kDirections> position_{};
  std::array<Pass, kDirections> passes_;
  Rng address_rng_;
  Rng mix_rng_;
};

}  // namespace ftlsim
