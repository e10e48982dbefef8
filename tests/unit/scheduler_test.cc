// Scheduling seen through a whole drive: power credits, starvation, read priority, arbitration of
// queues, and the end of a device with work in flight.
#include "ftl/sched/scheduler.h"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// Programs and erases that draw current: running, or on their way into suspension.
uint32_t dies_drawing(const Firmware& f) {
  uint32_t n = 0;
  for (uint16_t d = 0; d < f.media().layout().dies(); ++d) {
    const Operation* op = f.flash().array(DieId(d));
    n += op != nullptr && op->state != Operation::State::kSuspended;
  }
  return n;
}

class Mix final : public AccessSource {
 public:
  Mix(uint32_t span, uint32_t reads) : span_(span), reads_(reads), rng_(1, "test/mix") {}
  Access next() override {
    const Opcode opcode = rng_.below(100) < reads_ ? Opcode::kRead : Opcode::kWrite;
    return {opcode, static_cast<uint32_t>(rng_.below(span_ / 8)) * 8, 8};
  }

 private:
  uint32_t span_;
  uint32_t reads_;
  Rng rng_;
};

class Sampler final : public Event {
 public:
  Sampler(Simulator& sim, const Firmware& firmware)
      : Event(Phase::kStatistics), sim_(sim), firmware_(firmware) {
    sim_.schedule_in(*this, Duration::us(3));
  }
  void fire() override {
    most = std::max(most, dies_drawing(firmware_));
    sim_.schedule_in(*this, Duration::us(3));
  }
  uint32_t most = 0;

 private:
  Simulator& sim_;
  const Firmware& firmware_;
};

class Order : public CompletionSink {
 public:
  void on_completion(Command& c) override { queues.push_back(c.queue.value()); }
  std::vector<uint16_t> queues;
};

// Queues of commands that are served, one core at a time, in the order of arbitration.
std::vector<uint16_t> served(DriveConfig c, uint32_t per_queue) {
  c.firmware.cores = 1;
  c.queues.count = 3;
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  Order order;
  std::vector<std::unique_ptr<Command>> commands;
  for (uint16_t q = 0; q < 3; ++q)
    for (uint32_t i = 0; i < per_queue; ++i) {
      commands.push_back(std::make_unique<Command>());
      Command& command = *commands.back();
      command.queue = QueueId(q);
      command.lba = Lba(i);
      command.blocks = 1;
      command.sink = &order;
      device.host().submit(command, sim.now());
    }
  sim.run_until(Time::at_ns(100'000'000));
  REQUIRE(order.queues.size() == 3 * per_queue);
  return order.queues;
}

}  // namespace

TEST_CASE("power credits are never exceeded and all used") {
  for (const uint32_t credits : {1u, 2u, 3u}) {
    DriveConfig c = tiny_drive();
    c.nand.geometry.dies_per_channel = 2;
    c.sched.power_credits = credits;
    REQUIRE(fit_capacity(c, 1, 0));
    Simulator sim(1);
    Device device(sim, c, "drive");
    Sampler sampler(sim, device.firmware());
    LoadHost host(sim, device.host(), 32);
    Mix mix(c.user_slots(), 40);
    host.run(mix, 5'000);
    CHECK(sampler.most == credits);
  }
}

TEST_CASE("a flood of reads does not starve writes, nor the other way round") {
  for (const auto& policy : die_policies().entries()) {
    for (const bool overtake : {true, false}) {
      DriveConfig c = tiny_drive();
      c.sched.policy.select(policy.name);
      c.sched.overtake = overtake;
      REQUIRE(fit_capacity(c, 1, 0));
      Simulator sim(1);
      Device device(sim, c, "drive");
      LoadHost host(sim, device.host(), 64);
      SequentialSource fill(Opcode::kWrite, c.user_slots(), 8);
      host.run(fill, c.user_slots() / 8);
      for (const uint32_t reads : {98u, 50u, 2u}) {
        Mix mix(c.user_slots(), reads);
        host.run(mix, 4'000);  // asserts when nothing completes for 10 s
      }
      CHECK(device.host().outstanding() == 0);
    }
  }
}

TEST_CASE("round robin takes one command from each queue in turn") {
  const std::vector<uint16_t> q = served(tiny_drive(), 10);
  // The first command took the idle core before anybody waited.
  for (size_t i = 4; i + 3 < q.size(); i += 3) {
    CHECK(q[i] != q[i + 1]);
    CHECK(q[i + 1] != q[i + 2]);
    CHECK(q[i] != q[i + 2]);
    if (i > 20) break;
  }
}

TEST_CASE("weighted queues send several in a row") {
  DriveConfig c = tiny_drive();
  c.queues.arbitration = Arbitration::kWeighted;
  c.queues.high_priority_queues = 1;
  c.queues.high_priority_weight = 4;
  const std::vector<uint16_t> q = served(c, 16);
  uint32_t high = 0;
  for (size_t i = 1; i <= 18; ++i) high += q[i] == 0;
  CHECK(high >= 11);  // four of six
  CHECK(high <= 13);
}

TEST_CASE("a device may be destroyed with commands in flight") {
  for (int64_t us = 1; us < 4'000; us += 97) {
    DriveConfig c = tiny_drive();
    c.nand.geometry.blocks_per_plane = 30;
    REQUIRE(fit_capacity(c, 1, 0));
    std::vector<Command> commands(32);
    Order order;
    Simulator sim(1);
    {
      Device device(sim, c, "drive");
      for (size_t i = 0; i < commands.size(); ++i) {
        commands[i].opcode = i % 3 == 2 ? Opcode::kRead : Opcode::kWrite;
        commands[i].lba = Lba(i % 3 == 2 ? (i - 1) * 16 : i * 16);
        commands[i].blocks = 16;
        commands[i].sink = &order;
        device.host().submit(commands[i], sim.now() + Duration::us(static_cast<int64_t>(i) * 100));
      }
      sim.run_until(Time::at_ns(us * 1'000));
    }
    sim.run_until(Time::at_ns(100'000'000));
    CHECK(sim.next_time() == Time::never());
  }
}

}  // namespace ftlsim::test
