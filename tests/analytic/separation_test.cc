// What policies gain on a skewed load: separation by heat, cost-benefit, static wear levelling; and
// the duty of idle collection. Nine tenths of the writes go to a tenth of the units.
#include <doctest/doctest.h>

#include <string>

#include "ftl/check.h"
#include "tests/support/load_host.h"
#include "tests/support/policy_text.h"
#include "tests/support/sanitized.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// Superblocks of 64 slots on one die.
DriveConfig skewed_drive(uint32_t superblocks, double spare) {
  DriveConfig c = tiny_drive();
  GeometryConfig& g = c.nand.geometry;
  g.channels = g.dies_per_channel = 1;
  g.planes = 1;
  g.bits_per_cell = 4;
  g.word_lines = 4;
  g.strings = 1;
  g.blocks_per_plane = superblocks;
  c.queues.count = 1;
  c.queues.mdts = Bytes::kib(64);
  c.buffer.size = Bytes::mib(1);
  c.buffer.relocation_size = Bytes::kib(512);
  c.buffer.idle_flush = Duration::s(1);
  c.space.meta_superblocks = 0;
  c.gc.low_watermark = 8;
  c.gc.high_watermark = 10;
  c.capacity = Bytes(static_cast<uint64_t>((superblocks - 20) / (1 + spare)) * 64 * kSlotBytes);
  return c;
}

// `hot` of 100 writes go to the first `span` of 100 parts of the units, the others anywhere.
class Skewed final : public AccessSource {
 public:
  Skewed(uint32_t user, uint32_t hot, uint32_t span)
      : user_(user), hot_(hot), span_(span), rng_(1, "test/skewed") {}
  Access next() override {
    const uint64_t most = rng_.below(100) < hot_ ? uint64_t{user_} * span_ / 100 : user_;
    return {Opcode::kWrite, static_cast<uint32_t>(rng_.below(most)), 1};
  }

 private:
  uint32_t user_;
  uint32_t hot_;
  uint32_t span_;
  Rng rng_;
};

// Write amplification of two drive writes after a fill and six more.
double skewed_waf(const DriveConfig& c) {
  const std::string refused = problems(c, 1);
  CAPTURE(refused);
  REQUIRE(refused.empty());
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 8);
  const uint32_t user = c.user_slots();
  SequentialSource fill(Opcode::kWrite, user, 16);
  host.run(fill, user / 16);
  Skewed source(user, 90, 10);
  host.run(source, (kSanitized ? 3ull : 6ull) * user);
  const FtlStats before = device.firmware().stats();
  host.run(source, 2ull * user);
  const FtlStats& after = device.firmware().stats();
  CHECK(check_invariants(device.firmware()).empty());
  return static_cast<double>(after.programmed_total() - before.programmed_total()) /
         static_cast<double>(after.host_write_slots - before.host_write_slots);
}

struct Spread {
  uint64_t least;
  uint64_t most;
  uint64_t gap() const { return most - least; }
};

// Half of the drive is written once, the rest over and over: cycles of the superblocks afterwards.
Spread wear_after(DriveConfig c, uint32_t drive_writes, uint64_t* copies) {
  REQUIRE(problems(c, 1).empty());
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 8);
  const uint32_t user = c.user_slots();
  SequentialSource fill(Opcode::kWrite, user, 16);
  host.run(fill, user / 16);
  Skewed half(user, 100, 50);
  host.run(half, uint64_t{drive_writes} * user);
  CHECK(check_invariants(device.firmware()).empty());
  *copies = device.firmware().stats().programmed_by(Cause::kWear);
  const EraseSpread spread =
      erase_spread(device.media(), device.media().superblocks(), CellMode::kTlc);
  return {spread.least / 100, spread.most / 100};
}

}  // namespace

// Greedy levels the valid shares of all superblocks, hot or cold, so that with it separation alone
// gains little: each class then has the write amplification of a uniform load with the same spare
// (Desnoyers 2012). Cost-benefit lets cold superblocks get fuller, which gives the spare to the
// hot.
TEST_CASE("separation by heat lowers write amplification on a 90/10 load") {
  for (const char* victim : {"greedy", "cost_benefit"}) {
    DriveConfig c = skewed_drive(kSanitized ? 520 : 1040, 0.12);
    set_keys(c.gc, std::string("victim: ") + victim);
    const double none = skewed_waf(c);
    set_keys(c.write, "{heat: two_level, two_level: {region: 16KiB}}");
    const double host_only = skewed_waf(c);
    c.gc.streams = StreamSplit::kByHeat;
    const double two = skewed_waf(c);
    set_keys(c.write, "{heat: multi_level, multi_level: {region: 16KiB, levels: 3}}");
    const double three = skewed_waf(c);
    MESSAGE(std::string(victim) << ", write amplification: together " << none
                                << ", host streams apart " << host_only << ", collection too "
                                << two << ", three levels " << three);
    CHECK(two < none);
    CHECK(three < none);
  }
}

// Rosenblum and Ousterhout (1992) introduce cost-benefit for such loads: cold superblocks are worth
// cleaning while they are fuller than hot ones.
TEST_CASE("cost-benefit beats greedy on a 90/10 load") {
  DriveConfig c = skewed_drive(kSanitized ? 520 : 1040, 0.12);
  const double greedy = skewed_waf(c);
  set_keys(c.gc, "victim: cost_benefit");
  const double cost_benefit = skewed_waf(c);
  MESSAGE("write amplification: greedy " << greedy << ", cost-benefit " << cost_benefit);
  CHECK(cost_benefit < greedy);
}

TEST_CASE("static wear levelling bounds the gap of erase cycles") {
  DriveConfig c = skewed_drive(200, 0.28);
  const uint32_t drive_writes = kSanitized ? 20 : 40;
  uint64_t copies = 0;
  const Spread plain = wear_after(c, drive_writes, &copies);
  CHECK(copies == 0);
  c.wear.dynamic = true;
  const Spread dynamic = wear_after(c, drive_writes, &copies);
  CHECK(copies == 0);
  // Cold data keep their superblocks young, whatever free one is taken.
  CHECK(plain.least <= 1);
  CHECK(dynamic.least <= 1);
  for (const uint32_t gap : {5u, 10u}) {
    CAPTURE(gap);
    c.wear.level = true;
    c.wear.gap = gap;
    c.wear.rate = 0;
    const Spread leveled = wear_after(c, drive_writes, &copies);
    MESSAGE("cycles: plain " << plain.least << " to " << plain.most << ", dynamic " << dynamic.least
                             << " to " << dynamic.most << ", gap of " << gap << " " << leveled.least
                             << " to " << leveled.most << ", " << copies << " copies");
    CHECK(plain.gap() > 3 * gap);
    CHECK(dynamic.gap() > 3 * gap);
    // The most worn superblocks do not wait while the young ones are emptied one by one.
    CHECK(leveled.gap() <= 2 * gap);
    CHECK(copies > 0);
  }
}

// Two drives that differ in gc.idle_duty alone: the same work in an inverse proportion of time.
TEST_CASE("idle collection keeps to its duty") {
  Duration taken[2];
  const double duties[2] = {1.0, 0.25};
  for (int i = 0; i < 2; ++i) {
    DriveConfig c = skewed_drive(400, 0.28);
    c.nand.timing.erase = Duration::us(100);  // erases run in the rest after a step
    c.gc.idle_target = 0.15;
    c.gc.idle_duty = duties[i];
    REQUIRE(problems(c, 1).empty());
    Simulator sim(1);
    Device device(sim, c, "drive");
    LoadHost host(sim, device.host(), 8);
    const uint32_t user = c.user_slots();
    SequentialSource fill(Opcode::kWrite, user, 16);
    host.run(fill, user / 16);
    RandomSource random(Opcode::kWrite, user, 1, Rng(1, "test/duty"));
    host.run(random, 2ull * user);
    const Time start = sim.now();
    const SpaceManager& space = device.firmware().space();
    while (space.free_count() < 60 && sim.now() < start + Duration::s(1000))
      sim.run_until(sim.now() + Duration::ms(1));
    CHECK(space.free_count() >= 60);
    taken[i] = sim.now() - start - c.slc.fold.idle_delay;
  }
  const double ratio =
      static_cast<double>(taken[1].to_ns()) / static_cast<double>(taken[0].to_ns());
  CAPTURE(ratio);
  MESSAGE("time to the idle target: " << taken[0].to_ns() << " ns, at a quarter of the duty "
                                      << taken[1].to_ns() << " ns");
  CHECK(ratio > 3.0);
  CHECK(ratio < 5.0);
}

}  // namespace ftlsim::test
