// Which units hold parity, and what that leaves for data, against a recount unit by unit.
#include "ftl/rain/parity_plan.h"

#include <doctest/doctest.h>

#include "ftl/device.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim {
namespace {

GeometryConfig geometry(uint32_t width, uint32_t word_lines) {
  GeometryConfig g;
  g.channels = 4;
  g.dies_per_channel = 3;
  g.planes = 3;
  g.blocks_per_plane = 40;
  g.word_lines = word_lines;
  g.strings = 1;
  g.superblock_dies = width;
  g.factory_bad_blocks = 0.1;
  return g;
}

}  // namespace

TEST_CASE("each row of a group has one parity unit, and all dies take their turn") {
  for (const uint32_t n : {2u, 3u, 4u, 6u, 12u}) {
    const ParityPlan plan(n);
    std::vector<uint32_t> turns(12, 0);
    for (uint32_t row = 0; row < 2 * n; ++row)
      for (uint16_t first = 0; first < 12; first = static_cast<uint16_t>(first + n)) {
        uint32_t parity = 0;
        for (uint16_t d = first; d < first + n; ++d) {
          const DieId die(d);
          CHECK(plan.first_die(die).value() == first);
          parity += plan.is_parity(die, row);
          turns[d] += plan.is_parity(die, row);
          CHECK(plan.is_parity(plan.parity_die(die, row), row));
        }
        CHECK(parity == 1);
      }
    for (const uint32_t t : turns) CHECK(t == 2);
  }
  CHECK_FALSE(ParityPlan().on());
  CHECK_FALSE(ParityPlan().is_parity(DieId(0), 0));
}

TEST_CASE("slots for data, and what has no parity, equal a recount") {
  for (const uint32_t width : {0u, 6u, 4u, 2u})
    for (const uint32_t n : {0u, 2u, 4u, 6u})
      for (const uint32_t rows : {1u, 5u, 7u, 12u}) {
        const GeometryConfig g = geometry(width, rows);
        if (n != 0 && g.superblock_width() % n != 0) continue;
        const Media media(g, 7);
        const Layout& layout = media.layout();
        const ParityPlan plan(n);
        uint32_t units = 0;
        for (uint32_t row = 0; row < rows; ++row)
          for (uint32_t i = 0; i < layout.width(); ++i)
            units += !plan.is_parity(layout.die_of(SuperblockId(0), i), row);
        CHECK(plan.full_slots(layout, CellMode::kTlc) == units * layout.unit_slots(CellMode::kTlc));
        uint64_t pages = 0;
        uint64_t unprotected = 0;
        for (uint32_t s = 0; s < media.superblocks(); ++s) {
          const SuperblockId sb(s);
          uint32_t slots = 0;
          for (uint32_t row = 0; row < rows; ++row)
            for (uint32_t i = 0; i < layout.width(); ++i) {
              const DieId die = layout.die_of(sb, i);
              if (plan.is_parity(die, row)) continue;
              for (uint32_t p = 0; p < g.planes; ++p) {
                if ((media.good_planes(sb, die) >> p & 1) == 0) continue;
                slots += g.slots_per_page();
                pages += 3;
                if (!plan.on()) continue;
                const uint8_t parity = media.good_planes(sb, plan.parity_die(die, row));
                unprotected += (parity >> p & 1) == 0 ? 3 : 0;
              }
            }
          CHECK(plan.data_slots(media, sb, CellMode::kSlc) == slots);
          CHECK(plan.data_slots(media, sb, CellMode::kTlc) == 3 * slots);
        }
        const ParityPlan::Cover cover = plan.cover(media);
        CHECK(cover.pages == pages);
        CHECK(cover.unprotected == unprotected);
        if (n != 0 && rows >= n) CHECK(unprotected > 0);
      }
}

TEST_CASE("groups of dies have equally many superblocks, and blocks belong to their own group") {
  for (const uint32_t width : {1u, 2u, 4u, 6u}) {
    const Media media(geometry(width, 2), 3);
    const Layout& layout = media.layout();
    CHECK(media.superblocks() % layout.groups() == 0);
    std::vector<uint32_t> seen(size_t{12} * 3 * 40, 0);
    for (uint32_t s = 0; s < media.superblocks(); ++s) {
      const SuperblockId sb(s);
      uint32_t good = 0;
      for (uint32_t i = 0; i < layout.width(); ++i)
        for (uint32_t p = 0; p < layout.planes(); ++p) {
          const DieId die = layout.die_of(sb, i);
          const BlockId block = media.block(sb, die, p);
          CHECK(block.valid() == ((media.good_planes(sb, die) >> p & 1) != 0));
          if (!block.valid()) continue;
          ++good;
          CHECK(block.value() / 40 == die.value() * 3 + p);
          CHECK(++seen[block.value()] == 1);
        }
      CHECK(good == media.good_blocks(sb));
      CHECK(good > 0);
    }
  }
}

TEST_CASE("widths and parity that do not fit are explained with both keys") {
  const auto told = [](const std::vector<std::string>& keys, std::string_view a,
                       std::string_view b) {
    DriveConfig c = test::tiny_drive();
    c.nand.geometry.channels = 4;
    c.nand.geometry.blocks_per_plane = 40;
    c.capacity = Bytes::mib(4);
    test::use_slc(c);
    test::set_keys(c, keys);
    const std::string text = test::problems(c, 1);
    CHECK_MESSAGE(text.find(a) != std::string::npos, text);
    CHECK_MESSAGE(text.find(b) != std::string::npos, text);
  };
  told({"nand.geometry.superblock_dies=3"},
       "nand.geometry.superblock_dies: 3 does not divide the 4", "nand.geometry.channels");
  told({"rain.dies=3"}, "rain.dies: 3", "nand.geometry.superblock_dies");
  told({"rain.dies=1"}, "rain.dies: 1", "at least 2");
  told({"rain.dies=4", "nand.geometry.superblock_dies=2"}, "rain.dies: 4 must",
       "divide the 2 dies of a superblock");
  told({"rain.dies=4", "slc.fold.path=on_chip"}, "slc.fold.path: on_chip", "rain.dies");
  told({"nand.geometry.superblock_dies=2", "slc.fold.path=on_chip"}, "slc.fold.path: on_chip",
       "nand.geometry.superblock_dies");
}

TEST_CASE("parity counts against the capacity, and the error names both keys") {
  DriveConfig c = test::tiny_drive();
  c.nand.geometry.channels = 4;
  REQUIRE(test::fit_capacity(c, 1, 0));
  CHECK(test::problems(c, 1).empty());
  const uint64_t without = c.capacity.count();
  c.rain.dies = 4;
  const std::string text = test::problems(c, 1);
  CHECK_MESSAGE(text.find("rain.dies") != std::string::npos, text);
  CHECK_MESSAGE(text.find("user (capacity") != std::string::npos, text);
  REQUIRE(test::fit_capacity(c, 1, 0));
  CHECK(test::problems(c, 1).empty());
  CHECK(c.capacity.count() * 4 == without * 3);
}

}  // namespace ftlsim
