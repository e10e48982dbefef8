// Latencies and saturated rates against closed forms. Latencies are exact sums of their parts,
// rates of one saturated resource agree within 1 %.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"
#include "tests/support/token_host.h"

namespace ftlsim::test {
namespace {

int64_t ceil_ns(double ps) { return static_cast<int64_t>(std::ceil(ps / 1000.0 - 1e-9)); }

// PCIe 4.0, 4 lanes, 128b/130b: bytes with 26 of overhead per 256, in ps.
double link_ps(uint32_t slots) {
  const double bytes = slots * (4096.0 + 16 * 26);
  return bytes * 8 * 130 / 128 / (16.0 * 4) * 1000;
}

double bus_ps(const DriveConfig& c, uint32_t slots) {
  return static_cast<double>(c.nand.bus.command_overhead.to_ns()) * 1000 +
         slots * 4096.0 * 1e6 / c.nand.bus.transfer_rate;
}

// The parts of a read of `slots` slots of one chunk on an idle drive.
int64_t read_latency_ns(const DriveConfig& c, uint32_t slots, Duration sense, Duration interrupt) {
  const CoreConfig& f = c.firmware;
  const Duration firmware = f.command_occupancy + f.slot_occupancy * slots + f.read_latency;
  return (c.link.latency + firmware + sense + f.ecc_latency + c.link.latency + interrupt).to_ns() +
         ceil_ns(bus_ps(c, slots)) + ceil_ns(link_ps(slots));
}

class OneCommand : public CompletionSink {
 public:
  void on_completion(Command&) override { done = true; }
  bool done = false;
};

Duration latency(Simulator& sim, Device& device, Access a) {
  OneCommand sink;
  Command c;
  c.opcode = a.opcode;
  c.lba = Lba(a.unit);
  c.blocks = a.units;
  c.sink = &sink;
  device.host().submit(c, sim.now());
  sim.run_until(sim.now() + Duration::s(1));
  REQUIRE(sink.done);
  return c.completed - c.submitted;
}

// A drive of `channels` x `dies` with slow parts chosen by the caller; no SLC, no read-ahead.
DriveConfig rate_drive(uint32_t channels, uint32_t dies) {
  DriveConfig c = tiny_drive();
  c.nand.geometry.channels = channels;
  c.nand.geometry.dies_per_channel = dies;
  c.nand.geometry.blocks_per_plane = 40;
  c.buffer.size = Bytes::mib(4);
  c.buffer.relocation_size = Bytes::mib(4);
  c.firmware.cores = 16;
  c.queues.count = 1;
  c.queues.depth = 256;
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE(problems(c, 1).empty());
  return c;
}

bool near(double value, double expected, double tolerance) {
  INFO("value " << value << ", expected " << expected);
  CHECK(std::abs(value - expected) <= tolerance * expected);
  return std::abs(value - expected) <= tolerance * expected;
}

}  // namespace

TEST_CASE("latency of a single read is the sum of its parts") {
  DriveConfig c = rate_drive(2, 1);
  c.nand.timing.read_slot = Duration::ns(40'123);
  c.nand.timing.read_page = Duration::ns(57'891);
  Simulator sim(1);
  Device device(sim, c, "drive");
  const Duration interrupt = Duration::ns(1'777);
  device.host().set_interrupt_latency(interrupt);
  LoadHost host(sim, device.host(), 8);
  SequentialSource fill(Opcode::kWrite, 4096, 8);
  host.run(fill, 512);
  sim.run_until(sim.now() + Duration::s(1));
  CHECK(latency(sim, device, {Opcode::kRead, 5, 1}).to_ns() ==
        read_latency_ns(c, 1, c.nand.timing.read_slot, interrupt));
  CHECK(latency(sim, device, {Opcode::kRead, 16, 8}).to_ns() ==
        read_latency_ns(c, 8, c.nand.timing.read_page, interrupt));
  CHECK(latency(sim, device, {Opcode::kRead, 16, 3}).to_ns() ==
        read_latency_ns(c, 3, c.nand.timing.read_page, interrupt));
}

TEST_CASE("latency of a single write and of an unmapped read") {
  const DriveConfig c = rate_drive(2, 1);
  Simulator sim(1);
  Device device(sim, c, "drive");
  const CoreConfig& f = c.firmware;
  const int64_t common = (c.link.latency * 2 + f.command_occupancy + f.slot_occupancy * 4).to_ns();
  CHECK(latency(sim, device, {Opcode::kRead, 8, 4}).to_ns() ==
        common + f.read_latency.to_ns() + ceil_ns(link_ps(4)));
  CHECK(latency(sim, device, {Opcode::kWrite, 8, 4}).to_ns() ==
        common + f.write_latency.to_ns() + ceil_ns(link_ps(4)));
}

TEST_CASE("a saturated link") {
  const DriveConfig c = rate_drive(2, 1);
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 32);
  host.mark_every(100);
  SequentialSource reads(Opcode::kRead, c.user_slots(), 32);  // unmapped: the link alone
  host.run(reads, 10'000);
  near(host.steady_rate(), 1e12 / link_ps(32), 0.01);
}

TEST_CASE("a saturated channel") {
  DriveConfig c = rate_drive(1, 4);
  c.nand.bus.transfer_rate = 200;
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 64);
  SequentialSource fill(Opcode::kWrite, 4096, 8);
  host.run(fill, 512);
  sim.run_until(sim.now() + Duration::s(1));
  const uint64_t filled = host.completed();
  REQUIRE(filled == 512);
  host.mark_every(50);
  RandomSource reads(Opcode::kRead, 4096, 8, Rng(1, "test"));
  host.run(reads, 5'000);
  near(host.steady_rate(), 1e12 / bus_ps(c, 8), 0.01);
}

TEST_CASE("a saturated die: programs and the erase of each superblock") {
  const DriveConfig c = rate_drive(1, 1);
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 16);
  host.mark_every(96);  // 96 x 8 slots: two superblocks of 384
  SequentialSource writes(Opcode::kWrite, c.user_slots(), 8);
  host.run(writes, 96 * 12);
  const TimingConfig& t = c.nand.timing;
  const auto superblock =
      static_cast<double>((t.program * c.nand.geometry.rows() + t.erase).to_ns());
  near(host.steady_rate(), 48e9 / superblock, 0.01);
}

TEST_CASE("as many dies as power credits program at once") {
  DriveConfig c = rate_drive(2, 2);
  c.sched.power_credits = 2;
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 32);
  host.mark_every(192);  // one superblock of 1536 slots
  SequentialSource writes(Opcode::kWrite, c.user_slots(), 8);
  host.run(writes, 192 * 20);
  const TimingConfig& t = c.nand.timing;
  const auto unit = static_cast<double>((t.program + t.erase / c.nand.geometry.rows()).to_ns());
  near(host.steady_rate(), 2 * 24 / 8 * 1e9 / unit, 0.01);
}

TEST_CASE("SLC programs reach the rate of their own timing") {
  DriveConfig c = rate_drive(1, 1);
  use_slc(c);
  c.buffer.size = Bytes::kib(256);  // much less than is written
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 16);
  host.mark_every(16);  // one SLC superblock of 128 slots
  SequentialSource writes(Opcode::kWrite, c.user_slots(), 8);
  host.run(writes, 16 * 24);
  const TimingConfig& t = c.nand.timing;
  const auto superblock =
      static_cast<double>((t.program_slc * c.nand.geometry.rows() + t.erase).to_ns());
  near(host.steady_rate(), 16e9 / superblock, 0.01);
}

}  // namespace ftlsim::test
