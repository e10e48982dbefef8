#include "ftl/wear/wear_table.h"

#include <algorithm>

namespace ftlsim {

EraseSpread erase_spread(const Media& media, uint32_t superblocks, CellMode mode) {
  EraseSpread spread;
  if (superblocks == 0) return spread;
  uint64_t sum = 0;
  spread.least = UINT64_MAX;
  for (uint32_t s = 0; s < superblocks; ++s) {
    const SuperblockId sb(s);
    const uint64_t cycles = media.block_erases(sb, mode) * 100 / media.good_blocks(sb);
    sum += cycles;
    spread.least = std::min(spread.least, cycles);
    spread.most = std::max(spread.most, cycles);
  }
  spread.mean = sum / superblocks;
  return spread;
}

}  // namespace ftlsim
