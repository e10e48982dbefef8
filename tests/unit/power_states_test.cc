// Power states against the table of the Gold P31 (Identify Controller of SHGP31-1000GM-2), alone
// and seen from the host.
#include "ftl/thermal/power_states.h"

#include <doctest/doctest.h>

#include <memory>

#include "ftl/device.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

PowerConfig p31() {
  PowerConfig c;
  c.model = PowerModel::kCounted;
  c.active = 1'400'000;
  c.idle = 350'000;
  c.states = {
      {6'300'000, true, Duration::us(5), Duration::us(5), Duration()},
      {2'400'000, true, Duration::us(30), Duration::us(30), Duration()},
      {1'900'000, true, Duration::us(100), Duration::us(100), Duration()},
      {50'000, false, Duration::us(1000), Duration::us(1000), Duration::ms(100)},
      {4'000, false, Duration::us(1000), Duration::us(9000), Duration::ms(500)},
  };
  return c;
}

// Latency of one 4 KiB read of an empty drive after so long a rest.
Duration read_after(const PowerConfig& power, Duration rest) {
  DriveConfig c = tiny_drive();
  c.power = power;
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE(problems(c, 1) == "");
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 1);
  SequentialSource source(Opcode::kRead, 64, 1);
  host.run(source, 1);
  sim.run_until(host.last_completion() + rest);
  const Time begin = sim.now();
  host.run(source, 1);
  return host.last_completion() - begin;
}

}  // namespace

TEST_CASE("the level follows the quiet time") {
  const PowerStates s(p31());
  REQUIRE(s.levels() == 4);
  CHECK(s.state_of(2) == 3);
  CHECK(s.state_of(3) == 4);
  CHECK(level_name(s, 3) == "ps4");
  CHECK(s.level_after(Duration()) == PowerStates::kIdle);
  CHECK(s.level_after(Duration::us(100'999)) == PowerStates::kIdle);
  CHECK(s.level_after(Duration::us(101'000)) == 2);
  CHECK(s.level_after(Duration::us(500'999)) == 2);
  CHECK(s.level_after(Duration::us(501'000)) == 3);
  CHECK(s.level_after(Duration::s(86'400)) == 3);
  CHECK(s.next_change(Duration()) == Duration::us(101'000));
  CHECK(s.next_change(Duration::us(101'000)) == Duration::us(501'000));
  CHECK(s.next_change(Duration::us(501'000)) == Duration::max());
}

TEST_CASE("a command waits for the rest of the entry and for the exit") {
  const PowerStates s(p31());
  CHECK(s.wake_latency(Duration::us(99'999)) == Duration());
  CHECK(s.wake_latency(Duration::us(100'000)) == Duration::us(2'000));
  CHECK(s.wake_latency(Duration::us(100'400)) == Duration::us(1'600));
  CHECK(s.wake_latency(Duration::us(101'000)) == Duration::us(1'000));
  CHECK(s.wake_latency(Duration::us(499'999)) == Duration::us(1'000));
  CHECK(s.wake_latency(Duration::us(500'000)) == Duration::us(10'000));
  CHECK(s.wake_latency(Duration::us(501'000)) == Duration::us(9'000));
}

TEST_CASE("the host sees the exit latency of the table and nothing else") {
  const Duration awake = read_after(PowerConfig(), Duration::s(2));
  for (const Duration rest : {Duration::ms(1), Duration::ms(99), Duration::ms(150),
                              Duration::us(100'250), Duration::us(500'125), Duration::s(2)}) {
    CAPTURE(rest.to_ns());
    CHECK(read_after(p31(), rest) - awake == PowerStates(p31()).wake_latency(rest));
  }
}

TEST_CASE("commands behind the one that wakes the drive wait with it") {
  DriveConfig c = tiny_drive();
  c.power = p31();
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 16);
  sim.run_until(Time() + Duration::s(1));
  SequentialSource source(Opcode::kRead, 64, 1);
  const Time begin = sim.now();
  host.run(source, 16);
  CHECK(host.last_completion() - begin > Duration::ms(9));
  CHECK(host.last_completion() - begin < Duration::us(9'100));
  device.settle();
  CHECK(device.firmware().thermal()->counters().wakes == 1);
  CHECK(device.firmware().thermal()->counters().wake_ns == 9'000'000);
}

}  // namespace ftlsim::test
