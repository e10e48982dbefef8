// Wear by mode: cycles and shares of the rated life.
#include <doctest/doctest.h>

#include "tests/support/tiny_drive.h"
#include "tools/run/wear.h"

namespace ftlsim::test {

TEST_CASE("a block wears in each mode at the rate of that mode") {
  GeometryConfig g = tiny_drive().nand.geometry;
  Media media(g, 1);
  const EnduranceConfig rated{1'000, 100};
  const auto cycle = [&media](SuperblockId sb, CellMode used) {
    for (uint16_t d = 0; d < media.layout().dies(); ++d) {
      media.begin_erase(sb, DieId(d));
      media.end_erase(sb, DieId(d), used);
    }
  };
  // Counted by the mode of the life that an erase ends; the first one ends an unused TLC life.
  cycle(SuperblockId(0), CellMode::kSlc);
  for (int i = 0; i < 5; ++i) cycle(SuperblockId(0), CellMode::kSlc);
  cycle(SuperblockId(1), CellMode::kTlc);
  const WearFigures w = wear_figures(media, rated);
  const uint64_t per_superblock = uint64_t{g.dies()} * g.planes;
  CHECK(w.blocks == per_superblock * g.blocks_per_plane);
  CHECK(w.cycles[0] == 5 * per_superblock);
  CHECK(w.cycles[1] == 2 * per_superblock);
  CHECK(w.most_cycles[0] == 5);
  CHECK(w.most_cycles[1] == 1);
  CHECK(w.most_ppm == 5'000 + 10'000);
  CHECK(w.mode_ppm[0] == 5 * 1'000 / g.blocks_per_plane);
  CHECK(w.mode_ppm[1] == 2 * 10'000 / g.blocks_per_plane);
  CHECK(w.mean_ppm == w.mode_ppm[0] + w.mode_ppm[1]);
}

}  // namespace ftlsim::test
