// Which blocks of a region a random job with mixed request sizes has touched in this pass.
//
// fio's random map: every block once per pass; a request ends where the next one is taken. Only
// needed for mixed sizes: with one size, BlockPermutation does the same without memory.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace ftlsim {

class BlockMap {
 public:
  BlockMap() = default;
  explicit BlockMap(uint64_t blocks) : blocks_(blocks), words_((blocks + 63) / 64) {}

  bool taken(uint64_t block) const { return (words_[block / 64] >> (block % 64) & 1) != 0; }

  // The first free block from `block` on, going on at the start; one must be free. As in fio, whose
  // requests therefore tend to begin where the free room behind them is large.
  uint64_t next_free(uint64_t block) const {
    uint64_t word = block / 64;
    uint64_t free = ~words_[word] >> (block % 64) << (block % 64);
    for (;;) {
      if (free != 0) {
        const uint64_t found = word * 64 + static_cast<uint64_t>(std::countr_zero(free));
        if (found < blocks_) return found;
      }
      word = word + 1 == words_.size() ? 0 : word + 1;
      free = ~words_[word];
    }
  }

  // Takes up to `most` free blocks from `block` (which is free) on; returns how many.
  uint64_t take(uint64_t block, uint64_t most) {
    uint64_t n = 0;
    while (n < most && block + n < blocks_ && !taken(block + n)) {
      words_[(block + n) / 64] |= uint64_t{1} << ((block + n) % 64);
      ++n;
    }
    taken_ += n;
    return n;
  }

  bool full() const { return taken_ == blocks_; }
  void clear() {
    words_.assign(words_.size(), 0);
    taken_ = 0;
  }

 private:
  uint64_t blocks_ = 0;
  uint64_t taken_ = 0;
  std::vector<uint64_t> words_;
};

}  // namespace ftlsim
