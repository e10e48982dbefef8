// Temperatures of a whole drive under load and at rest: throttling within its band, the critical
// stop, sleep and catching up.
#include "ftl/thermal/thermal_control.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "ftl/device.h"
#include "sim/stats.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// Small nodes that reach the threshold in a second of writes.
DriveConfig hot_drive() {
  DriveConfig c = tiny_drive();
  c.nand.energy = {1'000, 500, 650'000, 40'000, 300'000, 200'000, 300, 1'000};
  c.power.model = PowerModel::kCounted;
  c.power.command = 1'000;
  c.power.link = 500;
  c.power.active = 700'000;
  c.power.idle = 100'000;
  ThermalConfig& t = c.thermal;
  t.model = HeatModel::kTwoNode;
  t.period = Duration::ms(5);
  t.controller_capacity = 200;
  t.nand_capacity = 100;
  t.controller_weight = 0.25;
  return c;
}

class Writes final : public AccessSource {
 public:
  explicit Writes(uint32_t span) : pieces_(span / 8), rng_(7, "test/writes") {}
  Access next() override {
    return {Opcode::kWrite, static_cast<uint32_t>(rng_.below(pieces_)) * 8, 8};
  }

 private:
  uint32_t pieces_;
  Rng rng_;
};

// Looks at the composite temperature every millisecond.
class Watch final : public Event {
 public:
  Watch(Simulator& sim, const Device& device)
      : Event(Phase::kStatistics), sim_(sim), control_(*device.firmware().thermal()) {
    seen.reserve(100'000);
    sim_.schedule_in(*this, Duration::ms(1));
  }
  ~Watch() override { sim_.cancel(*this); }
  void fire() override {
    seen.push_back(control_.temperatures(sim_.now()).composite);
    levels.push_back(control_.throttle().level());
    sim_.schedule_in(*this, Duration::ms(1));
  }
  std::vector<int64_t> seen;
  std::vector<size_t> levels;

 private:
  Simulator& sim_;
  const ThermalControl& control_;
};

struct Rig {
  explicit Rig(DriveConfig c)
      : sim(1), device(sim, fitted(c), "drive"), host(sim, device.host(), 32) {}
  static DriveConfig& fitted(DriveConfig& c) {
    REQUIRE(fit_capacity(c, 1, 0));
    REQUIRE(problems(c, 1) == "");
    return c;
  }
  ThermalControl& control() { return *device.firmware().thermal(); }
  uint32_t span() { return device.firmware().config().user_slots(); }
  void check_laws() {
    device.settle();
    StatRegistry registry;
    device.register_stats(registry);
    for (const std::string& law : registry.check_laws()) FAIL_CHECK(law);
  }
  Simulator sim;
  Device device;
  LoadHost host;
};

// The fastest change of a node in one period, in thousandths of a degree: everything that comes in,
// drawn or conducted, against everything that goes out.
int64_t most_in_a_period(const DriveConfig& c, const EnergyCounters& e, int64_t hottest) {
  const ThermalConfig& t = c.thermal;
  const double seconds = static_cast<double>(t.period.to_ns()) * 1e-9;
  const double excess = static_cast<double>(hottest - t.ambient) * 1e-3;
  const double conducted = excess *
                           (1e3 / static_cast<double>(t.controller_to_nand) +
                            1e3 / static_cast<double>(t.nand_to_ambient) +
                            1e3 / static_cast<double>(t.controller_to_ambient)) *
                           seconds;
  const double joules = static_cast<double>(e.peak_period) * 1e-9 + conducted;
  const auto least = static_cast<double>(std::min(t.controller_capacity, t.nand_capacity)) * 1e-3;
  return static_cast<int64_t>(joules / least * 1e3) + 1;
}

class Follower final : public TemperatureListener {
 public:
  void nand_temperature(Time from, int64_t millidegrees) override {
    CHECK((times.empty() || from >= times.back()));
    times.push_back(from);
    values.push_back(millidegrees);
  }
  std::vector<Time> times;
  std::vector<int64_t> values;
};

}  // namespace

TEST_CASE("throttling holds the temperature between release and threshold") {
  DriveConfig free = hot_drive();
  Rig unlimited(free);
  Writes load(unlimited.span());
  unlimited.host.run(load, 30'000);
  const int64_t peak = unlimited.control().temperatures(unlimited.sim.now()).composite;
  CHECK(peak > 50'000);  // or the band below is no test
  const Time fast = unlimited.host.last_completion();

  DriveConfig c = hot_drive();
  c.thermal.throttle = {{45'000, 42'000, 0.5, 8'000'000}};
  Rig rig(c);
  Watch watch(rig.sim, rig.device);
  Writes same(rig.span());
  rig.host.run(same, 30'000);
  rig.check_laws();
  const EnergyCounters& e = rig.control().counters();
  CHECK(e.throttle_raises >= 3);  // it came and went
  CHECK(rig.host.last_completion() > fast);

  const int64_t hottest = *std::max_element(watch.seen.begin(), watch.seen.end());
  const int64_t slack =
      most_in_a_period(c, e, std::max(hottest, rig.control().hottest().controller));
  CHECK(slack < 3'000);
  CHECK(hottest >= 45'000);
  CHECK(hottest <= 45'000 + 2 * slack);
  const auto first = std::find(watch.levels.begin(), watch.levels.end(), size_t{1});
  REQUIRE(first != watch.levels.end());
  const auto from = watch.seen.begin() + (first - watch.levels.begin());
  CHECK(*std::min_element(from, watch.seen.end()) >= 42'000 - slack);
  for (size_t i = 1; i < watch.seen.size(); ++i) {  // no switch but at the thresholds
    if (watch.levels[i] > watch.levels[i - 1]) CHECK(watch.seen[i] >= 45'000);
    if (watch.levels[i] < watch.levels[i - 1]) CHECK(watch.seen[i] <= 42'000);
  }
}

TEST_CASE("a step leaves fewer dies and a slower host") {
  DriveConfig c = hot_drive();
  c.thermal.throttle = {{30'000, 26'000, 0.5, 4'000'000}};  // in force from the start of the load
  c.thermal.ambient = 40'000;
  c.thermal.critical = {150'000, 100'000};
  Rig rig(c);
  Writes load(rig.span());
  rig.host.run(load, 2'000);
  const Time begin = rig.sim.now();
  rig.host.run(load, 4'000);
  const double seconds = static_cast<double>((rig.host.last_completion() - begin).to_ns()) * 1e-9;
  CHECK(rig.control().throttle().level() == 1);
  // 4 MB/s of commands of 32 KiB; the last ones are still in flight.
  CHECK(4'000 * 32'768 / seconds <= 4.1e6);
  CHECK(4'000 * 32'768 / seconds >= 3.9e6);
}

TEST_CASE("the critical stop halts commands until the drive has cooled") {
  DriveConfig c = hot_drive();
  c.thermal.critical = {48'000, 40'000};
  Rig rig(c);
  Watch watch(rig.sim, rig.device);
  Writes load(rig.span());
  rig.host.run(load, 30'000);  // completes: the drive recovers
  rig.check_laws();
  const EnergyCounters& e = rig.control().counters();
  CHECK(e.halts >= 2);
  CHECK(e.halted_ns > 0);
  const int64_t hottest = *std::max_element(watch.seen.begin(), watch.seen.end());
  // Operations under way at the stop still end: a period of full power more.
  const int64_t slack =
      most_in_a_period(c, e, std::max(hottest, rig.control().hottest().controller));
  CHECK(hottest >= 48'000);
  CHECK(hottest <= 48'000 + 2 * slack);
}

TEST_CASE("an idle drive schedules nothing, and catches up when it is used again") {
  const DriveConfig c = hot_drive();
  Rig rig(c);
  Follower follower;
  rig.control().set_listener(follower);
  Writes load(rig.span());
  rig.host.run(load, 10'000);
  rig.sim.run_until(rig.sim.now() + Duration::s(5));
  CHECK(rig.sim.next_time() == Time::never());
  const size_t told = follower.times.size();
  const Time rest = rig.sim.now();
  rig.sim.run_until(rest + Duration::s(31'536'000));
  CHECK(follower.times.size() == told);
  CHECK(rig.control().settled(rig.sim.now()));
  const Temperatures seen = rig.control().temperatures(rig.sim.now());
  SequentialSource read(Opcode::kRead, 8, 8);
  rig.host.run(read, 1);
  CHECK(follower.times.back() <= rig.sim.now());
  CHECK(std::abs(follower.values.back() - seen.nand) <= 2 * ThermalControl::kReported);
  for (size_t i = 1; i < follower.values.size(); ++i)  // stretches are short where much happens
    CHECK(std::abs(follower.values[i] - follower.values[i - 1]) < 2'000);
  rig.check_laws();
}

TEST_CASE("a drive at rest cools as one that is stepped all the time") {
  // The second one is kept awake by a throttle step that it does not leave.
  for (const Duration rest : {Duration::ms(3), Duration::ms(777), Duration::s(9)}) {
    Temperatures end[2];
    for (const bool awake : {false, true}) {
      DriveConfig c = hot_drive();
      c.thermal.ambient = 50'000;
      c.sched.power_credits = 100;  // for two dies: the step below takes none of them away
      if (awake) c.thermal.throttle = {{50'000, 40'000, 0.99, 0}};
      Rig rig(c);
      Writes load(rig.span());
      rig.host.run(load, 3'000);
      rig.sim.run_until(Time() + Duration::s(20));
      rig.host.run(load, 1'000);
      rig.sim.run_until(Time() + Duration::s(40) + rest);
      end[awake] = rig.control().temperatures(rig.sim.now());
      rig.check_laws();
    }
    CHECK(std::abs(end[0].controller - end[1].controller) <= 1);
    CHECK(std::abs(end[0].nand - end[1].nand) <= 1);
  }
}

TEST_CASE("energy and temperatures change no time; looking changes nothing") {
  uint64_t fingerprint[3];
  Temperatures end[3];
  for (const int variant : {0, 1, 2}) {
    DriveConfig c = hot_drive();
    if (variant == 0) {
      c.power = PowerConfig();
      c.thermal = ThermalConfig();
    }
    Rig rig(c);
    Writes load(rig.span());
    for (int round = 0; round < 3; ++round) {
      rig.host.run(load, 2'000);
      for (int i = 0; i < 50; ++i) {
        rig.sim.run_until(rig.sim.now() + Duration::us(33'333));
        if (variant == 2) rig.control().temperatures(rig.sim.now());
        if (variant == 2 && i % 10 == 0) rig.device.settle();
      }
    }
    fingerprint[variant] = rig.device.firmware().flash().fingerprint().value();
    if (variant != 0) end[variant] = rig.control().temperatures(rig.sim.now());
  }
  CHECK(fingerprint[0] == fingerprint[1]);
  CHECK(fingerprint[0] == fingerprint[2]);
  CHECK(end[1].nand == end[2].nand);
  CHECK(end[1].controller == end[2].controller);
}

TEST_CASE("a rest without power ends near the temperature of its surroundings") {
  Rig rig(hot_drive());
  Follower follower;
  rig.control().set_listener(follower);
  Writes load(rig.span());
  rig.host.run(load, 5'000);
  CHECK(rig.control().temperatures(rig.sim.now()).nand > 35'000);
  rig.device.host().rest_unpowered(Duration::s(3'600), 40'000);
  CHECK(rig.control().temperatures(rig.sim.now()).nand == 40'000);
  CHECK(follower.values.back() == 40'000);
  rig.sim.run_until(rig.sim.now() + Duration::s(1));
  rig.check_laws();
}

TEST_CASE("another ambient temperature is where the drive goes") {
  DriveConfig c = hot_drive();
  c.power.idle = 0;
  c.nand.energy.standby = 0;
  Rig rig(c);
  rig.sim.run_until(Time() + Duration::s(10));
  CHECK(rig.control().temperatures(rig.sim.now()).nand == 25'000);
  rig.control().set_ambient(60'000);
  rig.sim.run_until(Time() + Duration::s(1'000));
  CHECK(rig.control().temperatures(rig.sim.now()).nand == 60'000);
  CHECK(rig.control().temperatures(rig.sim.now()).controller == 60'000);
}

}  // namespace ftlsim::test
