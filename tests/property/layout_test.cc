// Address arithmetic: round trips over many geometries and against a naive recomputation, and exact
// division.
#include "nand/layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
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
    g.stripe_order = static_cast<StripeOrder>(rng.below(4));
    // Any divisor of the dies, all of them more often than the others.
    const auto width = static_cast<uint32_t>(rng.below(g.dies() + 1));
    g.superblock_dies = width != 0 && g.dies() % width == 0 ? width : 0;
    const uint64_t chunk = uint64_t{g.planes} * g.slots_per_page();
    const uint64_t all = chunk * g.bits_per_cell * g.dies() * g.rows() * g.blocks_per_plane;
    if (chunk <= 128 && all < UINT32_MAX) return g;
  }
}

// Who follows whom in a stripe, the fastest first: 0 plane, 1 die, 2 page type.
std::array<uint32_t, 3> dimensions(StripeOrder order) {
  switch (order) {
    case StripeOrder::kPlaneDiePage:
      return {0, 1, 2};
    case StripeOrder::kPlanePageDie:
      return {0, 2, 1};
    case StripeOrder::kDiePlanePage:
      return {1, 0, 2};
    case StripeOrder::kPagePlaneDie:
      return {2, 0, 1};
  }
  return {};
}

// Walks a superblock slot by slot in the documented order and numbers the slots.
void check_walk(const Layout& layout, CellMode mode, SuperblockId sb) {
  const GeometryConfig& g = layout.geometry();
  const std::array<uint32_t, 3> order = dimensions(g.stripe_order);
  const uint32_t sizes[3] = {g.planes, layout.width(), layout.pages(mode)};
  const uint32_t first_die = sb.value() % layout.groups() * layout.width();
  uint32_t number = layout.first_ppn(sb).value();
  for (uint32_t row = 0; row < std::min(g.rows(), 3u); ++row) {
    std::array<uint32_t, 3> at{};
    uint32_t& fast = at[order[0]];
    uint32_t& middle = at[order[1]];
    uint32_t& slow = at[order[2]];
    for (slow = 0; slow < sizes[order[2]]; ++slow)
      for (middle = 0; middle < sizes[order[1]]; ++middle)
        for (fast = 0; fast < sizes[order[0]]; ++fast)
          for (uint32_t slot = 0; slot < g.slots_per_page(); ++slot, ++number) {
            const ChunkAddress a = layout.split(Ppn(number), mode);
            REQUIRE(a.superblock == sb);
            REQUIRE(a.row == row);
            REQUIRE(a.page == at[2]);
            REQUIRE(a.die.value() == first_die + at[1]);
            REQUIRE(a.first == at[0] * g.slots_per_page() + slot);
            REQUIRE(layout.plane_of(a.first) == at[0]);
          }
  }
}

// What follows a slot without a gap, and the places of a chunk from its position 0 on.
void check_chunk(const Layout& layout, CellMode mode, Ppn ppn) {
  const ChunkAddress a = layout.split(ppn, mode);
  ChunkAddress start = a;
  start.first = 0;
  const Ppn base = layout.join(start, mode);
  uint32_t follow = 0;
  for (uint32_t i = 0; i < layout.chunk_slots(); ++i) {
    ChunkAddress b = a;
    b.first = static_cast<uint8_t>(i);
    REQUIRE(layout.chunk_slot(base, i, mode) == layout.join(b, mode));
    if (i >= a.first && layout.join(b, mode) == ppn.plus(i - a.first)) follow = i + 1 - a.first;
  }
  REQUIRE(layout.follow(a.first, mode) == follow);
  REQUIRE((layout.chunk_slots() % layout.piece_slots(mode)) == 0);
}

// Numbering all chunks of a superblock meets each place once.
void check_chunks(const Layout& layout, CellMode mode) {
  const uint32_t chunks = layout.superblock_slots(mode) / layout.chunk_slots();
  if (chunks > 2000) return;
  std::vector<uint8_t> seen(chunks, 0);
  const SuperblockId sb(1);
  for (uint32_t c = 0; c < chunks; ++c) {
    const ChunkAddress a = layout.split(layout.chunk_base(sb, c, mode), mode);
    REQUIRE(a.superblock == sb);
    REQUIRE(a.first == 0);
    const uint32_t die = a.die.value() - layout.die_of(sb, 0).value();
    const uint32_t place = (a.row * layout.pages(mode) + a.page) * layout.width() + die;
    REQUIRE(seen[place] == 0);
    seen[place] = 1;
    REQUIRE(c / (chunks / layout.rows()) == a.row);  // in the order of rows
  }
}

void check_random_slots(const Layout& layout, CellMode mode, Rng& rng) {
  const GeometryConfig& g = layout.geometry();
  for (int i = 0; i < 300; ++i) {
    const SuperblockId sb(
        static_cast<uint32_t>(rng.below(uint64_t{g.blocks_per_plane} * layout.groups())));
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
    REQUIRE(layout.has_die(sb, a.die));
    REQUIRE(a.die.value() / layout.width() == layout.group_of(sb));
    if (i < 20) check_chunk(layout, mode, ppn);
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
      check_chunks(layout, mode);
    }
  }
}

TEST_CASE("the dies of the superblocks of all groups are those of the drive, each once") {
  Rng rng(4, "test/layout");
  for (int i = 0; i < 100; ++i) {
    const Layout layout(random_geometry(rng));
    std::vector<uint32_t> seen(layout.dies(), 0);
    std::vector<size_t> blocks;
    for (uint32_t s = 0; s < 3 * layout.groups(); ++s)
      for (uint32_t k = 0; k < layout.width(); ++k) {
        const DieId die = layout.die_of(SuperblockId(s), k);
        ++seen[die.value()];
        blocks.push_back(layout.die_block(SuperblockId(s), die));
        REQUIRE(layout.has_die(SuperblockId(s), die));
      }
    REQUIRE(std::count(seen.begin(), seen.end(), 3u) == static_cast<ptrdiff_t>(layout.dies()));
    std::sort(blocks.begin(), blocks.end());
    for (size_t b = 0; b < blocks.size(); ++b) REQUIRE(blocks[b] == b);
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
