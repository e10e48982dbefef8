// Wear: counts from the medium, which free superblock is taken, and what static levelling asks for.
#include <doctest/doctest.h>

#include <vector>

#include "ftl/space/space_manager.h"
#include "ftl/wear/wear_leveler.h"
#include "tests/support/closed_superblocks.h"

namespace ftlsim::test {
namespace {

// Erases a superblock so often, as one that was used in this mode.
void wear_out(Media& media, SuperblockId sb, CellMode mode, uint32_t cycles) {
  const CellMode before = media.die_block(sb, DieId(0)).mode;
  for (uint32_t i = 0; i < cycles; ++i) {
    media.begin_erase(sb, DieId(0));
    media.end_erase(sb, DieId(0), mode);
  }
  // The first of them counted for the mode before.
  if (before != mode && cycles != 0) {
    media.begin_erase(sb, DieId(0));
    media.end_erase(sb, DieId(0), mode);
  }
}

class Recorder final : public RelocationService {
 public:
  bool request(const RelocationRequest& request) override {
    requests.push_back(request);
    return accepts;
  }
  std::vector<RelocationRequest> requests;
  bool accepts = true;
};

WearConfig leveling(uint32_t gap) {
  WearConfig c;
  c.level = true;
  c.gap = gap;
  c.rate = 123'000'000;
  return c;
}

}  // namespace

TEST_CASE("wear is the mean over the blocks, an SLC cycle counts for less") {
  ClosedSuperblocks p(4);
  const SuperblockId sb(1);
  wear_out(p.media, sb, CellMode::kTlc, 7);
  wear_out(p.media, sb, CellMode::kSlc, 20);  // and one in TLC mode before them
  CHECK(p.media.good_blocks(sb) == 2);
  CHECK(p.media.block_erases(sb, CellMode::kTlc) == 2 * 8);
  CHECK(p.media.block_erases(sb, CellMode::kSlc) == 2 * 20);
  for (uint32_t plane = 0; plane < 2; ++plane) {
    const BlockId block = p.media.block(sb, DieId(0), plane);
    CHECK(p.media.erase_count(block, CellMode::kTlc) == 8);
    CHECK(p.media.erase_count(block, CellMode::kSlc) == 20);
  }
  WearConfig config;
  config.slc_weight = 0.25;
  CHECK(WearTable(config, p.media).of(sb) == (8 + 20 / 4) * WearTable::kCycle);
  const EraseSpread spread = erase_spread(p.media, 4, CellMode::kTlc);
  CHECK(spread.least == 0);
  CHECK(spread.most == 800);
  CHECK(spread.mean == 200);
}

TEST_CASE("wear of superblocks with holes is that of the blocks they have") {
  GeometryConfig g = hand_made_geometry(40);
  g.planes = 4;
  g.factory_bad_blocks = 0.2;
  Media media(g, 3);
  const SuperblockId last(media.superblocks() - 1);
  REQUIRE(media.good_blocks(last) < 4);
  wear_out(media, last, CellMode::kTlc, 5);
  CHECK(WearTable(WearConfig(), media).of(last) == 5 * WearTable::kCycle);
}

TEST_CASE("order of free superblocks: release, youngest first, most worn") {
  for (const bool youngest : {false, true}) {
    ClosedSuperblocks p(6);
    FtlStats stats;
    const WearTable wear(WearConfig(), p.media);
    for (const auto& [sb, cycles] : {std::pair{0u, 3u}, {1u, 1u}, {2u, 5u}, {3u, 1u}, {4u, 5u}})
      wear_out(p.media, SuperblockId(sb), CellMode::kTlc, cycles);
    SpaceManager space(p.table, 1, stats, 0);
    space.set_wear(wear, youngest);
    CHECK(space.most_worn() == SuperblockId(2));
    CHECK(space.take(true, true) == SuperblockId(2));
    if (youngest) {
      CHECK(space.take(true) == SuperblockId(1));
      CHECK(space.take(true) == SuperblockId(3));
      CHECK(space.take(true) == SuperblockId(0));
    } else {
      // The first in line stepped into the gap that the most worn one left.
      CHECK(space.take(true) == SuperblockId(1));
      CHECK(space.take(true) == SuperblockId(0));
      CHECK(space.take(true) == SuperblockId(3));
    }
    CHECK(space.take(false) == SuperblockId(4));
    CHECK(!space.most_worn().valid());
  }
}

TEST_CASE("the youngest free superblock is passed over while it is being read") {
  ClosedSuperblocks p(4);
  FtlStats stats;
  const WearTable wear(WearConfig(), p.media);
  wear_out(p.media, SuperblockId(0), CellMode::kTlc, 2);
  wear_out(p.media, SuperblockId(1), CellMode::kTlc, 1);
  SpaceManager space(p.table, 1, stats, 0);
  space.set_wear(wear, true);
  ++p.table.at(SuperblockId(2)).readers;
  CHECK(space.take(true) == SuperblockId(1));
}

TEST_CASE("static levelling moves cold data off the superblock that lags by more than the gap") {
  for (const uint32_t lag : {9u, 10u, 11u, 30u}) {
    CAPTURE(lag);
    ClosedSuperblocks p(40);
    FtlStats stats;
    SpaceManager space(p.table, 0, stats, 0);
    for (int i = 0; i < 39; ++i) space.take(true);  // the last one stays free
    const WearConfig config = leveling(10);
    const WearTable wear(config, p.media);
    space.set_wear(wear, false);
    Recorder service;
    WearLeveler leveler(config, p.table, wear, space, service);
    const SuperblockId cold = p.close_tlc(p.full());  // wholly valid
    const SuperblockId worn = p.close_tlc(p.full());
    wear_out(p.media, worn, CellMode::kTlc, 5);
    wear_out(p.media, SuperblockId(39), CellMode::kTlc, lag);
    for (int i = 0; i < 20; ++i) p.close_tlc(3);
    leveler.update();
    CHECK(service.requests.empty());  // nothing is cold yet
    // Let the clock of openings go round once.
    for (uint32_t s = p.next - 1, i = 0; i < 40; ++i) {
      const SuperblockId sb(s);
      p.table.remove_valid(p.table.layout().first_ppn(sb), p.table.valid(sb));
      p.table.set_state(sb, SuperblockState::kFree);
      p.next = s;
      p.close_tlc(1);
    }
    leveler.update();
    if (lag <= 10) {
      CHECK(service.requests.empty());
      continue;
    }
    REQUIRE(service.requests.size() == 1);
    CHECK(service.requests[0].superblock == cold);
    CHECK(service.requests[0].cause == Cause::kWear);
    CHECK(service.requests[0].rate == config.rate);
    CHECK(!service.requests[0].urgent);
    // One at a time.
    leveler.update();
    CHECK(service.requests.size() == 1);
    p.table.remove_valid(p.table.layout().first_ppn(cold), p.full());
    p.table.set_state(cold, SuperblockState::kFree);
    leveler.update();
    // Of those that lag as much, the one opened first; not the worn one.
    REQUIRE(service.requests.size() == 2);
    CHECK(service.requests[1].superblock == SuperblockId(2));
  }
}

TEST_CASE("static levelling is off by default and asks again when it was refused") {
  ClosedSuperblocks p(3);
  FtlStats stats;
  SpaceManager space(p.table, 0, stats, 0);
  space.take(true);
  space.take(true);
  const WearTable wear(WearConfig(), p.media);
  space.set_wear(wear, false);
  wear_out(p.media, SuperblockId(2), CellMode::kTlc, 100);
  const SuperblockId cold = p.close_tlc(p.full());
  for (int i = 0; i < 3; ++i) {
    const SuperblockId sb = p.close_tlc(1);
    p.table.remove_valid(p.table.layout().first_ppn(sb), 1);
    p.table.set_state(sb, SuperblockState::kFree);
    --p.next;
  }
  Recorder service;
  WearLeveler off(WearConfig(), p.table, wear, space, service);
  off.update();
  CHECK(service.requests.empty());
  WearLeveler on(leveling(10), p.table, wear, space, service);
  service.accepts = false;
  on.update();
  on.update();
  REQUIRE(service.requests.size() == 2);
  CHECK(service.requests[1].superblock == cold);
}

}  // namespace ftlsim::test
