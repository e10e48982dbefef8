// The timing wheel against the binary heap: the same schedule must fire in the same order.
//
// Both run under the same Scheduler rule. Events reschedule themselves and others from within
// fire(), mostly at zero delay, in all phases, with cancels and far-future times; the clock
// advances in steps. An independent sort checks order (time, phase, insertion) where no event is
// scheduled from within another.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sim/rng.h"
#include "sim/simulator.h"

namespace ftlsim {
namespace {

constexpr uint32_t kEvents = 300;

struct Fired {
  int64_t when;
  uint32_t id;
  bool operator==(const Fired&) const = default;
};

template <class Queue>
class World {
 public:
  explicit World(uint64_t seed) : rng_(seed, "test/queue") {
    for (uint32_t i = 0; i < kEvents; ++i)
      actors_.push_back(std::make_unique<Actor>(this, i, static_cast<Phase>(i % 4)));
  }

  void run(uint32_t most) {
    most_ = most;
    for (uint32_t i = 0; i < 50; ++i) act();
    for (int step = 0; step < 400 && log_.size() < most_; ++step) {
      const Time next = scheduler_.next_time();
      if (next != Time::never() && rng_.chance(1, 4))
        scheduler_.run_until(next);
      else
        scheduler_.run_until(scheduler_.now() + delay());
      log_.push_back({scheduler_.now().to_ns(), UINT32_MAX});
      for (int i = 0; i < 5; ++i) act();
    }
    for (auto& a : actors_) scheduler_.cancel(*a);
    CHECK(scheduler_.next_time() == Time::never());
  }
  const std::vector<Fired>& log() const { return log_; }

 private:
  struct Actor final : Event {
    Actor(World* world, uint32_t i, Phase phase) : Event(phase), owner(world), id(i) {}
    void fire() override { owner->fired(*this); }
    World* owner;
    uint32_t id;
  };

  void fired(Actor& a) {
    log_.push_back({scheduler_.now().to_ns(), a.id});
    CHECK(!a.pending());
    if (log_.size() >= most_) {
      scheduler_.stop();
      return;
    }
    const uint64_t n = rng_.below(3);
    for (uint64_t i = 0; i <= n; ++i) act();
    if (rng_.chance(1, 200)) scheduler_.stop();
  }

  // 70 % zero, the others over all magnitudes up to years.
  Duration delay() {
    if (rng_.chance(7, 10)) return Duration();
    const uint64_t bits = rng_.below(56);
    return Duration::ns(static_cast<int64_t>(rng_.next() >> (63 - bits)));
  }

  void act() {
    Actor& a = *actors_[rng_.below(kEvents)];
    const uint64_t what = rng_.below(10);
    const Time when = scheduler_.now() + delay();
    if (when >= Time::never()) return;
    if (what == 0) {
      scheduler_.cancel(a);
    } else if (what == 1) {
      scheduler_.reschedule(a, when);
    } else if (!a.pending()) {
      a.set_phase(static_cast<Phase>(rng_.below(4)));
      scheduler_.schedule(a, when);
      CHECK(a.when() == when);
    }
  }

  Scheduler<Queue> scheduler_;
  Rng rng_;
  std::vector<std::unique_ptr<Actor>> actors_;
  std::vector<Fired> log_;
  size_t most_ = 0;
};

class Recorder final : public Event {
 public:
  Recorder(Phase phase, uint32_t number, std::vector<uint32_t>& log)
      : Event(phase), number_(number), log_(log) {}
  void fire() override { log_.push_back(number_); }

 private:
  uint32_t number_;
  std::vector<uint32_t>& log_;
};

}  // namespace

TEST_CASE("wheel and heap fire the same events in the same order") {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    World<WheelQueue> wheel(seed);
    World<HeapQueue> heap(seed);
    wheel.run(5'000);
    heap.run(5'000);
    CAPTURE(seed);
    REQUIRE(wheel.log().size() > 400);
    REQUIRE(wheel.log() == heap.log());
  }
}

TEST_CASE("order is time, phase, insertion") {
  for (uint64_t seed = 1; seed <= 30; ++seed) {
    Rng rng(seed, "test/order");
    Scheduler<WheelQueue> scheduler;
    struct Key {
      int64_t when;
      Phase phase;
      uint32_t number;
      auto operator<=>(const Key&) const = default;
    };
    std::vector<Key> keys;
    std::vector<uint32_t> log;
    std::vector<std::unique_ptr<Recorder>> events;
    scheduler.run_until(Time::at_ns(static_cast<int64_t>(rng.below(1'000'000))));
    const uint64_t spread = uint64_t{1} << rng.below(50);
    for (uint32_t i = 0; i < 2'000; ++i) {
      const auto phase = static_cast<Phase>(rng.below(4));
      // Not at now: the phase of the last event run would apply.
      const Time when = scheduler.now() + Duration::ns(static_cast<int64_t>(1 + rng.below(spread)));
      events.push_back(std::make_unique<Recorder>(phase, i, log));
      scheduler.schedule(*events.back(), when);
      keys.push_back({when.to_ns(), phase, i});
    }
    std::sort(keys.begin(), keys.end());
    scheduler.run();
    REQUIRE(log.size() == keys.size());
    for (size_t i = 0; i < keys.size(); ++i) REQUIRE(log[i] == keys[i].number);
  }
}

}  // namespace ftlsim
