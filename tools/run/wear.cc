#include "tools/run/wear.h"

#include <algorithm>

namespace ftlsim {
namespace {

constexpr uint64_t kPartsPerMillion = 1'000'000;

}  // namespace

WearFigures wear_figures(const Media& media, const EnduranceConfig& endurance) {
  const uint64_t rated[2] = {endurance.slc, endurance.tlc};
  const Layout& layout = media.layout();
  WearFigures w;
  for (uint32_t s = 0; s < media.superblocks(); ++s)
    for (uint32_t i = 0; i < layout.width(); ++i)
      for (uint32_t p = 0; p < layout.planes(); ++p) {
        const SuperblockId sb(s);
        const BlockId block = media.block(sb, layout.die_of(sb, i), p);
        if (!block.valid()) continue;
        ++w.blocks;
        uint64_t ppm = 0;
        for (size_t m = 0; m < 2; ++m) {
          const uint32_t cycles = media.erase_count(block, static_cast<CellMode>(m));
          w.cycles[m] += cycles;
          w.most_cycles[m] = std::max(w.most_cycles[m], cycles);
          ppm += cycles * kPartsPerMillion / rated[m];
        }
        w.most_ppm = std::max(w.most_ppm, ppm);
      }
  if (w.blocks == 0) return w;
  for (size_t m = 0; m < 2; ++m)
    w.mode_ppm[m] = w.cycles[m] * kPartsPerMillion / rated[m] / w.blocks;
  w.mean_ppm = w.mode_ppm[0] + w.mode_ppm[1];
  return w;
}

}  // namespace ftlsim
