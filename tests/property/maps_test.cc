// PendingIndex and FlatMap against std::map, and the independence of named random streams.
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ftl/buffer/pending_index.h"
#include "ftl/map/flat_map.h"
#include "sim/rng.h"

namespace ftlsim {
namespace {

struct NoSink final : DeadSink {
  void superblock_dead(SuperblockId sb) override { dead.push_back(sb); }
  std::vector<SuperblockId> dead;
};

GeometryConfig small_geometry() {
  GeometryConfig g;
  g.channels = 2;
  g.dies_per_channel = 1;
  g.planes = 2;
  g.blocks_per_plane = 8;
  g.word_lines = 4;
  g.strings = 1;
  g.factory_bad_blocks = 0;
  return g;
}

}  // namespace

TEST_CASE("the pending index equals a map") {
  constexpr uint32_t kSlots = 256;
  Rng rng(1, "test/pending");
  PendingIndex index(kSlots, true);
  std::map<uint32_t, uint32_t> expected;
  for (int i = 0; i < 100'000; ++i) {
    const Lpn lpn(static_cast<uint32_t>(rng.below(2'000)));
    const uint32_t room = PendingIndex::kGroup - lpn.value() % PendingIndex::kGroup;
    const auto n = static_cast<uint32_t>(1 + rng.below(room));
    const Ppn ppn(static_cast<uint32_t>(rng.below(1'000'000)));
    const uint64_t what = rng.below(10);
    if (what < 4 && expected.size() + n <= kSlots) {
      index.put(lpn, ppn, n);
      for (uint32_t k = 0; k < n; ++k) {
        expected[lpn.value() + k] = ppn.value() + k;
        index.token(lpn.plus(k)) = ppn.value() + k;
      }
    } else if (what < 8) {
      // Settle what is there, or something that is not.
      const auto at = expected.find(lpn.value());
      const Ppn from = at != expected.end() && rng.chance(3, 4) ? Ppn(at->second) : ppn;
      uint32_t mask = 0;
      for (uint32_t k = 0; k < n; ++k) {
        const auto it = expected.find(lpn.value() + k);
        if (it == expected.end() || it->second != from.value() + k) continue;
        mask |= 1u << k;
        expected.erase(it);
      }
      REQUIRE(index.settle(lpn, from, n) == mask);
    } else if (what == 8) {
      index.drop(lpn);
      expected.erase(lpn.value());
    } else if (rng.chance(1, 1'000)) {
      index.clear();
      expected.clear();
    }
    REQUIRE(index.units() == expected.size());
    REQUIRE(index.empty() == expected.empty());
    const Lpn probe(static_cast<uint32_t>(rng.below(2'000)));
    const auto it = expected.find(probe.value());
    REQUIRE(index.find(probe) == (it == expected.end() ? Ppn::invalid() : Ppn(it->second)));
    if (it != expected.end()) REQUIRE(index.token(probe) == it->second);
    const uint32_t group = probe.value() / PendingIndex::kGroup * PendingIndex::kGroup;
    const auto first = expected.lower_bound(group);
    REQUIRE(index.group_pending(probe) ==
            (first != expected.end() && first->first < group + PendingIndex::kGroup));
  }
}

TEST_CASE("the flat map equals a map and keeps valid counts") {
  Rng rng(2, "test/map");
  const Media media(small_geometry(), 1);
  SuperblockTable table(media);
  const uint32_t slots = table.layout().superblock_slots(CellMode::kTlc) * 8;
  constexpr uint32_t kUser = 500;
  FlatMap map(kUser, 0, table);
  NoSink sink;
  map.set_dead_sink(sink);
  for (uint32_t s = 0; s < 8; ++s) table.open(SuperblockId(s), Stream::kHostTlc, CellMode::kTlc);
  std::map<uint32_t, uint32_t> expected;
  for (int i = 0; i < 50'000; ++i) {
    const Lpn lpn(static_cast<uint32_t>(rng.below(kUser)));
    const auto n = static_cast<uint32_t>(1 + rng.below(std::min(kUser - lpn.value(), 40u)));
    const uint64_t what = rng.below(10);
    if (what < 5) {
      // A run lies within one superblock.
      const Ppn ppn(static_cast<uint32_t>(rng.below(slots)));
      const SuperblockId sb = table.layout().superblock_of(ppn);
      if (table.layout().superblock_of(ppn.plus(n - 1)) != sb) continue;
      map.update(lpn, ppn, n);
      for (uint32_t k = 0; k < n; ++k) expected[lpn.value() + k] = ppn.value() + k;
    } else if (what < 7) {
      uint32_t mapped = 0;
      for (uint32_t k = 0; k < n; ++k)
        mapped += static_cast<uint32_t>(expected.erase(lpn.value() + k));
      REQUIRE(map.unmap(lpn, n) == mapped);
    } else {
      const auto it = expected.find(lpn.value());
      const bool right = it != expected.end() && rng.chance(3, 4);
      const Ppn from(right ? it->second : static_cast<uint32_t>(rng.below(slots)));
      const Ppn to(static_cast<uint32_t>(rng.below(slots)));
      const bool moves = it != expected.end() && it->second == from.value();
      REQUIRE(map.is_current(lpn.value(), from) == moves);
      REQUIRE(map.move(lpn, from, to) == moves);
      if (moves) it->second = to.value();
    }
    REQUIRE(map.mapped() == expected.size());
    const Lpn probe(static_cast<uint32_t>(rng.below(kUser)));
    const MapRun run = map.lookup(probe, kUser - probe.value());
    for (uint32_t k = 0; k < run.n; ++k) {
      const auto it = expected.find(probe.value() + k);
      REQUIRE((it != expected.end()) == run.ppn.valid());
      if (run.ppn.valid()) REQUIRE(it->second == run.ppn.value() + k);
    }
    if (i % 100 != 0) continue;
    std::vector<uint32_t> valid(8, 0);
    for (const auto& [l, p] : expected) ++valid[table.layout().superblock_of(Ppn(p)).value()];
    for (uint32_t s = 0; s < 8; ++s) REQUIRE(table.valid(SuperblockId(s)) == valid[s]);
    REQUIRE(table.valid_total(CellMode::kTlc) == expected.size());
  }
  CHECK(sink.dead.empty());  // none of them was closed
}

TEST_CASE("random streams depend on seed and name alone") {
  std::vector<uint64_t> alone;
  Rng a(7, "p41/nand/die3");
  for (int i = 0; i < 100; ++i) alone.push_back(a.next());
  Rng other(7, "p41/nand/die4");
  other.next();
  Rng again(7, "p41/nand/die3");
  std::set<uint64_t> seen(alone.begin(), alone.end());
  for (const uint64_t v : alone) {
    CHECK(again.next() == v);
    CHECK(seen.count(other.next()) == 0);
  }
  Rng seeded(8, "p41/nand/die3");
  CHECK(seeded.next() != alone.front());
}

}  // namespace ftlsim
