// Stripes against arithmetic: what parity takes of writes, what a narrow superblock gives a stream,
// and how each stripe order spreads consecutive data over dies and planes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ftl/device.h"
#include "ftl/read/placement.h"
#include "ftl/write/stream_plan.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// Eight dies whose array is what limits everything; superblocks of 96 MiB, long against the buffer
// and the queue.
DriveConfig array_bound() {
  DriveConfig c = tiny_drive();
  GeometryConfig& g = c.nand.geometry;
  g.channels = 4;
  g.dies_per_channel = 2;
  g.planes = 4;
  g.blocks_per_plane = 16;
  g.word_lines = 32;
  g.strings = 2;
  c.nand.timing.program = Duration::ms(4);
  c.nand.timing.read_page = c.nand.timing.read_slot = Duration::us(400);
  c.buffer.size = Bytes::mib(4);
  c.buffer.relocation_size = Bytes::mib(4);
  c.firmware.cores = 16;
  c.queues.depth = 256;
  return c;
}

// Commands of 128 KiB per second, written once over the drive or read from it.
double rate(DriveConfig c, Opcode opcode, FtlStats* stats = nullptr) {
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE_MESSAGE(problems(c, 1).empty(), problems(c, 1));
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 16);
  host.mark_every(16);
  const uint32_t commands = c.user_slots() / 32;
  SequentialSource writes(Opcode::kWrite, c.user_slots(), 32);
  host.run(writes, commands);
  sim.run_until(sim.now() + Duration::s(1));
  if (opcode == Opcode::kRead) {
    host.mark_every(16);
    SequentialSource reads(Opcode::kRead, c.user_slots(), 32);
    host.run(reads, commands);
  }
  if (stats != nullptr) *stats = device.firmware().stats();
  return host.steady_rate();
}

void near(double value, double expected, double tolerance) {
  INFO("value " << value << ", expected " << expected);
  CHECK(std::abs(value - expected) <= tolerance * expected);
}

}  // namespace

TEST_CASE("parity takes its share of what is programmed, and of the rate of writes") {
  const DriveConfig plain = array_bound();
  FtlStats none;
  const double whole = rate(plain, Opcode::kWrite, &none);
  CHECK(none.programmed_by(Cause::kParity) == 0);
  const uint32_t unit = 4 * 4 * 3;
  for (const uint32_t n : {2u, 4u, 8u}) {
    DriveConfig c = plain;
    c.rain.dies = n;
    FtlStats s;
    const double with_parity = rate(c, Opcode::kWrite, &s);
    MESSAGE("one of " << n << ": " << with_parity / whole << " of the rate");
    near(with_parity / whole, 1.0 - 1.0 / n, 0.02);
    // Complete rows: the data are n - 1 times the parity; the last row may still be open.
    const uint64_t data = s.programmed_total() - s.programmed_by(Cause::kParity);
    const uint64_t parity = s.programmed_by(Cause::kParity);
    CHECK(parity * (n - 1) <= data);
    CHECK(data - parity * (n - 1) <= uint64_t{unit} * (8 / n) * (n - 1));
    CHECK(s.programmed_by(Cause::kHost) == s.host_write_slots);
  }
}

TEST_CASE("a stream has the dies of one superblock") {
  const DriveConfig all = array_bound();
  for (const Opcode opcode : {Opcode::kWrite, Opcode::kRead}) {
    const double whole = rate(all, opcode);
    for (const uint32_t width : {4u, 2u}) {
      DriveConfig c = all;
      c.nand.geometry.superblock_dies = width;
      const double narrow = rate(c, opcode);
      MESSAGE(width << " of 8 dies: " << narrow / whole << " of the rate of "
                    << std::string(opcode == Opcode::kRead ? "reads" : "writes"));
      // The buffer and the queue reach over the end of a superblock into the next group of dies.
      CHECK(narrow / whole > 0.98 * width / 8);
      CHECK(narrow / whole < 1.35 * width / 8);
    }
  }
}

TEST_CASE("a stream that fills several superblocks in turn has the dies of all of them") {
  const DriveConfig all = array_bound();
  for (const Opcode opcode : {Opcode::kWrite, Opcode::kRead}) {
    const double whole = rate(all, opcode);
    for (const uint32_t width : {4u, 2u, 1u}) {
      for (const uint32_t at_once : {8 / width, 4 / width}) {
        if (at_once == 0) continue;
        DriveConfig c = all;
        c.nand.geometry.superblock_dies = width;
        c.write.open_superblocks = at_once;
        c.gc.low_watermark = stream_plan(c).relocation_reserve();
        c.gc.high_watermark = c.gc.low_watermark + 1;
        const double share = rate(c, opcode) / whole;
        MESSAGE(at_once << " of " << width << " dies: " << share << " of the rate of "
                        << std::string(opcode == Opcode::kRead ? "reads" : "writes"));
        CHECK(share > 0.97 * at_once * width / 8);
        CHECK(share < 1.35 * at_once * width / 8);
      }
    }
  }
}

TEST_CASE("superblocks are opened in one group of dies after the other") {
  DriveConfig c = array_bound();
  c.nand.geometry.superblock_dies = 2;
  c.nand.geometry.word_lines = 4;
  REQUIRE(fit_capacity(c, 1, 0));
  c.capacity = Bytes(c.user_slots() / 64 * 32 * uint64_t{kSlotBytes});  // there is a choice
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 16);
  SequentialSource writes(Opcode::kWrite, c.user_slots(), 32);
  host.run(writes, 3 * (c.user_slots() / 32));
  const SuperblockTable& table = device.firmware().superblocks();
  std::vector<std::pair<uint64_t, uint32_t>> opened;
  for (uint32_t s = 0; s < table.size(); ++s) {
    const Superblock& superblock = table[SuperblockId(s)];
    if (superblock.state != SuperblockState::kFree && superblock.stream == Stream::kHostTlc)
      opened.emplace_back(superblock.opened, table.layout().group_of(SuperblockId(s)));
  }
  std::sort(opened.begin(), opened.end());
  uint32_t turns = 0;
  for (size_t i = 1; i < opened.size(); ++i)
    turns += opened[i].second == (opened[i - 1].second + 1) % 4;
  MESSAGE(turns << " of " << opened.size() - 1 << " in turn");
  CHECK(turns * 10 > (opened.size() - 1) * 6);  // by chance it would be a quarter
}

TEST_CASE("each stripe order spreads 128 KiB over dies and planes in its own way") {
  struct Expected {
    StripeOrder order;
    double dies;  // per 128 KiB: 32 slots, 8 pages, 2 chunks
    double senses;
    uint32_t planes;  // of most senses
  };
  const Expected cases[] = {
      {StripeOrder::kPlaneDiePage, 2, 2, 4},        // a chunk on each of two dies
      {StripeOrder::kPlanePageDie, 4.0 / 3, 2, 4},  // three chunks to a die: one window in three
      {StripeOrder::kDiePlanePage, 8, 8, 1},        // a page on each of eight dies
      {StripeOrder::kPagePlaneDie, 4.0 / 3, 8, 1},  // twelve pages to a die: one in three
  };
  for (const Expected& e : cases) {
    DriveConfig c = array_bound();
    c.nand.geometry.stripe_order = e.order;
    REQUIRE(fit_capacity(c, 1, 0));
    Simulator sim(1);
    Device device(sim, c, "drive");
    LoadHost host(sim, device.host(), 1);
    const uint32_t units = 8 * 48 * 6;  // six rows
    SequentialSource writes(Opcode::kWrite, units, 32);
    host.run(writes, units / 32);
    sim.run();
    const Placement p = measure_placement(device.firmware().map(), device.firmware().superblocks(),
                                          Lpn(0), units, units, 32);
    const auto windows = static_cast<double>(p.windows);
    CHECK(p.slots == units);
    CHECK(static_cast<double>(p.dies) / windows == doctest::Approx(e.dies));
    CHECK(static_cast<double>(p.senses) / windows == doctest::Approx(e.senses));
    CHECK(p.by_planes[e.planes] == p.senses);
    // What the reader does is what the survey says.
    const uint64_t before = device.firmware().stats().flash_read_ops;
    SequentialSource reads(Opcode::kRead, units, 32);
    host.run(reads, units / 32);
    CHECK(device.firmware().stats().flash_read_ops - before == p.senses);
  }
}

}  // namespace ftlsim::test
