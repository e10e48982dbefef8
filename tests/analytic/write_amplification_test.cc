// Write amplification of uniform random overwrites under greedy garbage collection against the
// mean-field fixed point, which is solved here.
//
// Blocks of b slots enter full and lose valid slots by overwrites, each valid slot at the same
// rate. With x_i the share of blocks that have i valid slots and f the rate of block cleanings per
// rate of slot death: x_i * i = f above the lowest level m; a block that drops below m is cleaned
// at once, and the rest of the cleanings takes blocks of level m. From sum(x_i) = 1 and sum(i *
// x_i) = b * rho, with rho the share of slots that hold user data:
//   f = (b rho - m) / (b - m - m (H_b - H_m)),  x_m = 1 - f (H_b - H_m),  WA = f / rho,
// for the one m with 0 <= x_m <= f / m. (Van Houdt, "A mean field model for a class of garbage
// collection algorithms in flash-based solid state drives", 2013; Desnoyers, "Analytic modeling of
// SSD write performance", 2012, treat the same system.) For b -> infinity WA = 1 / (1 - a) with
// a = -rho W(-exp(-1 / rho) / rho).
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// The fixed point for blocks of `b` slots of which a share `rho` holds user data.
double mean_field(uint32_t b, double rho) {
  double harmonic = 0;  // H_b - H_m
  for (uint32_t m = b - 1; m > 0; --m) {
    harmonic += 1.0 / (m + 1);
    const double f = (b * rho - m) / (b - m - m * harmonic);
    const double at_m = 1 - f * harmonic;
    if (f > 0 && at_m >= -1e-12 && at_m <= f / m + 1e-12) return f / rho;
  }
  return NAN;
}

// The limit of large blocks; W is the principal branch, by Newton's method.
double large_block_limit(double rho) {
  const double x = -std::exp(-1 / rho) / rho;
  double w = -0.5;
  for (int i = 0; i < 200; ++i) w -= (w * std::exp(w) - x) / (std::exp(w) * (1 + w));
  return 1 / (1 + rho * w);
}

// Greedy collection as a toy: an array of blocks, one append point, no drive around it.
double toy_greedy(uint32_t blocks, uint32_t b, uint32_t user, Rng rng) {
  std::vector<uint32_t> where(user, UINT32_MAX);
  std::vector<uint32_t> owner(size_t{blocks} * b, UINT32_MAX);
  std::vector<uint32_t> valid(blocks, 0);
  std::vector<uint8_t> full(blocks, 0);
  std::vector<uint32_t> free;
  for (uint32_t i = 0; i < blocks; ++i) free.push_back(i);
  uint32_t open = free.back();
  uint32_t position = 0;
  free.pop_back();
  uint64_t written = 0;
  const auto append = [&](uint32_t lpn) {
    if (where[lpn] != UINT32_MAX) {
      --valid[where[lpn] / b];
      owner[where[lpn]] = UINT32_MAX;
    }
    if (position == b) {
      full[open] = 1;
      open = free.back();
      free.pop_back();
      position = 0;
    }
    where[lpn] = open * b + position;
    owner[where[lpn]] = lpn;
    ++valid[open];
    ++position;
    ++written;
  };
  const auto write = [&](uint32_t lpn) {
    append(lpn);
    while (free.size() < 2) {
      uint32_t victim = UINT32_MAX;
      for (uint32_t i = 0; i < blocks; ++i)
        if (full[i] != 0 && (victim == UINT32_MAX || valid[i] < valid[victim])) victim = i;
      for (uint32_t i = 0; i < b; ++i)
        if (const uint32_t moved = owner[size_t{victim} * b + i]; moved != UINT32_MAX)
          append(moved);
      full[victim] = 0;
      free.push_back(victim);
    }
  };
  for (uint32_t lpn = 0; lpn < user; ++lpn) write(lpn);
  for (uint64_t i = 0; i < 5ull * user; ++i) write(static_cast<uint32_t>(rng.below(user)));
  const uint64_t before = written;
  for (uint64_t i = 0; i < 2ull * user; ++i) write(static_cast<uint32_t>(rng.below(user)));
  return static_cast<double>(written - before) / static_cast<double>(2ull * user);
}

// 4,160 superblocks of 256 slots on one die; everything that costs time is small.
DriveConfig waf_drive() {
  DriveConfig c = tiny_drive();
  GeometryConfig& g = c.nand.geometry;
  g.channels = g.dies_per_channel = 1;
  g.planes = 4;
  g.bits_per_cell = 4;
  g.word_lines = 4;
  g.strings = 1;
  g.blocks_per_plane = 4160;
  c.queues.count = 1;
  c.queues.mdts = Bytes::kib(64);
  c.buffer.size = Bytes::mib(1);
  c.buffer.relocation_size = Bytes::kib(512);
  c.buffer.idle_flush = Duration::s(1);
  c.space.meta_superblocks = 0;
  return c;
}

struct Measured {
  double waf;
  double pads;  // their part of it
  double rho;
};

// Fills the drive, overwrites it four times at random and measures the fifth.
Measured measure(double spare) {
  DriveConfig c = waf_drive();
  const uint32_t kept = 2 + c.gc.high_watermark;  // open superblocks and free target
  const double in_play = (c.nand.geometry.blocks_per_plane - kept) * 256.0;
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
  host.run(random, user);
  const FtlStats& after = device.firmware().stats();
  const auto host_slots = static_cast<double>(after.host_write_slots - before.host_write_slots);
  const uint64_t pads = after.programmed_by(Cause::kPad) - before.programmed_by(Cause::kPad);
  return {static_cast<double>(after.programmed_total() - before.programmed_total()) / host_slots,
          static_cast<double>(pads) / host_slots, user / in_play};
}

}  // namespace

TEST_CASE("the mean-field solver") {
  for (const double spare : {0.05, 0.07, 0.12, 0.28, 0.5, 1.0}) {
    CAPTURE(spare);
    const double rho = 1 / (1 + spare);
    const double limit = large_block_limit(rho);
    CHECK(std::abs(mean_field(1'000'000, rho) - limit) < 1e-3 * limit);
    // Finite blocks are better than the limit, the more the smaller they are.
    CHECK(mean_field(256, rho) < limit);
    CHECK(mean_field(32, rho) < mean_field(256, rho));
  }
  // The large-block solution satisfies its own equation: rho = (a - 1) / ln a.
  const double a = 1 - 1 / large_block_limit(0.9);
  CHECK(std::abs((a - 1) / std::log(a) - 0.9) < 1e-9);
  // A simulation that shares nothing with the drive agrees. Two blocks are not in play.
  constexpr uint32_t kBlocks = 1026;
  constexpr uint32_t kUser = 1024 * 64 * 4 / 5;
  const double toy = toy_greedy(kBlocks, 64, kUser, Rng(1, "test/toy"));
  const double expected = mean_field(64, 0.8);
  CAPTURE(toy);
  CAPTURE(expected);
  CHECK(std::abs(toy - expected) < 0.02 * expected);
}

TEST_CASE("write amplification of uniform random overwrites") {
  struct Case {
    double spare;
    double tolerance;
  };
  for (const Case& t : {Case{0.28, 0.03}, Case{0.12, 0.03}, Case{0.07, 0.05}}) {
    const Measured m = measure(t.spare);
    const double expected = mean_field(256, m.rho);
    CAPTURE(t.spare);
    CAPTURE(m.waf);
    CAPTURE(m.pads);
    CAPTURE(expected);
    CHECK(std::abs(m.waf - expected) <= t.tolerance * expected);
    MESSAGE("spare " << t.spare << ": write amplification " << m.waf << ", fixed point "
                     << expected);
  }
}

}  // namespace ftlsim::test
