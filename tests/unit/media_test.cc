// The protocol of the medium is asserted; superblocks are assembled from good blocks.
#include "nand/media.h"

#include <doctest/doctest.h>

#include <stdexcept>
#include <vector>

namespace ftlsim {
namespace {

GeometryConfig geometry(double bad) {
  GeometryConfig g;
  g.channels = 2;
  g.dies_per_channel = 1;
  g.planes = 2;
  g.blocks_per_plane = 20;
  g.word_lines = 2;
  g.strings = 2;
  g.factory_bad_blocks = bad;
  return g;
}

constexpr SuperblockId kSb{3};
constexpr DieId kDie{1};

void erase(Media& m, CellMode mode) {
  m.begin_erase(kSb, kDie);
  m.end_erase(kSb, kDie, mode);
}

void program(Media& m, uint32_t row, CellMode mode, uint32_t first) {
  std::vector<uint32_t> spare(m.layout().unit_slots(mode));
  for (uint32_t i = 0; i < spare.size(); ++i) spare[i] = first + i;
  m.begin_program(kSb, kDie, row, mode);
  m.end_program(kSb, kDie, spare.data());
}

}  // namespace

TEST_CASE("programs go in order, once, after an erase in the right mode") {
  Media m(geometry(0), 1);
  CHECK_THROWS_AS(program(m, 0, CellMode::kTlc, 0), std::logic_error);  // never erased
  erase(m, CellMode::kTlc);
  CHECK_THROWS_AS(program(m, 1, CellMode::kTlc, 0), std::logic_error);  // not in order
  CHECK_THROWS_AS(program(m, 0, CellMode::kSlc, 0), std::logic_error);  // other mode
  for (uint32_t row = 0; row < 4; ++row) program(m, row, CellMode::kTlc, row * 100);
  CHECK_THROWS_AS(program(m, 3, CellMode::kTlc, 0), std::logic_error);  // twice
  CHECK_THROWS_AS(program(m, 4, CellMode::kTlc, 0), std::logic_error);  // past the end
  CHECK(m.die_block(kSb, kDie).write_pointer == 4);
  CHECK(m.unit_sequence(kSb, kDie, 3) == 4);
  CHECK(m.counters().slots_programmed[1] == 4 * 24);
  for (uint32_t i = 0; i < 24; ++i)
    CHECK(m.spare(m.layout().unit_slot(kSb, 2, kDie, i, CellMode::kTlc)) == 200 + i);
}

TEST_CASE("only what was programmed is read") {
  Media m(geometry(0), 1);
  CHECK_THROWS_AS(m.check_read(kSb, kDie, 0, CellMode::kSlc, 1), std::logic_error);
  erase(m, CellMode::kSlc);
  CHECK_THROWS_AS(m.check_read(kSb, kDie, 0, CellMode::kSlc, 1), std::logic_error);
  program(m, 0, CellMode::kSlc, 0);
  CHECK_NOTHROW(m.check_read(kSb, kDie, 0, CellMode::kSlc, 3));
  CHECK_THROWS_AS(m.check_read(kSb, kDie, 0, CellMode::kTlc, 1), std::logic_error);
  CHECK_THROWS_AS(m.check_read(kSb, kDie, 1, CellMode::kSlc, 1), std::logic_error);
  CHECK_THROWS_AS(m.check_read(kSb, kDie, 0, CellMode::kSlc, 4), std::logic_error);  // no plane
}

TEST_CASE("an erase counts in the mode of use and cannot overlap") {
  Media m(geometry(0), 1);
  erase(m, CellMode::kSlc);
  m.begin_erase(kSb, kDie);
  CHECK_THROWS_AS(m.begin_erase(kSb, kDie), std::logic_error);
  CHECK_THROWS_AS(program(m, 0, CellMode::kSlc, 0), std::logic_error);
  m.end_erase(kSb, kDie, CellMode::kTlc);
  CHECK_THROWS_AS(m.end_erase(kSb, kDie, CellMode::kTlc), std::logic_error);
  const BlockId block = m.block(kSb, kDie, 0);
  CHECK(m.erase_count(block, CellMode::kTlc) == 1);  // new blocks count as TLC
  CHECK(m.erase_count(block, CellMode::kSlc) == 1);
  m.begin_program(kSb, kDie, 0, CellMode::kTlc);
  CHECK_THROWS_AS(m.begin_erase(kSb, kDie), std::logic_error);
  CHECK_THROWS_AS(m.begin_program(kSb, kDie, 0, CellMode::kTlc), std::logic_error);
}

TEST_CASE("bad blocks leave holes in the last superblocks only") {
  const Media m(geometry(0.15), 7);
  const Layout& layout = m.layout();
  REQUIRE(m.bad_blocks() > 0);
  uint64_t usable = 0;
  std::vector<uint8_t> used(80, 0);
  for (uint32_t s = 0; s < m.superblocks(); ++s) {
    const SuperblockId sb(s);
    usable += m.usable_slots(sb, CellMode::kTlc);
    if (s > 0)
      CHECK(m.usable_slots(sb, CellMode::kTlc) <=
            m.usable_slots(SuperblockId(s - 1), CellMode::kTlc));
    for (uint16_t d = 0; d < layout.dies(); ++d)
      for (uint32_t p = 0; p < layout.planes(); ++p) {
        const BlockId block = m.block(sb, DieId(d), p);
        CHECK(block.valid() == ((m.good_planes(sb, DieId(d)) >> p & 1) != 0));
        if (block.valid()) CHECK(used[block.value()]++ == 0);
      }
  }
  CHECK(usable == uint64_t{80 - m.bad_blocks()} * 4 * 3 * 4);
}

}  // namespace ftlsim
