// How worn each superblock is: the mean erase cycles of its blocks, from the medium.
//
// Cycles in SLC mode wear a block less than those in TLC mode; wear.slc_weight says by how much.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/config.h"
#include "nand/media.h"

namespace ftlsim {

class WearTable {
 public:
  // One TLC cycle of every block.
  static constexpr uint64_t kCycle = 1 << 16;

  WearTable(const WearConfig& config, const Media& media)
      : media_(media),
        slc_weight_(static_cast<uint64_t>(config.slc_weight * static_cast<double>(kCycle) + 0.5)) {}

  // In 1/65536 of a TLC cycle.
  uint64_t of(SuperblockId sb) const {
    const uint64_t sum = media_.block_erases(sb, CellMode::kTlc) * kCycle +
                         media_.block_erases(sb, CellMode::kSlc) * slc_weight_;
    return sum / media_.good_blocks(sb);
  }

 private:
  const Media& media_;
  uint64_t slc_weight_;
};

// Least, mean and greatest erase cycles of superblocks, in hundredths of a cycle.
struct EraseSpread {
  uint64_t least = 0;
  uint64_t mean = 0;
  uint64_t most = 0;
};

// Over the first `superblocks` superblocks, cycles in one mode.
EraseSpread erase_spread(const Media& media, uint32_t superblocks, CellMode mode);

}  // namespace ftlsim
