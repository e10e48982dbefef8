// Where the requests of one thread go, and how long they are: one region, per direction a
// sequential position and a random order, with fio's semantics.
//
// A value: a copy continues with the same extents. The sequence is a function of (seed, the job's
// stream name, thread number) and of the directions asked for.
#pragma once

#include <array>
#include <cstdint>

#include "sim/rng.h"
#include "workloads/block_distribution.h"
#include "workloads/block_map.h"
#include "workloads/block_permutation.h"
#include "workloads/job_spec.h"

namespace ftlsim {

struct Extent {
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

// The random stream of one use ("address", "mix" ...) by one thread of a job.
Rng job_stream(const JobSpec& job, uint64_t seed, uint32_t thread, std::string_view use);
// The same for one of the thread's files; the first has the stream of a thread without files.
Rng file_stream(const JobSpec& job, uint64_t seed, uint32_t thread, uint32_t file,
                std::string_view use);

class BlockAddressing {
 public:
  // For one of the thread's files, if it has any. `job` must outlive it. Allocates only for a
  // random map with mixed request sizes.
  BlockAddressing(const JobSpec& job, uint64_t seed, uint32_t thread, uint32_t file = 0);

  // The next extent of a direction that the job uses; at most `most` bytes if the job moves short
  // tails, else `most` is not looked at.
  Extent next(Direction d, uint64_t most) {
    if (general_) [[unlikely]]
      return next_general(d);
    const size_t i = index_of(d);
    uint64_t bytes = block_[i];
    if (random_) return {random_offset(i), bytes};
    if (short_tail_ && most < bytes) bytes = most;
    const uint64_t offset = sequential_offset(i, bytes);
    return {offset, bytes};
  }

  // The size of the next request is at least this.
  uint64_t smallest(Direction d) const { return block_[index_of(d)]; }

  // Draws the same numbers again from here on. Sequential positions stay, as in fio.
  void restart();
  // Begins the region again: sequential positions at its start, a new random order.
  void rewind();
  // What next() would give in this direction was given before: the end of the region has been
  // reached, or every block of the random order. Never true where blocks may repeat anyway.
  bool exhausted(Direction d) const;

 private:
  // One round over all blocks in random order.
  struct Pass {
    BlockPermutation order;
    uint64_t place = 0;
  };

  // Continues where the last request of this direction ended and wraps at the end of the region,
  // where `bytes` may shrink to the rest.
  uint64_t sequential_offset(size_t i, uint64_t& bytes) {
    uint64_t at = position_[i];
    if (at + bytes > end_) [[unlikely]] {
      if (short_tail_ && at < end_) {
        bytes = end_ - at;
      } else {
        at = begin_;
      }
    }
    position_[i] = at + bytes;
    return at;
  }

  uint64_t random_offset(size_t i) {
    if (!use_map_) return begin_ + address_rng_.below(blocks_[i]) * align_[i];
    Pass& pass = passes_[shared_pass_ ? 0 : i];
    if (pass.place == pass.order.blocks()) [[unlikely]] {
      pass.order.reset(blocks_[i], address_rng_);
      pass.place = 0;
    }
    return begin_ + pass.order.at(pass.place++) * align_[i];
  }

  Extent next_general(Direction d);
  bool begins_run(size_t i);
  uint64_t random_start(size_t i);
  uint64_t free_block(size_t i);
  uint64_t gapped_start(size_t i);
  uint64_t drawn_size(Direction of);
  uint64_t fitting_size(Direction of, uint64_t offset, uint64_t end);
  void advance_zone(size_t i, uint64_t bytes);

  const JobSpec* job_;
  bool random_;
  bool use_map_;
  bool short_tail_;
  bool shared_pass_;  // equal block sizes: reads and writes take turns on one map, as in fio
  bool general_;      // anything but one size, one pattern, one region
  uint64_t begin_;
  uint64_t end_;
  std::array<uint64_t, kDirections> block_{};   // smallest request
  std::array<uint64_t, kDirections> align_{};   // of random offsets
  std::array<uint64_t, kDirections> blocks_{};  // whole aligned blocks in the region
  std::array<uint64_t, kDirections> position_{};
  std::array<Pass, kDirections> passes_;
  Rng address_rng_;
  Rng start_rng_;  // address_rng_ at the start; likewise below

  // general
  std::array<BlockDistribution, kDirections> distribution_;
  BlockMap map_;
  bool mapped_sizes_ = false;  // mixed sizes on a map
  std::array<uint64_t, kDirections> run_begin_{};
  std::array<uint32_t, kDirections> run_left_{};
  uint64_t zone_begin_ = 0;
  uint64_t zone_moved_ = 0;
  Rng size_rng_;
  Rng start_size_rng_;
  Rng choice_rng_;
  Rng start_choice_rng_;
};

}  // namespace ftlsim
