// Write amplification of uniform random overwrites against mean-field fixed points: greedy,
// d-choices and FIFO, blocks of 64 and 256 slots.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/analytic/mean_field.h"
#include "tests/support/load_host.h"
#include "tests/support/policy_text.h"
#include "tests/support/sanitized.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// 4,160 superblocks of `slots` slots (64 or 256) on one die; everything that costs time is small. A
// superblock has 16 word lines, and the relocation buffer holds half of it: else padding eats what
// a nearly full victim gains.
DriveConfig waf_drive(uint32_t slots) {
  DriveConfig c = tiny_drive();
  GeometryConfig& g = c.nand.geometry;
  g.channels = g.dies_per_channel = 1;
  g.planes = 1;
  g.page_size = Bytes::kib(slots / 16);  // 1 or 4 slots
  g.bits_per_cell = 4;
  g.word_lines = 16;
  g.strings = 1;
  g.blocks_per_plane = 4160;
  c.queues.count = 1;
  c.queues.mdts = Bytes::kib(64);
  c.buffer.size = Bytes::mib(1);
  c.buffer.relocation_size = Bytes(uint64_t{slots} / 2 * kSlotBytes);
  c.buffer.idle_flush = Duration::s(1);
  c.space.meta_superblocks = 0;
  return c;
}

struct Measured {
  double waf;
  double pads;  // their part of it
  double rho;
};

// Fills the drive, overwrites it four times at random and measures half a drive write more.
Measured measure(DriveConfig c, const std::string& policy, double spare) {
  set_keys(c.gc, policy);
  const uint32_t slots = c.nand.geometry.word_lines * c.nand.geometry.bits_per_cell *
                         static_cast<uint32_t>(c.nand.geometry.page_size.count() / kSlotBytes);
  const uint32_t kept = 2 + c.gc.high_watermark;  // open superblocks and free target
  const double in_play = (c.nand.geometry.blocks_per_plane - kept) * static_cast<double>(slots);
  const auto user = static_cast<uint32_t>(in_play / (1 + spare));
  c.capacity = Bytes(uint64_t{user} * kSlotBytes);
  REQUIRE(problems(c, 1).empty());
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 8);
  SequentialSource fill(Opcode::kWrite, user, 16);
  host.run(fill, user / 16);
  RandomSource random(Opcode::kWrite, user, 1, Rng(1, "test/waf"));
  host.run(random, 4ull * user);
  const FtlStats before = device.firmware().stats();
  host.run(random, user / 2);
  const FtlStats& after = device.firmware().stats();
  const auto host_slots = static_cast<double>(after.host_write_slots - before.host_write_slots);
  const uint64_t pads = after.programmed_by(Cause::kPad) - before.programmed_by(Cause::kPad);
  return {static_cast<double>(after.programmed_total() - before.programmed_total()) / host_slots,
          static_cast<double>(pads) / host_slots, user / in_play};
}

constexpr uint32_t kChoices = 20;

struct Policy {
  std::string keys;
  double (*fixed_point)(uint32_t slots, double rho);
};

const Policy kPolicies[] = {
    {"victim: greedy", greedy_fixed_point},
    {fmt::format("{{victim: d_choices, d_choices: {{d: {}}}}}", kChoices),
     [](uint32_t slots, double rho) { return d_choices_fixed_point(slots, rho, kChoices); }},
    {"victim: fifo", [](uint32_t, double rho) { return fifo_fixed_point(rho); }},
};

struct Case {
  double spare;
  double tolerance;
};
constexpr Case kCases[] = {{0.28, 0.03}, {0.12, 0.03}, {0.07, 0.05}};

void compare(uint32_t slots) {
  for (const Case& t : kCases) {
    if (kSanitized && t.spare < 0.2) continue;
    double last = 0;
    for (const Policy& policy : kPolicies) {
      const Measured m = measure(waf_drive(slots), policy.keys, t.spare);
      const double expected = policy.fixed_point(slots, m.rho);
      CAPTURE(policy.keys);
      CAPTURE(slots);
      CAPTURE(t.spare);
      CAPTURE(m.waf);
      CAPTURE(m.pads);
      CAPTURE(expected);
      CHECK(std::abs(m.waf - expected) <= t.tolerance * expected);
      // Greedy is the best of the three, FIFO the worst.
      if (slots == 64) CHECK(m.waf > last);
      last = m.waf;
      MESSAGE(policy.keys << ", " << slots << " slots, spare " << t.spare
                          << ": write amplification " << m.waf << ", fixed point " << expected);
    }
  }
}

}  // namespace

TEST_CASE("the fixed points") {
  for (const double spare : {0.05, 0.07, 0.12, 0.28, 0.5, 1.0}) {
    CAPTURE(spare);
    const double rho = 1 / (1 + spare);
    const double limit = fifo_fixed_point(rho);
    CHECK(std::abs(greedy_fixed_point(1'000'000, rho) - limit) < 1e-3 * limit);
    // Finite blocks are better than the limit, the more the smaller they are.
    CHECK(greedy_fixed_point(256, rho) < limit);
    CHECK(greedy_fixed_point(32, rho) < greedy_fixed_point(256, rho));
  }
  // The large-block solution satisfies its own equation: rho = (a - 1) / ln a.
  const double a = 1 - 1 / fifo_fixed_point(0.9);
  CHECK(std::abs((a - 1) / std::log(a) - 0.9) < 1e-9);
  // Many choices are greedy, more choices are better than fewer.
  const double greedy = greedy_fixed_point(32, 0.8);
  CHECK(std::abs(d_choices_fixed_point(32, 0.8, 3000) - greedy) < 2e-3 * greedy);
  CHECK(d_choices_fixed_point(32, 0.8, 10) > greedy);
  CHECK(d_choices_fixed_point(32, 0.8, 2) > d_choices_fixed_point(32, 0.8, 10));
}

TEST_CASE("a toy agrees with the fixed points") {
  constexpr uint32_t kBlocks = 1026;  // two of them are not in play
  constexpr uint32_t kUser = 1024 * 64 * 4 / 5;
  for (const uint32_t d : {0u, 2u, 10u}) {
    CAPTURE(d);
    const double toy = toy_write_amplification(kBlocks, 64, kUser, d, Rng(1, "test/toy"));
    const double expected =
        d == 0 ? greedy_fixed_point(64, 0.8) : d_choices_fixed_point(64, 0.8, d);
    CAPTURE(toy);
    CAPTURE(expected);
    CHECK(std::abs(toy - expected) < 0.02 * expected);
  }
}

TEST_CASE("write amplification of uniform random overwrites, 64 slots") { compare(64); }

TEST_CASE("write amplification of uniform random overwrites, 256 slots" *
          doctest::skip(kSanitized)) {
  compare(256);
}

// A word line that the host has begun may stay open while collection turns over all superblocks:
// nothing waits for it, so nothing pads it.
TEST_CASE("write amplification with few and large word lines") {
  for (const uint32_t rows : {8u, 4u}) {
    CAPTURE(rows);
    DriveConfig c = waf_drive(64);
    c.nand.geometry.word_lines = rows;
    c.nand.geometry.page_size = Bytes::kib(64 / rows);
    const Measured m = measure(c, "victim: fifo", kSanitized ? 0.28 : 0.07);
    const double expected = fifo_fixed_point(m.rho);
    CAPTURE(m.waf);
    CAPTURE(m.pads);
    CAPTURE(expected);
    CHECK(std::abs(m.waf - expected) <= 0.05 * expected);
    MESSAGE(rows << " word lines of " << 64 / rows << " slots: write amplification " << m.waf
                 << ", pads " << m.pads << ", fixed point " << expected);
  }
}

}  // namespace ftlsim::test
