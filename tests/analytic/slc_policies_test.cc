// What the SLC policies do to a drive, against counts that follow from geometry and load alone.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"
#include "tests/support/token_host.h"

namespace ftlsim::test {
namespace {

// 4 dies, 128 superblocks of 1,536 slots (512 in SLC mode); a third of it is spare.
DriveConfig drive(std::vector<std::string> keys) {
  DriveConfig c = tiny_drive();
  c.nand.geometry.dies_per_channel = 2;
  c.nand.geometry.blocks_per_plane = 128;
  // Blocks are short here: with usual erase times erases would dominate both modes.
  c.nand.timing.erase = c.nand.timing.erase_slc = Duration::us(200);
  c.buffer.size = Bytes::kib(512);
  use_slc(c);
  c.slc.fold.idle_delay = Duration::ms(5);
  set_keys(c, std::move(keys));
  const uint64_t superblock = superblock_bytes(c).count() / kSlotBytes;
  c.capacity = Bytes(85 * superblock * kSlotBytes);
  REQUIRE(problems(c, 1) == "");
  return c;
}

// A drive with a closed-loop host of eight commands.
struct Rig {
  explicit Rig(const DriveConfig& c)
      : config(c), sim(1), device(sim, config, "drive"), host(sim, device.host(), 8) {}
  const Firmware& firmware() const { return device.firmware(); }
  const FtlStats& stats() const { return firmware().stats(); }
  uint64_t host_slc() const { return stats().programmed[static_cast<size_t>(Cause::kHost)][0]; }
  uint64_t host_tlc() const { return stats().programmed[static_cast<size_t>(Cause::kHost)][1]; }
  void rest(Duration d = Duration::s(30)) { sim.run_until(sim.now() + d); }
  int64_t bus_ns() const {
    int64_t sum = 0;
    for (uint16_t c = 0; c < config.nand.geometry.channels; ++c)
      sum += firmware().flash().channel_busy_ns(ChannelId(c));
    return sum;
  }

  DriveConfig config;
  Simulator sim;
  Device device;
  LoadHost host;
};

// Units accepted before the cache is full for the next time.
uint64_t segment(Rig& rig, AccessSource& source) {
  const uint64_t exhaustions = rig.stats().slc_exhaustions;
  const uint64_t before = rig.stats().host_write_slots;
  while (rig.stats().slc_exhaustions == exhaustions) {
    rig.host.run(source, 1);
    REQUIRE(rig.stats().host_write_slots - before < 120'000);
  }
  return rig.stats().host_write_slots - before;
}

// Part sequential in commands of 8 units, part single units at random elsewhere.
class MixedSource final : public AccessSource {
 public:
  MixedSource(uint32_t half, uint64_t seed) : half_(half), rng_(seed, "test/mixed") {}
  Access next() override {
    if (rng_.chance(1, 2)) {
      const Access a{Opcode::kWrite, at_, 8};
      at_ = at_ + 16 > half_ ? 0 : at_ + 8;
      sequential += 8;
      return a;
    }
    ++random;
    return {Opcode::kWrite, half_ + static_cast<uint32_t>(rng_.below(half_)), 1};
  }
  uint64_t sequential = 0;
  uint64_t random = 0;

 private:
  uint32_t half_;
  uint32_t at_ = 0;
  Rng rng_;
};

}  // namespace

TEST_CASE("a bigger cache moves the cliff by as many bytes") {
  uint64_t before = 0;
  uint64_t size_before = 0;
  for (const uint64_t size : {1'000u, 2'000u, 4'500u}) {
    CAPTURE(size);
    Rig rig(drive({"slc.mode=static", fmt::format("slc.static.size={}B", size * kSlotBytes)}));
    SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
    rig.rest(Duration::ms(10));
    const Time begin = rig.sim.now();
    rig.host.run(writes, size / 16);
    const Duration fast = rig.host.last_completion() - begin;
    const uint64_t cliff = size / 16 * 8 + segment(rig, writes);
    // The last command is the one that no longer fits.
    CHECK(cliff >= size);
    CHECK(cliff <= size + 8);
    if (before != 0)
      CHECK(std::abs(static_cast<int64_t>(cliff - before) -
                     static_cast<int64_t>(size - size_before)) <= 8);
    before = cliff;
    size_before = size;
    // It is a cliff: a program of three times the data takes six times as long, the rest of the way
    // the same time.
    const Time middle = rig.sim.now();
    rig.host.run(writes, size / 16);
    const Duration slow = rig.host.last_completion() - middle;
    CHECK(slow.to_ns() > fast.to_ns() * 5 / 4);
  }
}

TEST_CASE("a static cache is as large on a full drive, a hybrid one adds the curve") {
  const uint64_t fixed = 1'500;
  for (const std::string mode : {"static", "hybrid"}) {
    CAPTURE(mode);
    Rig rig(drive({"slc.mode=" + mode, fmt::format("slc.static.size={}B", fixed * kSlotBytes),
                   fmt::format("slc.hybrid.static={}B", fixed * kSlotBytes),
                   "slc.limit[1].limit=200MB"}));
    SequentialSource fill(Opcode::kWrite, rig.config.user_slots(), 8);
    rig.host.run(fill, rig.config.user_slots() / 8);
    RandomSource writes(Opcode::kWrite, rig.config.user_slots(), 8, Rng(1, "test/static"));
    rig.host.run(writes, rig.config.user_slots() / 4);
    rig.rest();
    const SuperblockTable& table = rig.firmware().superblocks();
    CHECK(rig.firmware().map().mapped() == rig.config.user_slots());
    CHECK(rig.firmware().slc().used_slots() == 0);
    const uint64_t gone = table.capacity_holding(CellMode::kTlc) +
                          space_budget(rig.config, rig.firmware().media()).reserved_slots;
    const uint64_t unused = table.capacity() - gone;
    uint64_t expected = fixed;
    if (mode == "hybrid") expected += LimitCurve(rig.config.slc.limit).at(unused - 3 * fixed);
    CHECK(unused >= 3 * fixed);
    const uint64_t limit = rig.firmware().slc().limit_slots();
    CHECK(limit == expected);
    // And it is really there: a burst of that size goes to SLC whole.
    const uint64_t tlc = rig.host_tlc();
    const uint64_t first = segment(rig, writes);
    CHECK(first >= limit);
    CHECK(first <= limit + 8);
    CHECK(rig.host_tlc() - tlc <= 8 * 8);
  }
}

TEST_CASE("full_drive takes bits-per-cell times less than all that is free") {
  Rig rig(drive({"slc.mode=full_drive"}));
  SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
  rig.rest(Duration::ms(10));
  const SuperblockTable& table = rig.firmware().superblocks();
  const uint64_t unused =
      table.capacity() - space_budget(rig.config, rig.firmware().media()).reserved_slots;
  const uint64_t limit = unused / 3 - table.layout().stripe_slots(CellMode::kSlc);
  const uint64_t cliff = segment(rig, writes);
  CHECK(cliff >= limit);
  CHECK(cliff <= limit + 8);
}

TEST_CASE("routes keep out of the cache what they say") {
  // Small commands and random commands are the same ones here.
  for (const std::string route : {"all", "small", "random"}) {
    CAPTURE(route);
    Rig rig(drive({"slc.route=" + route, "slc.small.size=4KiB"}));
    MixedSource source(20'000, 1);
    rig.host.run(source, 2'000);
    rig.rest();
    REQUIRE(rig.stats().slc_exhaustions == 0);
    const uint64_t slc = rig.host_slc() + rig.stats().coalesced_slots;
    if (route == "all") {
      CHECK(slc == source.sequential + source.random);
      CHECK(rig.stats().routed_past_slots == 0);
      continue;
    }
    // A random route lets the first command of the stream in, and mistakes few random ones.
    const uint64_t tolerance = route == "small" ? 0 : source.random / 50 + 8;
    CHECK(rig.stats().routed_past_slots >= source.sequential - (route == "small" ? 0 : 8));
    CHECK(rig.stats().routed_past_slots <= source.sequential + tolerance);
    CHECK(slc + rig.stats().routed_past_slots == source.sequential + source.random);
  }
  Rig rig(drive({"slc.route=sequential_bypass", "slc.sequential_bypass.length=1MiB"}));
  SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
  rig.host.run(writes, 500);
  rig.rest();
  CHECK(rig.host_slc() == 256);
  CHECK(rig.host_tlc() == 4'000 - 256);
}

TEST_CASE("a hot route keeps cold data out") {
  Rig rig(drive({"slc.route=hot", "write.heat=two_level", "write.streams=shared"}));
  SequentialSource fill(Opcode::kWrite, 40'000, 8);
  rig.host.run(fill, 5'000);
  CHECK(rig.stats().routed_past_slots == 40'000);
  RandomSource hot(Opcode::kWrite, 1'000, 8, Rng(1, "test/hot"));
  rig.host.run(hot, 3'000);
  // 63 regions of 64 KiB have more than twice the writes of the others after some 300 commands.
  CHECK(rig.stats().routed_past_slots < 40'000 + 3'000 * 8 / 5);
}

TEST_CASE("on-chip folding uses no bus, through the controller it crosses it twice") {
  for (const std::string path : {"controller", "on_chip"}) {
    CAPTURE(path);
    Rig rig(drive({"slc.fold.path=" + path}));
    SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
    const uint32_t stripes = 48 * rig.firmware().media().layout().stripe_slots(CellMode::kSlc);
    rig.host.run(writes, stripes / 8);
    rig.rest(Duration::ms(4));  // programs end, the drive is not idle yet
    REQUIRE(rig.firmware().quiescent());
    const int64_t before = rig.bus_ns();
    rig.rest();
    REQUIRE(rig.firmware().slc().used_slots() == 0);
    CHECK(rig.stats().programmed_by(Cause::kFold) == stripes);
    CHECK(rig.stats().copy_retries == 0);
    const Layout& layout = rig.firmware().media().layout();
    const uint32_t chunks = stripes / layout.chunk_slots();
    const int64_t crossing =
        rig.firmware().flash().transfer_time(layout.chunk_slots()).to_ns() * chunks +
        rig.firmware().flash().transfer_time(layout.unit_slots(CellMode::kTlc)).to_ns() * chunks /
            3;
    CHECK(rig.bus_ns() - before == (path == "on_chip" ? 0 : crossing));
    CHECK(rig.stats().copied_on_chip_slots == (path == "on_chip" ? stripes : 0));
  }
}

TEST_CASE("on-chip folding keeps the content of chunks that are partly dead") {
  DriveConfig c = drive({"slc.fold.path=on_chip", "nand.geometry.factory_bad_blocks=3%"});
  Simulator sim(3);
  Device device(sim, c, "drive", true);
  TokenHost host(sim, device, 8, 500);
  Rng rng(1, "test/copies");
  for (int round = 0; round < 10; ++round) {
    for (uint32_t unit = 0; unit < 3'000; unit += 16) host.write(unit, 16);
    for (int i = 0; i < 60; ++i) host.write(static_cast<uint32_t>(rng.below(3'000)));
    sim.run_until(sim.now() + Duration::s(1));
  }
  const FtlStats& s = device.firmware().stats();
  CHECK(s.copied_on_chip_slots > s.programmed_by(Cause::kFold) / 2);
  CHECK(s.copied_on_chip_slots < s.programmed_by(Cause::kFold));
  host.verify_all();
  host.check_now();
}

TEST_CASE("what is kept for reads is read from SLC, and faster") {
  Duration took[2];
  for (const bool keep : {false, true}) {
    CAPTURE(keep);
    const uint32_t kept = 2'000;
    Rig rig(drive({keep ? "slc.keep=keep_newest" : "slc.keep=nothing",
                   fmt::format("slc.keep_newest.size={}B", 3'000 * kSlotBytes)}));
    SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
    rig.host.run(writes, 8'000 / 8);
    rig.rest();
    const uint64_t used = rig.firmware().slc().used_slots();
    if (keep) {
      // At most one superblock less than allowed: folding goes by superblocks.
      CHECK(used <= 3'000);
      CHECK(used >= 3'000 - 512);
    } else {
      CHECK(used == 0);
    }
    const Time begin = rig.sim.now();
    for (uint32_t unit = 8'000 - kept; unit < 8'000; ++unit) {
      struct At final : AccessSource {
        explicit At(uint32_t u) : unit(u) {}
        Access next() override { return {Opcode::kRead, unit, 1}; }
        uint32_t unit;
      } at(unit);
      rig.host.run(at, 1);
    }
    took[keep ? 1 : 0] = rig.host.last_completion() - begin;
    CHECK(rig.stats().flash_read_slots == kept);
    CHECK(rig.stats().slc_read_slots == (keep ? kept : 0));
  }
  // Of one 4 KiB read only the sense differs.
  const TimingConfig t = tiny_drive().nand.timing;
  const int64_t saved = (t.read_slot - t.read_slc).to_ns();
  CHECK(std::abs((took[0] - took[1]).to_ns() - saved * 2'000) < saved * 20);
}

TEST_CASE("hot data stay: a superblock that is read survives idle times") {
  Rig rig(drive({"slc.keep=keep_hot", fmt::format("slc.keep_hot.size={}B", 512 * kSlotBytes)}));
  SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
  rig.host.run(writes, 2'048 / 8);
  RandomSource reads(Opcode::kRead, 256, 1, Rng(1, "test/hot"));  // the first superblock
  rig.host.run(reads, 500);
  rig.rest();
  CHECK(rig.firmware().slc().used_slots() == 512);
  const uint64_t before = rig.stats().slc_read_slots;
  rig.host.run(reads, 500);
  CHECK(rig.stats().slc_read_slots == before + 500);
}

TEST_CASE("partly dead SLC superblocks come back after a TRIM when they may") {
  for (const bool reclaim : {false, true}) {
    CAPTURE(reclaim);
    Rig rig(drive({reclaim ? "slc.release=nearly_dead" : "slc.release=dead",
                   "slc.nearly_dead.valid=30%", "slc.fold.trigger=foreground"}));
    SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
    rig.host.run(writes, 2'560 / 8);
    rig.rest(Duration::ms(100));
    // Three quarters of every 256 slots, so of each superblock; single commands of at most 32
    // units.
    struct Trim final : AccessSource {
      Access next() override {
        const Access a{Opcode::kDeallocate, at, 32};
        at += at % 256 == 160 ? 96 : 32;
        return a;
      }
      uint32_t at = 0;
    } trim;
    rig.host.run(trim, 60);
    CHECK(rig.stats().trimmed_slots == 60 * 32);
    rig.rest(Duration::s(1));
    CHECK(rig.firmware().slc().used_slots() == (reclaim ? 0 : 2'560));
    CHECK(rig.stats().programmed_by(Cause::kFold) == (reclaim ? 640 : 0));
  }
}

TEST_CASE("a fold-through host waits for reads, not for the release of whole superblocks") {
  // The cache may have half of what the medium allows, so that room is lent while folding runs.
  DriveConfig c = drive({"slc.at_exhaustion=fold_through", "slc.mode=static",
                         fmt::format("slc.static.size={}B", 2'000 * kSlotBytes)});
  Rig rig(c);
  rig.rest(Duration::ms(10));
  SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
  rig.host.run(writes, 16'000 / 8);
  REQUIRE(rig.stats().programmed_by(Cause::kFold) > 4'000);
  REQUIRE(rig.host_tlc() == 0);
  // The slowest batch of 64 units, against the mean time of a superblock of 512.
  Duration longest;
  const Time begin = rig.host.last_completion();
  Time last = begin;
  for (uint32_t i = 0; i < 10 * 512 / 64; ++i) {
    rig.host.run(writes, 64 / 8);
    longest = std::max(longest, rig.host.last_completion() - last);
    last = rig.host.last_completion();
  }
  const Duration superblock = (last - begin) / 10;
  CAPTURE(longest.to_ns());
  CAPTURE(superblock.to_ns());
  MESSAGE("slowest eighth: " << longest.to_ns() << " ns, a superblock " << superblock.to_ns());
  CHECK(longest * 8 < superblock * 3);
}

TEST_CASE("triggers: who folds when") {
  const auto folded = [](const std::string& trigger, Duration pause, uint64_t rate) {
    Rig rig(drive({"slc.mode=static", fmt::format("slc.static.size={}B", 4'000 * kSlotBytes),
                   "slc.fold.trigger=" + trigger, "slc.fold.watermarks.low=25%",
                   "slc.fold.watermarks.high=50%",
                   fmt::format("slc.fold.background_rate={}MB/s", rate)}));
    rig.rest(Duration::ms(10));
    SequentialSource writes(Opcode::kWrite, rig.config.user_slots(), 8);
    const Time begin = rig.sim.now();
    for (uint32_t i = 0; i < 3'000 / 8; ++i) {
      rig.host.run(writes, 1);
      rig.rest(pause);
    }
    REQUIRE(rig.stats().slc_exhaustions == 0);
    const uint64_t slots = rig.stats().programmed_by(Cause::kFold);
    // The rate binds while the host is busy: in the time of the run, and 50 us ahead.
    const auto ns = static_cast<uint64_t>((rig.sim.now() - begin).to_ns());
    if (pause < Duration::ms(5)) CHECK(slots * kSlotBytes <= rate * ns / 1'000 + 65'536);
    return slots;
  };
  const Duration busy = Duration::us(500);  // less than the idle delay
  CHECK(folded("idle", busy, 100) == 0);
  CHECK(folded("foreground", busy, 100) == 0);
  CHECK(folded("background", busy, 100) > 2'000);
  CHECK(folded("background", busy, 5) > 100);
  // It begins when 2,000 are used and goes on until 1,000 are.
  CHECK(folded("watermarks", busy, 100) > 500);
  CHECK(folded("watermarks", busy, 100) < 2'200);
  CHECK(folded("idle", Duration::ms(20), 100) > 2'000);
}

}  // namespace ftlsim::test
