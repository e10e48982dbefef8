// How worn the blocks of a drive are: erase cycles in each mode against what it is rated for.
#pragma once

#include <cstdint>

#include "nand/config.h"
#include "nand/media.h"

namespace ftlsim {

// Over all good blocks. A block's share of its life is the sum over both modes of its cycles in the
// mode divided by the rated cycles of the mode (linear damage, Miner's rule), in parts per million.
struct WearFigures {
  uint64_t blocks = 0;
  uint64_t cycles[2] = {0, 0};       // summed, by mode
  uint32_t most_cycles[2] = {0, 0};  // of one block, by mode
  uint64_t mode_ppm[2] = {0, 0};     // mean share of life taken by each mode
  uint64_t mean_ppm = 0;
  uint64_t most_ppm = 0;  // of one block
};
WearFigures wear_figures(const Media& media, const EnduranceConfig& endurance);

}  // namespace ftlsim
