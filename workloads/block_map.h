// Which blocks of a region a random job with mixed request sizes has touched in this pass.
//
// fio's random map: every block once per pass; a request ends where the next one is taken. Only
// needed for mixed sizes: with one size, BlockPermutation does the same without memory.
#pragma once

#include <cstdint>
#include <vector>

namespace ftlsim {

class BlockMap {
 public:
  BlockMap() = default;
  explicit BlockMap(uint64_t blocks) : blocks_(blocks), words_((blocks + 63) / 64) {}

  bool taken(uint64_t block) const { return (words_[block / 64] >> (block % 64) & 1) != 0; }

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
