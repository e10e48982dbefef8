// How often pieces of the logical space have been overwritten lately: a frequency filter with one
// byte for 64 KiB.
//
// A piece counts a write that does not lie behind the last one in it, so that a sequential pass in
// small steps counts once. All counts are halved each time the host has written a window.
#pragma once

#include <cstdint>

#include "sim/arena.h"
#include "sim/ids.h"

namespace ftlsim {

class OverwriteFilter {
 public:
  static constexpr uint32_t kMost = 15;

  // `window`: units written between two halvings.
  OverwriteFilter(uint32_t user_slots, uint64_t window)
      : pieces_(user_slots / kPiece + 1), window_(window) {}

  // Notes a write; returns how often its first piece had been written before, 15 at most.
  uint32_t observe(Lpn lpn, uint32_t units) {
    age(units);
    const uint64_t end = uint64_t{lpn.value()} + units;
    uint32_t before = 0;
    for (uint64_t at = lpn.value(); at < end;) {
      const uint64_t piece = at / kPiece;
      const uint64_t stop = end < (piece + 1) * kPiece ? end : (piece + 1) * kPiece;
      const auto first = static_cast<uint32_t>(at % kPiece);
      uint8_t& state = pieces_[piece];
      uint32_t count = state >> 4;
      const uint32_t last = state & (kPiece - 1);
      if (at == lpn.value()) before = count;
      if ((count == 0 || first <= last) && count < kMost) ++count;
      state = static_cast<uint8_t>(count << 4 | ((stop - 1) % kPiece));
      at = stop;
    }
    return before;
  }
  void reset() {
    pieces_.clear();
    written_ = 0;
  }

 private:
  static constexpr uint32_t kPiece = 16;  // units

  void age(uint32_t units) {
    written_ += units;
    if (written_ < window_) return;
    written_ = 0;
    for (size_t i = 0; i < pieces_.size(); ++i)
      if (pieces_[i] != 0)
        pieces_[i] = static_cast<uint8_t>((pieces_[i] >> 5 << 4) | (pieces_[i] & 15));
  }

  LazyArray<uint8_t> pieces_;  // count in the upper half, last unit written in the lower one
  uint64_t window_;
  uint64_t written_ = 0;
};

}  // namespace ftlsim
