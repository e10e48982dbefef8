// The clock and the rule that orders events.
#include "sim/simulator.h"

#include <doctest/doctest.h>

#include <functional>
#include <stdexcept>
#include <vector>

namespace ftlsim {
namespace {

class Step final : public Event {
 public:
  Step(Phase phase, std::function<void()> act) : Event(phase), act_(std::move(act)) {}
  void fire() override { act_(); }

 private:
  std::function<void()> act_;
};

}  // namespace

TEST_CASE("phases order events of one time, insertion those of one phase") {
  Simulator sim(1);
  std::vector<int> log;
  Step host(Phase::kHost, [&] { log.push_back(3); });
  Step media(Phase::kMedia, [&] { log.push_back(1); });
  Step firmware(Phase::kFirmware, [&] { log.push_back(2); });
  Step late(Phase::kMedia, [&] { log.push_back(4); });
  sim.schedule(late, Time::at_ns(11));
  for (Event* e :
       {static_cast<Event*>(&host), static_cast<Event*>(&firmware), static_cast<Event*>(&media)})
    sim.schedule(*e, Time::at_ns(10));
  sim.run_until(Time::at_ns(10));
  CHECK(log == std::vector<int>{1, 2, 3});
  CHECK(sim.now() == Time::at_ns(10));
  CHECK(sim.next_time() == Time::at_ns(11));
  sim.run_until(Time::at_ns(100));
  CHECK(log.back() == 4);
  CHECK(sim.now() == Time::at_ns(100));
  CHECK(sim.events_fired() == 4);
}

TEST_CASE("an event at now with a lower phase joins the running phase behind those queued") {
  Simulator sim(1);
  std::vector<int> log;
  Step media(Phase::kMedia, [&] { log.push_back(3); });
  Step first(Phase::kHost, [&] {
    log.push_back(1);
    sim.schedule(media, sim.now());
  });
  Step second(Phase::kHost, [&] { log.push_back(2); });
  Step last(Phase::kStatistics, [&] { log.push_back(4); });
  sim.schedule(last, Time::at_ns(5));
  sim.schedule(first, Time::at_ns(5));
  sim.schedule(second, Time::at_ns(5));
  sim.run_until(Time::at_ns(5));
  CHECK(log == std::vector<int>{1, 2, 3, 4});
}

TEST_CASE("stop ends the loop after the running event and keeps the clock") {
  Simulator sim(1);
  int fired = 0;
  Step a(Phase::kHost, [&] {
    ++fired;
    sim.stop();
  });
  Step b(Phase::kHost, [&] { ++fired; });
  sim.schedule(a, Time::at_ns(5));
  sim.schedule(b, Time::at_ns(6));
  sim.run_until(Time::at_ns(100));
  CHECK(fired == 1);
  CHECK(sim.now() == Time::at_ns(5));
  sim.run_until(Time::at_ns(100));
  CHECK(fired == 2);
}

TEST_CASE("misuse is asserted") {
  Simulator sim(42);
  Step a(Phase::kHost, [] {});
  sim.schedule(a, Time::at_ns(5));
  CHECK_THROWS_AS(sim.schedule(a, Time::at_ns(6)), std::logic_error);
  sim.reschedule(a, Time::at_ns(6));
  CHECK(a.when() == Time::at_ns(6));
  sim.cancel(a);
  sim.cancel(a);
  CHECK(!a.pending());
  sim.run_until(Time::at_ns(10));
  CHECK_THROWS_AS(sim.schedule(a, Time::at_ns(9)), std::logic_error);
  CHECK_THROWS_AS(sim.schedule(a, Time::never()), std::logic_error);
  try {
    sim.schedule(a, Time::at_ns(9));
  } catch (const std::logic_error& e) {
    CHECK(std::string(e.what()).find("seed 42") != std::string::npos);
  }
}

TEST_CASE("a device may be destroyed with events pending") {
  Simulator sim(1);
  {
    Step a(Phase::kHost, [] { FAIL("fired after its end"); });
    sim.schedule(a, Time::at_ns(5));
  }
  sim.run_until(Time::at_ns(10));
  CHECK(sim.next_time() == Time::never());
}

}  // namespace ftlsim
