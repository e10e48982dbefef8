// A pseudo-random order of the blocks 0..n-1, each exactly once, without memory for a map.
//
// Four rounds of an unbalanced Feistel network permute the next power of two; results past the end
// are permuted again (cycle walking) until one falls inside, less than once more on average. The
// statistics are those of fio's random map: within one pass no block comes twice.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/rng.h"

namespace ftlsim {

class BlockPermutation {
 public:
  // A new order of `blocks` (>= 1) blocks, with keys drawn from `rng`.
  void reset(uint64_t blocks, Rng& rng) {
    blocks_ = blocks;
    const unsigned bits = blocks <= 4 ? 2 : static_cast<unsigned>(std::bit_width(blocks - 1));
    low_bits_ = bits / 2;
    high_mask_ = (uint64_t{1} << (bits - low_bits_)) - 1;
    low_mask_ = (uint64_t{1} << low_bits_) - 1;
    for (uint64_t& key : keys_) key = rng.next();
  }

  uint64_t blocks() const { return blocks_; }

  // The block at place `i` (< blocks()) of the order.
  uint64_t at(uint64_t i) const {
    do {
      i = permute(i);
    } while (i >= blocks_);
    return i;
  }

 private:
  // Two double rounds: the low half keys the high one, then the other way round.
  uint64_t permute(uint64_t x) const {
    uint64_t high = x >> low_bits_;
    uint64_t low = x & low_mask_;
    high ^= mix(low, keys_[0]) & high_mask_;
    low ^= mix(high, keys_[1]) & low_mask_;
    high ^= mix(low, keys_[2]) & high_mask_;
    low ^= mix(high, keys_[3]) & low_mask_;
    return (high << low_bits_) | low;
  }

  static uint64_t mix(uint64_t half, uint64_t key) {
    const auto product = static_cast<unsigned __int128>(half ^ key) * 0xd6e8feb86659fd93u;
    return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
  }

  uint64_t blocks_ = 0;
  unsigned low_bits_ = 0;
  uint64_t high_mask_ = 0;
  uint64_t low_mask_ = 0;
  std::array<uint64_t, 4> keys_{};
};

}  // namespace ftlsim
