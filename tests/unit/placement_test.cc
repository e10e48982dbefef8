// How data lie on the dies, against layouts whose figures are known.
#include "ftl/read/placement.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "nand/media.h"
#include "sim/rng.h"

namespace ftlsim {
namespace {

constexpr uint32_t kAll = 1u << 20;

GeometryConfig geometry(uint32_t dies, uint32_t planes, uint32_t word_lines = 32) {
  GeometryConfig g;
  g.channels = 8;
  g.dies_per_channel = dies / 8;
  g.planes = planes;
  g.blocks_per_plane = 48;
  g.word_lines = word_lines;
  g.strings = 4;
  g.factory_bad_blocks = 0;
  return g;
}

struct Parts {
  explicit Parts(const GeometryConfig& g, uint32_t units)
      : media(g, 1), table(media), map(units, 0, table) {}
  Placement measure(uint32_t units, uint32_t window = Placement::kWindow, uint32_t from = 0) const {
    return measure_placement(map, table, Lpn(from), units, kAll, window);
  }
  Media media;
  SuperblockTable table;
  FlatMap map;
};

double mean(uint64_t sum, const Placement& p) {
  return static_cast<double>(sum) / static_cast<double>(p.windows);
}

// Mean of the fullest of `dies` bins after `pages` throws, by Monte Carlo with numbers of its own.
double mean_fullest(uint32_t pages, uint32_t dies, uint32_t rounds) {
  Rng rng(77, "oracle");
  std::vector<uint32_t> bins(dies);
  uint64_t sum = 0;
  for (uint32_t r = 0; r < rounds; ++r) {
    std::fill(bins.begin(), bins.end(), 0);
    for (uint32_t i = 0; i < pages; ++i) ++bins[rng.below(dies)];
    sum += *std::max_element(bins.begin(), bins.end());
  }
  return static_cast<double>(sum) / rounds;
}

}  // namespace

TEST_CASE("a sequential file takes ceil(pages / dies) pages of the busiest die") {
  for (const uint32_t dies : {8u, 16u, 32u})
    for (const uint32_t planes : {1u, 2u, 4u}) {
      Parts p(geometry(dies, planes), 64 * 256);
      p.map.update(Lpn(0), Ppn(0), 64 * 256);
      const Placement all = p.measure(64 * 256);
      INFO(dies << " dies, " << planes << " planes");
      CHECK(all.windows == 64);
      CHECK(all.slots == 64 * 256);
      CHECK(all.extents == 64);
      CHECK(all.pages == 64 * 64);
      CHECK(all.senses == 64 * 64 / planes);
      CHECK(all.by_planes[planes] == all.senses);
      CHECK(all.dies == 64 * std::min(dies, 64 / planes));
      // Whole chunks go to a die: with fewer chunks than dies the ideal of single pages is missed.
      const uint32_t busiest = (64 / planes + dies - 1) / dies * planes;
      CHECK(all.busiest == 64 * busiest);
      CHECK(all.windows_by_busiest[busiest] == 64);
      CHECK(all.ideal == 64 * ((64 + dies - 1) / dies));
      if (64 / planes >= dies) CHECK(all.busiest == all.ideal);
    }
}

TEST_CASE("shorter windows: n pages round robin on D dies") {
  for (const uint32_t dies : {8u, 16u, 32u})
    for (const uint32_t pages : {1u, 5u, 8u, 13u, 40u, 64u}) {
      Parts p(geometry(dies, 1), 32 * 64 * 4);
      p.map.update(Lpn(0), Ppn(0), 32 * pages * 4);
      const Placement all = p.measure(32 * pages * 4, pages * 4);
      INFO(pages << " pages, " << dies << " dies");
      CHECK(all.windows == 32);
      CHECK(all.busiest == 32 * ((pages + dies - 1) / dies));
      CHECK(all.busiest == all.ideal);
      CHECK(all.dies == 32 * std::min(pages, dies));
    }
}

TEST_CASE("pages placed at random: the mean of the busiest die is that of balls in bins") {
  struct Point {
    uint32_t pages;
    uint32_t dies;
  };
  for (const Point point : {Point{8, 8}, {16, 16}, {32, 32}, {64, 16}, {64, 32}, {64, 64}}) {
    constexpr uint32_t kWindows = 12'000;
    const uint32_t window = point.pages * 4;
    Parts p(geometry(point.dies, 1, 128), kWindows * window);
    const Layout& layout = p.media.layout();
    const uint32_t per_die = layout.rows() * 3;  // pages of a die in a superblock
    std::vector<uint32_t> used(point.dies, 0);
    Rng rng(5, "placement");
    for (uint32_t page = 0; page < kWindows * point.pages; ++page) {
      const auto die = static_cast<uint32_t>(rng.below(point.dies));
      const uint32_t n = used[die]++;
      ChunkAddress a;
      a.superblock = SuperblockId(n / per_die);
      a.die = DieId(static_cast<uint16_t>(die));
      a.row = static_cast<uint16_t>(n % per_die / 3);
      a.page = static_cast<uint8_t>(n % 3);
      REQUIRE(a.superblock.value() < p.table.size());
      p.map.update(Lpn(page * 4), layout.join(a, CellMode::kTlc), 4);
    }
    const Placement all = p.measure(kWindows * window, window);
    const double expected = mean_fullest(point.pages, point.dies, 200'000);
    INFO(point.pages << " pages on " << point.dies << " dies: " << mean(all.busiest, all) << ", "
                     << expected << " expected");
    CHECK(all.pages == uint64_t{kWindows} * point.pages);
    CHECK(mean(all.busiest, all) == doctest::Approx(expected).epsilon(0.01));
    // Dies touched: D (1 - (1 - 1/D)^n).
    double missed = 1;
    for (uint32_t i = 0; i < point.pages; ++i) missed *= 1 - 1.0 / point.dies;
    CHECK(mean(all.dies, all) == doctest::Approx(point.dies * (1 - missed)).epsilon(0.01));
  }
}

TEST_CASE("holes, windows cut by the range, and samples") {
  Parts p(geometry(8, 2), 4096);
  CHECK(p.measure(4096).windows == 0);
  p.map.update(Lpn(10), Ppn(3), 5);   // within one chunk of eight slots
  p.map.update(Lpn(300), Ppn(7), 2);  // one slot of a chunk, one of the next
  p.map.update(Lpn(302), Ppn(1000), 1);
  const Placement all = p.measure(4096);
  CHECK(all.windows == 2);
  CHECK(all.slots == 8);
  CHECK(all.extents == 3);
  CHECK(all.senses == 4);
  CHECK(all.pages == 2 + 1 + 1 + 1);  // slots 3 to 7 are on both planes
  CHECK(all.by_planes[1] == 3);
  CHECK(all.by_planes[2] == 1);
  CHECK(all.windows_by_dies[1] == 1);
  // From unit 12 to unit 301: three slots of the first window, one of the second.
  CHECK(p.measure(289, Placement::kWindow, 12).slots == 3 + 1);
  // Every second of 16 windows: the second one is not among them.
  const Placement some = measure_placement(p.map, p.table, Lpn(0), 4096, 8);
  CHECK(some.windows == 1);
  CHECK(some.slots == 5);
}

TEST_CASE("slots in SLC superblocks are told apart, and lie as that mode says") {
  Parts p(geometry(8, 2), 4096);
  p.table.open(SuperblockId(1), Stream::kHostSlc, CellMode::kSlc);
  const Ppn slc = p.media.layout().first_ppn(SuperblockId(1));
  p.map.update(Lpn(0), slc, 256);
  p.map.update(Lpn(256), Ppn(0), 256);
  const Placement all = p.measure(512);
  CHECK(all.slots == 512);
  CHECK(all.slc_slots == 256);
  CHECK(all.windows_by_busiest[8] == 2);
}

}  // namespace ftlsim
