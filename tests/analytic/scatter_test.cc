// Relocation and the order of data on the dies: what garbage collection moves in the order in which
// its reads complete lies on fewer dies than before; moved in the order of its stripe it does not.
#include <doctest/doctest.h>

#include <algorithm>

#include "ftl/device.h"
#include "ftl/read/placement.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim {
namespace {

constexpr uint32_t kMiB = 256;  // units

// 16 dies of 4 planes as a drive of 1 TB, in superblocks of 24 MiB.
DriveConfig drive(RelocationOrder order) {
  DriveConfig c = test::tiny_drive();
  GeometryConfig& g = c.nand.geometry;
  g.channels = 8;
  g.dies_per_channel = 2;
  g.planes = 4;
  g.blocks_per_plane = 24;
  g.word_lines = 2;
  g.strings = 4;
  c.buffer.size = Bytes::mib(16);
  c.buffer.relocation_size = Bytes::mib(16);
  c.gc.order = order;
  return c;
}

// A MiB of the cold half of the drive, then one of the hot half, in turn, in writes of 128 KiB.
class Interleaved final : public test::AccessSource {
 public:
  explicit Interleaved(uint32_t hot_begin) : hot_begin_(hot_begin) {}
  test::Access next() override {
    const uint32_t in_pair = at_ % (2 * kMiB);
    const uint32_t unit = at_ / (2 * kMiB) * kMiB + in_pair % kMiB;
    at_ += 32;
    return {Opcode::kWrite, in_pair < kMiB ? unit : hot_begin_ + unit, 32};
  }

 private:
  uint32_t hot_begin_;
  uint32_t at_ = 0;
};

// The hot half again and again.
class Hot final : public test::AccessSource {
 public:
  Hot(uint32_t begin, uint32_t units) : begin_(begin), units_(units) {}
  test::Access next() override {
    const test::Access a{Opcode::kWrite, begin_ + at_, 32};
    at_ = (at_ + 32) % units_;
    return a;
  }

 private:
  uint32_t begin_;
  uint32_t units_;
  uint32_t at_ = 0;
};

struct Outcome {
  Placement before;
  Placement after;
  double moved = 0;  // cold units that were moved, in times of the cold half
  double of(uint64_t sum) const {
    return static_cast<double>(sum) / static_cast<double>(after.windows);
  }
};

// Writes both halves mixed, then overwrites the hot one twice: collection moves the cold one.
Outcome run(RelocationOrder order) {
  DriveConfig c = drive(order);
  REQUIRE(test::fit_capacity(c, 1, 0));
  const uint32_t half = c.user_slots() / (2 * kMiB) * kMiB;
  c.capacity = Bytes(uint64_t{2} * half * kSlotBytes);
  REQUIRE(test::problems(c, 1).empty());
  Simulator sim(1);
  Device device(sim, c, "drive");
  test::LoadHost host(sim, device.host(), 4);
  const Firmware& firmware = device.firmware();
  const auto look = [&] {
    sim.run();  // whatever is in the buffer goes to the medium
    return measure_placement(firmware.map(), firmware.superblocks(), Lpn(0), half, half);
  };
  Interleaved both(half);
  host.run(both, 2 * half / 32);
  Outcome outcome;
  outcome.before = look();
  Hot hot(half, half);
  host.run(hot, 2 * half / 32);
  outcome.after = look();
  outcome.moved = static_cast<double>(firmware.stats().programmed_by(Cause::kGc)) / half;
  return outcome;
}

}  // namespace

TEST_CASE("completion order scatters what it moves, stripe order does not") {
  const Outcome stripe = run(RelocationOrder::kStripe);
  const Outcome completion = run(RelocationOrder::kCompletion);
  const auto mean = [](uint64_t sum, const Placement& p) {
    return static_cast<double>(sum) / static_cast<double>(p.windows);
  };
  for (const Outcome* o : {&stripe, &completion}) {
    // The host wrote a MiB at a time: 16 chunks on 16 dies, four pages of each.
    CHECK(mean(o->before.dies, o->before) > 15);
    CHECK(mean(o->before.busiest, o->before) < 5);
    CHECK(o->moved > 0.8);
    CHECK(o->after.windows == o->before.windows);
    CHECK(o->after.slots == o->before.slots);
  }
  MESSAGE("stripe: " << stripe.of(stripe.after.dies) << " dies, busiest "
                     << stripe.of(stripe.after.busiest) << ", extents "
                     << stripe.of(stripe.after.extents)
                     << "; completion: " << completion.of(completion.after.dies) << ", "
                     << completion.of(completion.after.busiest) << ", "
                     << completion.of(completion.after.extents) << "; moved " << stripe.moved
                     << ", " << completion.moved);
  // Stripe order. Of e extents the longest of 256 / e slots touches as many dies as it has chunks;
  // in one piece all 16. An extent adds at most one chunk of four pages to a die.
  const double extents = stripe.of(stripe.after.extents);
  CHECK(stripe.of(stripe.after.dies) >= 16 - 8 * (extents - 1));
  CHECK(stripe.of(stripe.after.busiest) <= 4 + 4 * extents);
  // Completion order fills one word line of a die (48 slots) after the other: 256 slots in order
  // touch at most 7 of them. What completes out of order may share a word line with its neighbours'
  // data, so a few more.
  CHECK(completion.of(completion.after.dies) < 10);
  // The pages are then on fewer dies: the busiest has at least its share.
  CHECK(completion.of(completion.after.busiest) >= 64.0 / completion.of(completion.after.dies));
  CHECK(completion.of(completion.after.busiest) > 1.5 * stripe.of(stripe.after.busiest));
}

}  // namespace ftlsim
