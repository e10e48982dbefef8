// Transfers on a channel: exact times, order within a class, preemption at the quantum, and that
// neither class starves.
#include "nand/channel.h"

#include <doctest/doctest.h>

#include <memory>
#include <vector>

namespace ftlsim {
namespace {

// 1 byte per ns; 4 KiB take 4,096 ns, the command 100 ns.
BusConfig bus() {
  BusConfig c;
  c.transfer_rate = 1000;
  c.command_overhead = Duration::ns(100);
  c.quantum = Bytes::kib(4);
  return c;
}

class Bench final : public TransferSink {
 public:
  Bench() : sim(1), channel(sim, bus(), *this) {}
  void transfer_done(Operation& op) override {
    done.push_back(op.tag);
    at.push_back(sim.now().to_ns());
  }
  Operation& request(bool urgent, uint16_t slots, uint32_t tag) {
    ops.push_back(std::make_unique<Operation>());
    Operation& op = *ops.back();
    op.urgent = urgent;
    op.bus_slots = slots;
    op.tag = tag;
    channel.request(op);
    return op;
  }
  void run_to(int64_t ns) { sim.run_until(Time::at_ns(ns)); }

  Simulator sim;
  std::vector<std::unique_ptr<Operation>> ops;
  Channel channel;
  std::vector<uint32_t> done;
  std::vector<int64_t> at;
};

}  // namespace

TEST_CASE("a transfer ends after overhead and data, and not before") {
  Bench b;
  CHECK(b.channel.transfer_time(3) == Duration::ns(100 + 3 * 4096));
  b.request(false, 3, 1);
  b.run_to(100 + 3 * 4096 - 1);
  CHECK(b.done.empty());
  b.run_to(100 + 3 * 4096);
  CHECK(b.done == std::vector<uint32_t>{1});
  CHECK(b.channel.busy_ns() == 100 + 3 * 4096);
}

TEST_CASE("a class is first come, first served") {
  Bench b;
  for (uint32_t i = 0; i < 5; ++i) b.request(false, 1, i);
  b.run_to(1'000'000);
  CHECK(b.done == std::vector<uint32_t>{0, 1, 2, 3, 4});
  CHECK(b.at.back() == 5 * (100 + 4096));
}

TEST_CASE("urgent data preempt a bulk transfer at the next quantum") {
  Bench b;
  b.request(false, 24, 1);
  b.run_to(5'000);
  b.request(true, 1, 2);
  b.run_to(1'000'000);
  CHECK(b.done == std::vector<uint32_t>{2, 1});
  // The second quantum ends at 8,192 ns; nothing of the bulk transfer is lost or repeated.
  CHECK(b.at[0] == 2 * 4096 + 100 + 4096);
  CHECK(b.at[1] == 100 + 24 * 4096 + 100 + 4096);
  CHECK(b.channel.busy_ns() == b.at[1]);
}

TEST_CASE("a bulk transfer that is nearly done ends first, an urgent one is never preempted") {
  Bench b;
  b.request(false, 2, 1);
  b.run_to(5'000);
  b.request(true, 1, 2);
  b.run_to(100'000);
  CHECK(b.done == std::vector<uint32_t>{1, 2});
  b.request(true, 24, 3);
  b.run_to(105'000);
  b.request(true, 1, 4);
  b.run_to(1'000'000);
  CHECK(b.done == std::vector<uint32_t>{1, 2, 3, 4});
}

TEST_CASE("neither class starves under a flood of urgent data") {
  Bench b;
  b.request(false, 24, 1000);
  for (uint32_t i = 0; i < 200; ++i) b.request(true, 1, i);
  b.run_to(10'000'000);
  REQUIRE(b.done.size() == 201);
  size_t place = 0;
  while (b.done[place] != 1000) ++place;
  // Eight urgent ones, then at least four quanta: 24 slots need at most six turns.
  CHECK(place <= 8 * 7);
  CHECK(place >= 8);
}

}  // namespace ftlsim
