// The clock and the run loop.
//
// Scheduler<Queue> owns the rule that orders events: (time, phase, insertion), where an event
// scheduled at *now* with a phase not above the running one joins the running phase. The queue is a
// template parameter so that the wheel can be tested against the heap. Nothing here allocates
// while running.
#pragma once

#include <cstdint>
#include <string>

#include "sim/assert.h"
#include "sim/event.h"
#include "sim/heap_queue.h"
#include "sim/units.h"
#include "sim/wheel_queue.h"

namespace ftlsim {

template <class Queue>
class Scheduler {
 public:
  Scheduler() = default;
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  Time now() const { return now_; }

  // Makes `event` due at `when` (>= now). It must not be pending.
  void schedule(Event& event, Time when) {
    SIM_ASSERT(!event.pending(), "event is already pending");
    SIM_ASSERT(when >= now_ && when < Time::never(), "event in the past or never: {} ns at {} ns",
               when.to_ns(), now_.to_ns());
    uint64_t key = (static_cast<uint64_t>(when.to_ns()) << 2) | static_cast<uint64_t>(event.phase_);
    if (key < running_key_) key = running_key_;
    event.key_ = key;
    queue_.push(event);
  }
  void schedule_in(Event& event, Duration delay) { schedule(event, now_ + delay); }

  // Takes a pending event back; no effect otherwise.
  void cancel(Event& event) {
    if (event.pending()) queue_.erase(event);
  }
  void reschedule(Event& event, Time when) {
    cancel(event);
    schedule(event, when);
  }

  // Runs all events up to and including `until`, unless stop() is called. The clock ends at `until`
  // when everything up to it has run, else at the last event.
  void run_until(Time until) {
    stopped_ = false;
    const uint64_t limit = (static_cast<uint64_t>(until.to_ns()) << 2) | 3;
    while (!stopped_) {
      Event* event = queue_.pop(limit);
      if (event == nullptr) {
        if (until < kForever) {
          now_ = max(now_, until);
          running_key_ = static_cast<uint64_t>(now_.to_ns()) << 2;
        }
        return;
      }
      running_key_ = event->key_;
      now_ = Time::at_ns(static_cast<int64_t>(running_key_ >> 2));
      ++events_;
      event->fire();
    }
  }

  // Runs until no event is pending or stop() is called.
  void run() { run_until(kForever); }
  // Ends the run loop after the running event.
  void stop() { stopped_ = true; }

  // The time of the next pending event, or Time::never().
  Time next_time() {
    const uint64_t key = queue_.min_key();
    return key == UINT64_MAX ? Time::never() : Time::at_ns(static_cast<int64_t>(key >> 2));
  }
  uint64_t events_fired() const { return events_; }

 private:
  static constexpr Time kForever = Time::at_ns(Time::never().to_ns() - 1);

  Queue queue_;
  Time now_;
  uint64_t running_key_ = 0;
  uint64_t events_ = 0;
  bool stopped_ = false;
};

// One simulation: clock, queue and the seed that all named random streams derive from.
class Simulator : public Scheduler<WheelQueue>, private AssertContext {
 public:
  explicit Simulator(uint64_t seed) : seed_(seed) { set_assert_context(this); }
  ~Simulator() override {
    if (assert_context() == this) set_assert_context(nullptr);
  }

  uint64_t seed() const { return seed_; }

 private:
  std::string describe() const override {
    return fmt::format("t={} ns, event {}, seed {}", now().to_ns(), events_fired(), seed_);
  }

  uint64_t seed_;
};

}  // namespace ftlsim
