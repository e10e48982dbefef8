// Differences between blocks and word lines, as pure functions of where they are.
//
// A lognormal factor of mean 1 per die block and per word line of a block, a factor per class of
// layers, and weak regions. All derive from the seed and the place alone, so a word line is good or
// bad for the life of the drive. What differs from one writing to the next is the draw of a
// codeword: it depends on the program epoch too, and decides against the probability of failure. A
// page keeps its draw until it is written again, so reading it twice gives the same answer.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/layout.h"
#include "nand/reliability/config.h"
#include "sim/ids.h"
#include "sim/rng.h"

namespace ftlsim {

// Quantiles of the standard normal distribution for 32-bit uniform numbers, finer in the tails: 64
// steps per octave of the probability, linear between them.
class NormalTable {
 public:
  NormalTable();
  double at(uint32_t u) const {
    const bool upper = (u >> 31) != 0;
    const uint32_t v = upper ? ~u : u;  // below 2^31
    const int shift = v < kSub ? 0 : 31 - __builtin_clz(v) - kSubBits;
    const uint32_t bucket = (static_cast<uint32_t>(shift) << kSubBits) + (v >> shift);
    const uint32_t rest = v & ((1u << shift) - 1);
    const double part = (rest + 0.5) / static_cast<double>(1u << shift);
    const double q = edges_[bucket] + (edges_[bucket + 1] - edges_[bucket]) * part;
    return upper ? -q : q;
  }
  // No value lies further from 0.
  double reach() const { return -edges_[0]; }

 private:
  static constexpr int kSubBits = 6;
  static constexpr uint32_t kSub = 1u << kSubBits;
  std::vector<double> edges_;  // of the lower half
};

class Variation {
 public:
  Variation(const ReliabilityConfig& config, const Layout& layout, uint64_t seed);

  // ln of the factor of a die block.
  double block(SuperblockId sb, DieId die) const;

  // Identity of a word line on one plane.
  uint64_t word_line_key(SuperblockId sb, DieId die, uint32_t row, uint32_t plane) const {
    return mix64(seed_ ^ (uint64_t{sb.value()} << 40 ^ uint64_t{die.value()} << 24 ^
                          uint64_t{row} << 8 ^ plane));
  }
  // ln of the factor of a word line, its class of layers included.
  double word_line(uint64_t key, uint32_t row) const {
    return table_.at(static_cast<uint32_t>(key >> 32)) * sigma_ - sigma_ * sigma_ / 2 +
           (layers_.empty() ? 0 : layers_[row]);
  }
  // The largest that word_line() can give.
  double word_line_reach() const { return reach_; }

  // The draw of a codeword, uniform in [0, 1).
  static double draw(uint64_t word_line_key, uint32_t epoch, uint32_t page, uint32_t slot) {
    const uint64_t h = mix64(word_line_key ^ (uint64_t{epoch} << 32 ^ uint64_t{page} << 16 ^ slot));
    return static_cast<double>(h >> 11) * 0x1.0p-53;
  }

  bool has_weak() const { return weak_below_ != 0; }
  // Is this row of a superblock in a weak region? All its dies are.
  bool weak(SuperblockId sb, uint32_t row) const {
    const uint64_t region = uint64_t{sb.value()} << 32 | row / weak_rows_;
    return (mix64(weak_seed_ ^ region) >> 32) < weak_below_;
  }

  // A number of a die block in [0, 1) that spreads what is set at the start.
  double spread(SuperblockId sb, DieId die, uint64_t salt) const;

 private:
  uint64_t seed_;
  uint64_t block_seed_;
  uint64_t weak_seed_;
  double block_sigma_;
  double sigma_;
  double reach_ = 0;
  std::vector<double> layers_;  // by row
  uint64_t weak_below_;         // of 2^32
  uint32_t weak_rows_;
  NormalTable table_;
};

}  // namespace ftlsim
