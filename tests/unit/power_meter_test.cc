// Energy of a known mix of operations, computed by hand, on a drive whose every price is different.
#include "ftl/thermal/power_meter.h"

#include <doctest/doctest.h>

#include "ftl/device.h"
#include "sim/stats.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

DriveConfig priced_drive() {
  DriveConfig c = tiny_drive();
  c.nand.energy = {1'001, 503, 70'001, 9'001, 150'001, 90'001, 211, 500};
  c.power.model = PowerModel::kCounted;
  c.power.command = 1'301;
  c.power.link = 401;
  c.power.active = 1'500'000;
  c.power.idle = 300'000;
  return c;
}

uint64_t figure(const EnergyCounters& c, Consumer consumer) {
  return c.consumer[static_cast<size_t>(consumer)];
}

}  // namespace

TEST_CASE("a stripe written, a slot and a chunk read: every consumer by hand") {
  DriveConfig c = priced_drive();
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE(problems(c, 1) == "");
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 1);
  // Two dies x two planes x three pages x four slots: one word line on every die.
  SequentialSource write(Opcode::kWrite, 48, 16);
  host.run(write, 3);
  sim.run_until(sim.now() + Duration::ms(50));  // programmed, and quiet
  SequentialSource slot(Opcode::kRead, 1, 1);
  host.run(slot, 1);
  SequentialSource chunk(Opcode::kRead, 8, 8);  // both planes of the first die
  host.run(chunk, 1);
  sim.run_until(sim.now() + Duration::ns(12'345'678));
  device.settle();

  const EnergyCounters& e = device.firmware().thermal()->counters();
  CHECK(figure(e, Consumer::kCommand) == 5 * 1'301);
  CHECK(figure(e, Consumer::kLink) == (48 + 1 + 8) * 401);
  CHECK(figure(e, Consumer::kProgram) == 4 * 70'001);
  CHECK(figure(e, Consumer::kProgramSlc) == 0);
  CHECK(figure(e, Consumer::kSense) == (1 + 2) * 1'001);
  CHECK(figure(e, Consumer::kSenseSlc) == 0);
  CHECK(figure(e, Consumer::kTransfer) == (48 + 1 + 8) * 211);
  // Blocks are erased when a superblock is opened, here on both dies.
  const uint64_t erases = device.media().counters().erases[1];
  CHECK(erases > 0);
  CHECK(figure(e, Consumer::kErase) == erases * 2 * 150'001);

  const uint64_t active = e.level_ns[PowerStates::kActive];
  const uint64_t idle = e.level_ns[PowerStates::kIdle];
  CHECK(e.time_ns == static_cast<uint64_t>(sim.now().to_ns()));
  CHECK(active + idle == e.time_ns);
  CHECK(active > 2'600'000);                              // an erase and a program at least
  CHECK(figure(e, Consumer::kActive) == active * 3 / 2);  // 1.5 W: 1.5 nJ per ns
  CHECK(figure(e, Consumer::kIdle) == idle * 3 / 10);
  CHECK(figure(e, Consumer::kStandby) == e.time_ns / 1'000);  // 2 dies x 0.5 mW

  StatRegistry registry;
  device.register_stats(registry);
  CHECK(registry.check_laws().empty());
  uint64_t sum = 0;
  for (const uint64_t nj : e.consumer) sum += nj;
  CHECK(e.heat_controller + e.heat_nand == sum);
  CHECK(device.firmware().thermal()->total_nj(sim.now()) == sum);
}

TEST_CASE("operations in SLC mode have prices of their own") {
  DriveConfig c = priced_drive();
  use_slc(c);
  c.slc.fold.idle_delay = Duration::s(1);
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE(problems(c, 1) == "");
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 1);
  SequentialSource write(Opcode::kWrite, 16, 16);  // one page of both planes on both dies
  host.run(write, 1);
  sim.run_until(sim.now() + Duration::ms(50));  // before idle work begins
  device.settle();
  const EnergyCounters& e = device.firmware().thermal()->counters();
  CHECK(figure(e, Consumer::kProgramSlc) == 4 * 9'001);
  CHECK(figure(e, Consumer::kProgram) == 0);
  CHECK(figure(e, Consumer::kTransfer) == 16 * 211);
}

TEST_CASE("time and energy in power states") {
  DriveConfig c = priced_drive();
  c.power.states = {{2'000'000, true, Duration(), Duration(), Duration()},
                    {40'000, false, Duration::ms(1), Duration::ms(1), Duration::ms(100)},
                    {3'000, false, Duration::ms(2), Duration::ms(9), Duration::ms(500)}};
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE(problems(c, 1) == "");
  Simulator sim(1);
  Device device(sim, c, "drive");
  sim.run_until(Time() + Duration::s(31'536'000));  // a year
  device.settle();
  const EnergyCounters& e = device.firmware().thermal()->counters();
  CHECK(e.level_ns[PowerStates::kActive] == 0);
  CHECK(e.level_ns[PowerStates::kIdle] == 101'000'000);
  CHECK(e.level_ns[2] == 401'000'000);
  const uint64_t deep = e.time_ns - 502'000'000;
  CHECK(e.level_ns[3] == deep);
  CHECK(figure(e, Consumer::kStates) == 401'000'000 / 25 + deep * 3 / 1'000);
  CHECK(figure(e, Consumer::kStandby) == 101'000);  // 1 mW while in PS0
}

}  // namespace ftlsim::test
