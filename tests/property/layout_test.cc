// Address arithmetic: round trips over many geometries and against a naive recomputation, and exact
// division.
#include "nand/layout.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/rng.h"

namespace ftlsim {
namespace {

GeometryConfig random_geometry(Rng& rng) {
  GeometryConfig g;
  for (;;) {
    g.channels = static_cast<uint32_t>(1 + rng.below(9));
    g.dies_per_channel = static_cast<uint32_t>(1 + rng.below(5));
    g.planes = static_cast<uint32_t>(1 + rng.below(8));
    g.word_lines = static_cast<uint32_t>(1 + rng.below(20));
    g.strings = static_cast<uint32_t>(1 + rng.below(5));
    g.bits_per_cell = static_cast<uint32_t>(1 + rng.below(4));
    g.page_size = Bytes::kib(uint64_t{4} << rng.below(3));
    g.blocks_per_plane = static_cast<uint32_t>(4 + rng.below(2000));
    g.stripe_order = rng.chance(1, 2) ? StripeOrder::kPlaneDiePage : StripeOrder::kPlanePageDie;
    const uint64_t chunk = uint64_t{g.planes} * g.slots_per_page();
    const uint64_t all = chunk * g.bits_per_cell * g.dies() * g.rows() * g.blocks_per_plane;
    if (chunk <= 128 && all < UINT32_MAX) return g;
  }
}

// Walks the first superblock slot by slot in the documented order and numbers the slots.
void check_walk(const Layout& layout, CellMode mode, SuperblockId sb) {
  const GeometryConfig& g = layout.geometry();
  const uint32_t pages = layout.pages(mode);
  const bool die_first = g.stripe_order == StripeOrder::kPlaneDiePage || mode == CellMode::kSlc;
  uint32_t number = layout.first_ppn(sb).value();
  for (uint32_t row = 0; row < std::min(g.rows(), 3u); ++row) {
    for (uint32_t outer = 0; outer < (die_first ? pages : g.dies()); ++outer) {
      for (uint32_t inner = 0; inner < (die_first ? g.dies() : pages); ++inner) {
        const uint32_t page = die_first ? outer : inner;
        const uint32_t die = die_first ? inner : outer;
        for (uint32_t plane = 0; plane < g.planes; ++plane) {
          for (uint32_t slot = 0; slot < g.slots_per_page(); ++slot, ++number) {
            const ChunkAddress a = layout.split(Ppn(number), mode);
            REQUIRE(a.superblock == sb);
            REQUIRE(a.row == row);
            REQUIRE(a.page == page);
            REQUIRE(a.die.value() == die);
            REQUIRE(a.first == plane * g.slots_per_page() + slot);
            REQUIRE(layout.plane_of(a.first) == plane);
          }
        }
      }
    }
  }
}

void check_random_slots(const Layout& layout, CellMode mode, Rng& rng) {
  const GeometryConfig& g = layout.geometry();
  for (int i = 0; i < 300; ++i) {
    const SuperblockId sb(static_cast<uint32_t>(rng.below(g.blocks_per_plane)));
    const auto offset = static_cast<uint32_t>(rng.below(layout.superblock_slots(mode)));
    const Ppn ppn = layout.first_ppn(sb).plus(offset);
    REQUIRE(layout.superblock_of(ppn) == sb);
    const ChunkAddress a = layout.split(ppn, mode);
    REQUIRE(a.row < g.rows());
    REQUIRE(a.die.value() < g.dies());
    REQUIRE(layout.join(a, mode) == ppn);
    const uint32_t index = a.page * layout.chunk_slots() + a.first;
    REQUIRE(layout.unit_slot(sb, a.row, a.die, index, mode) == ppn);
    REQUIRE(layout.channel_of(a.die).value() < g.channels);
  }
}

}  // namespace

TEST_CASE("split, join and unit_slot agree over many geometries") {
  Rng rng(1, "test/layout");
  for (int i = 0; i < 150; ++i) {
    const Layout layout(random_geometry(rng));
    for (const CellMode mode : {CellMode::kSlc, CellMode::kTlc}) {
      check_random_slots(layout, mode, rng);
      check_walk(layout, mode, SuperblockId(0));
      check_walk(layout, mode, SuperblockId(3));
    }
  }
}

TEST_CASE("a plane mask names the planes of a range") {
  Rng rng(2, "test/layout");
  for (int i = 0; i < 50; ++i) {
    const Layout layout(random_geometry(rng));
    for (uint32_t first = 0; first < layout.chunk_slots(); ++first) {
      const auto n = static_cast<uint32_t>(1 + rng.below(layout.chunk_slots() - first));
      uint32_t expected = 0;
      for (uint32_t k = first; k < first + n; ++k) expected |= 1u << (k / layout.slots_per_page());
      REQUIRE(layout.plane_mask(first, n) == expected);
    }
  }
}

TEST_CASE("division by multiplication is exact") {
  Rng rng(3, "test/divider");
  std::vector<uint32_t> divisors = {1,          2,          3,          5,          7,
                                    48,         641,        65535,      65536,      65537,
                                    0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
  for (int i = 0; i < 500; ++i)
    divisors.push_back(static_cast<uint32_t>(1 + (rng.next() >> (32 + rng.below(32)))));
  for (const uint32_t d : divisors) {
    const Divider divider(d);
    REQUIRE(divider.divisor() == d);
    for (int i = 0; i < 200; ++i) {
      const auto n = static_cast<uint32_t>(rng.next() >> (32 + rng.below(32)));
      REQUIRE(divider.quotient(n) == n / d);
      // Next to multiples is where a rounding error would show.
      const auto multiple = static_cast<uint32_t>(n / d * d);
      REQUIRE(divider.quotient(multiple) == multiple / d);
      REQUIRE(divider.quotient(multiple - 1) == (multiple - 1) / d);
    }
    REQUIRE(divider.quotient(0) == 0);
    REQUIRE(divider.quotient(UINT32_MAX) == UINT32_MAX / d);
  }
}

}  // namespace ftlsim
