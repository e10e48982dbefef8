// When folding runs, what stays in the cache, and which superblock is folded: decisions on
// hand-made states.
#include <doctest/doctest.h>

#include "ftl/space/space_manager.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

std::unique_ptr<FoldTrigger> trigger(std::string_view name, std::vector<std::string> keys = {}) {
  DriveConfig c = tiny_drive();
  c.slc.fold.trigger.select(name);
  set_keys(c, keys);
  return c.slc.fold.trigger.make({});
}

FoldState state(uint64_t used, bool idle, bool exhausted = false, uint64_t kept = 0) {
  return {used, 1'000, kept, idle, exhausted};
}

// A drive of ten superblocks whose content the test invents.
struct Parts {
  Parts() : media(geometry(), 1), table(media), space(table, 1, stats, 0) {}
  static GeometryConfig geometry() {
    GeometryConfig g;
    g.channels = g.dies_per_channel = 1;
    g.planes = 2;
    g.blocks_per_plane = 10;
    g.word_lines = 4;
    g.strings = 1;
    g.factory_bad_blocks = 0;
    return g;
  }
  SuperblockId closed(uint32_t valid) {
    const SuperblockId sb = space.take(true);
    table.open(sb, Stream::kHostSlc, CellMode::kSlc);
    table.add_written(sb, table.usable(sb, CellMode::kSlc));
    table.add_valid(table.layout().first_ppn(sb), table.usable(sb, CellMode::kSlc));
    table.set_state(sb, SuperblockState::kFilled);
    table.set_state(sb, SuperblockState::kClosed);
    kill(sb, table.usable(sb, CellMode::kSlc) - valid);
    return sb;
  }
  void kill(SuperblockId sb, uint32_t n) { table.remove_valid(table.layout().first_ppn(sb), n); }
  SuperblockId victim(std::string_view name) const {
    return PolicyChoice<VictimFamily>(fold_victims(), name)
        .make({table})
        ->choose({true, false, Time()});
  }

  Media media;
  SuperblockTable table;
  FtlStats stats;
  SpaceManager space;
};

}  // namespace

TEST_CASE("slc.fold.trigger: idle, background and foreground") {
  CHECK(trigger("idle")->wants(state(10, true)));
  CHECK_FALSE(trigger("idle")->wants(state(1'000, false, true)));
  CHECK_FALSE(trigger("idle")->wants(state(10, true, false, 10)));
  CHECK_FALSE(trigger("idle")->beside_host());
  CHECK(trigger("background")->wants(state(10, false)));
  CHECK(trigger("background")->wants(state(10, true)));
  CHECK_FALSE(trigger("background")->wants(state(10, false, false, 10)));
  CHECK(trigger("foreground")->wants(state(10, false, true)));
  CHECK_FALSE(trigger("foreground")->wants(state(999, true, false)));
}

TEST_CASE("slc.fold.trigger: watermarks begin at the high one and end at the low one") {
  const auto t =
      trigger("watermarks", {"slc.fold.watermarks.low=30%", "slc.fold.watermarks.high=60%"});
  CHECK_FALSE(t->wants(state(599, false)));
  CHECK(t->wants(state(600, false)));
  CHECK(t->wants(state(301, false)));
  CHECK_FALSE(t->wants(state(300, true)));
  CHECK_FALSE(t->wants(state(599, true)));
  CHECK(t->wants(state(600, false)));
  CHECK_FALSE(t->wants(state(600, false, false, 700)));  // all of it may stay
  CHECK(t->wants(state(700, false)));
  t->reset();
  CHECK_FALSE(t->wants(state(599, false)));
}

TEST_CASE("slc.keep: newest folds the oldest, hot the one that is read least") {
  Parts p;
  const SuperblockId a = p.closed(20);
  const SuperblockId b = p.closed(20);
  const SuperblockId c = p.closed(20);
  DriveConfig config = tiny_drive();
  CHECK(config.slc.keep.make({p.table})->slots() == 0);
  config.slc.keep.select("keep_newest");
  set_keys(config, {"slc.keep_newest.size=40KiB", "slc.keep_hot.size=80KiB"});
  const auto newest = config.slc.keep.make({p.table});
  CHECK(newest->slots() == 10);
  CHECK(newest->victim() == a);
  config.slc.keep.select("keep_hot");
  const auto hot = config.slc.keep.make({p.table});
  CHECK(hot->slots() == 20);
  CHECK(hot->victim() == a);  // no reads: the oldest
  p.table.at(a).host_reads = 100;
  p.table.at(c).host_reads = 10;
  CHECK(hot->victim() == b);
  hot->idle_begins();
  // Heat halves with every idle time: 50 + 0 and 0 + 60 against 5 + 40.
  p.table.at(b).host_reads = 60;
  p.table.at(c).host_reads = 50;
  CHECK(hot->victim() == c);
  // A new life of a superblock has no heat of the one before.
  hot->idle_begins();
  p.kill(a, 20);
  p.space.superblock_dead(a);
  p.table.open(a, Stream::kHostSlc, CellMode::kSlc);
  p.table.add_written(a, 5);
  p.table.set_state(a, SuperblockState::kFilled);
  p.table.set_state(a, SuperblockState::kClosed);
  CHECK(hot->victim() == a);
}

TEST_CASE("slc.fold.victim: oldest data and coldest") {
  Parts p;
  const uint32_t size = p.table.usable(SuperblockId(0), CellMode::kSlc);
  REQUIRE(size == 32);
  const SuperblockId a = p.closed(size);
  const SuperblockId b = p.closed(size);
  const SuperblockId c = p.closed(size);
  CHECK(p.victim("fifo") == a);
  CHECK(p.victim("oldest_data") == a);
  CHECK(p.victim("coldest") == a);
  p.kill(a, 2);  // 2 dead in 3 openings: 2 / 3
  CHECK(p.victim("oldest_data") == b);
  CHECK(p.victim("coldest") == b);
  p.kill(b, 1);  // 1 / 2
  p.kill(c, 1);  // 1 / 1
  CHECK(p.victim("coldest") == b);
  CHECK(p.victim("greedy") == a);
  p.closed(size - 8);
  p.kill(a, 1);
  // a changed last, b and c before the fourth was opened.
  CHECK(p.victim("oldest_data") == b);
  CHECK(p.victim("coldest") == b);  // 3 / 4, 1 / 3, 1 / 2, 8 / 1
}

}  // namespace ftlsim::test
