// The SLC segment of a sequential write is as long as the SLC limit at its start, and the physics
// of the medium hold at every sample: bits per cell x SLC + TLC <= usable - reserved.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// 4 dies, 64 superblocks of 1,536 slots; the cache may use 80 % of what is free, as real drives do.
DriveConfig slc_drive() {
  DriveConfig c = tiny_drive();
  c.nand.geometry.dies_per_channel = 2;
  c.nand.geometry.blocks_per_plane = 128;
  c.nand.geometry.word_lines = 2;
  c.buffer.size = Bytes::kib(512);
  const Bytes all = superblock_bytes(c) * c.nand.geometry.blocks_per_plane;
  c.slc.mode.select("dynamic");
  c.slc.limit = {{all / 10, Bytes(0)}, {all, all / 15 * 4}};
  c.slc.fold.idle_delay = Duration::ms(5);
  // Half of the drive is spare, so that a full one still has a cache.
  REQUIRE(fit_capacity(c, 1, superblock_bytes(c).count() / kSlotBytes * 60));
  REQUIRE(problems(c, 1).empty());
  return c;
}

// Samples the law while the simulation runs.
class PhysicsProbe final : public Event {
 public:
  PhysicsProbe(Simulator& sim, const Device& device, uint64_t reserved)
      : Event(Phase::kStatistics), sim_(sim), device_(device), reserved_(reserved) {
    sim_.schedule_in(*this, kPeriod);
  }
  void fire() override {
    const Firmware& f = device_.firmware();
    const uint64_t bits = f.config().nand.geometry.bits_per_cell;
    const uint64_t sum =
        bits * f.slc().used_slots() + f.superblocks().valid_total(CellMode::kTlc) + reserved_;
    violations += sum > f.superblocks().capacity();
    ++samples;
    sim_.schedule_in(*this, kPeriod);
  }
  uint64_t violations = 0;
  uint64_t samples = 0;

 private:
  static constexpr Duration kPeriod = Duration::us(100);
  Simulator& sim_;
  const Device& device_;
  uint64_t reserved_;
};

// Writes on until the cache is exhausted; returns the units that went to SLC.
uint64_t segment(const Device& device, LoadHost& host, AccessSource& source) {
  const FtlStats& s = device.firmware().stats();
  const uint64_t exhaustions = s.slc_exhaustions;
  const uint64_t before = s.host_write_slots;
  while (s.slc_exhaustions == exhaustions && host.completed() < 1'000'000) host.run(source, 1);
  return s.host_write_slots - before;
}

}  // namespace

TEST_CASE("the SLC segment is as long as the limit at its start") {
  const DriveConfig c = slc_drive();
  Simulator sim(1);
  Device device(sim, c, "drive");
  PhysicsProbe probe(sim, device, space_budget(c, device.media()).reserved_slots);
  LoadHost host(sim, device.host(), 8);
  SequentialSource writes(Opcode::kWrite, c.user_slots(), 8);
  const Firmware& f = device.firmware();
  const uint64_t limit = f.slc().limit_slots();
  REQUIRE(limit > 5'000);
  const uint64_t first = segment(device, host, writes);
  CAPTURE(limit);
  CAPTURE(first);
  CHECK(std::abs(static_cast<double>(first) - static_cast<double>(limit)) <
        0.02 * static_cast<double>(limit));
  // The rest of the drive, an idle time that folds everything, and the second pass.
  const uint64_t left = c.user_slots() / 8 - host.completed();
  host.run(writes, left);
  sim.run_until(sim.now() + Duration::s(60));
  CHECK(f.superblocks().written_total(CellMode::kSlc) == 0);
  const uint64_t second_limit = f.slc().limit_slots();
  CHECK(second_limit < limit);
  REQUIRE(second_limit > 1'000);
  const uint64_t second = segment(device, host, writes);
  CAPTURE(second_limit);
  CAPTURE(second);
  CHECK(std::abs(static_cast<double>(second) - static_cast<double>(second_limit)) <=
        0.05 * static_cast<double>(second_limit));
  CHECK(probe.samples > 10'000);
  CHECK(probe.violations == 0);
}

TEST_CASE("physics hold under random overwrites with idle times, in every exhaustion mode") {
  for (const char* mode : {"direct", "fold_through", "mix"}) {
    CAPTURE(mode);
    DriveConfig c = slc_drive();
    c.slc.at_exhaustion.select(mode);
    Simulator sim(2);
    Device device(sim, c, "drive");
    PhysicsProbe probe(sim, device, space_budget(c, device.media()).reserved_slots);
    LoadHost host(sim, device.host(), 8);
    RandomSource writes(Opcode::kWrite, c.user_slots(), 4, Rng(1, "test/physics"));
    for (int round = 0; round < 20; ++round) {
      host.run(writes, c.user_slots() / 40);
      sim.run_until(sim.now() + Duration::ms(50));
    }
    CHECK(probe.samples > 1'000);
    CHECK(probe.violations == 0);
  }
}

}  // namespace ftlsim::test
