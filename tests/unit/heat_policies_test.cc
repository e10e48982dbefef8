// Frequency filters: what they call hot, what they forget, and that streams follow.
#include <doctest/doctest.h>

#include "ftl/check.h"
#include "tests/support/load_host.h"
#include "tests/support/policy_text.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

constexpr uint32_t kUnits = 16 * 1024;
constexpr uint32_t kRegion = 16;  // units of the default of 64 KiB

std::unique_ptr<HeatPolicy> filter(std::string_view yaml) {
  return policy_from(heat_policies(), yaml).make({kUnits});
}

void write_all(HeatPolicy& heat, uint32_t first, uint32_t last) {
  for (uint32_t u = first; u < last; u += kRegion) heat.written(Lpn(u), kRegion);
}

// Random single units, `hot` of 100 to the first tenth.
void write_skewed(HeatPolicy& heat, uint32_t n, uint32_t hot, Rng& rng) {
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t span = rng.below(100) < hot ? kUnits / 10 : kUnits;
    heat.written(Lpn(static_cast<uint32_t>(rng.below(span))), 1);
  }
}

// Share of the regions of a range in a class.
double share(const HeatPolicy& heat, uint32_t first, uint32_t last, uint32_t wanted) {
  uint32_t hits = 0;
  uint32_t n = 0;
  for (uint32_t u = first; u < last; u += kRegion, ++n) hits += heat.classify(Lpn(u)) == wanted;
  return static_cast<double>(hits) / n;
}

}  // namespace

TEST_CASE("nothing is separated by default") {
  const auto heat = filter("policy: none");
  CHECK(heat->classes() == 1);
  CHECK(WriteConfig().heat.is("none"));
}

TEST_CASE("a drive that is filled in order is cold throughout") {
  for (const char* name : {"two_level", "multi_level"}) {
    CAPTURE(name);
    const auto heat = filter(std::string("policy: ") + name);
    for (int pass = 0; pass < 3; ++pass)
      for (uint32_t u = 0; u < kUnits; u += kRegion) {
        if (std::string_view(name) == "two_level") CHECK(heat->classify(Lpn(u)) == 0);
        heat->written(Lpn(u), kRegion);
      }
    CHECK(share(*heat, 0, kUnits, heat->classes() - 1) == 0.0);
  }
}

TEST_CASE("the two-level filter finds the tenth that gets nine tenths of the writes") {
  Rng rng(1, "test/heat");
  const auto heat = filter("policy: two_level");
  write_all(*heat, 0, kUnits);
  write_skewed(*heat, 4 * kUnits, 90, rng);
  CHECK(share(*heat, 0, kUnits / 10 - kRegion, 1) > 0.95);
  CHECK(share(*heat, kUnits / 10 + kRegion, kUnits, 0) > 0.99);
  // A uniform load afterwards makes it forget within a few drive writes.
  write_skewed(*heat, 6 * kUnits, 0, rng);
  CHECK(share(*heat, 0, kUnits, 1) < 0.02);
  heat->reset();
  CHECK(share(*heat, 0, kUnits, 0) == 1.0);
}

TEST_CASE("levels follow the frequency") {
  const auto heat = filter("{policy: multi_level, multi_level: {levels: 4, ratio: 4}}");
  CHECK(heat->classes() == 4);
  // Rates 1, 3, 12 and 48 in quarters of equal size: 1/16, 3/16, 3/4 and 3 times the mean of 16.
  Rng rng(1, "test/levels");
  constexpr uint32_t kRates[] = {1, 3, 12, 48};
  for (uint32_t i = 0; i < 8 * kUnits; ++i) {
    auto draw = static_cast<uint32_t>(rng.below(64));
    uint32_t quarter = 0;
    while (draw >= kRates[quarter]) draw -= kRates[quarter++];
    const auto within = static_cast<uint32_t>(rng.below(kUnits / 4));
    heat->written(Lpn(quarter * (kUnits / 4) + within), 1);
  }
  const uint32_t q = kUnits / 4;
  CHECK(share(*heat, 0, q, 0) > 0.95);
  CHECK(share(*heat, q, 2 * q, 0) > 0.95);
  CHECK(share(*heat, 3 * q, 4 * q, 1) > 0.9);  // between 1 and 4 times the mean
}

TEST_CASE("counts do not overflow") {
  const auto heat = filter("{policy: two_level, two_level: {halve_every: 1600%}}");
  for (uint32_t i = 0; i < 70'000; ++i) heat->written(Lpn(0), kRegion);
  for (uint32_t i = 1; i < 9; ++i) heat->written(Lpn(i * kRegion), 1);
  CHECK(heat->classify(Lpn(0)) == 1);
  CHECK(heat->classify(Lpn(kRegion)) == 0);
}

TEST_CASE("each class fills superblocks of its own, and collection keeps them apart") {
  DriveConfig c = tiny_drive();
  c.nand.geometry.blocks_per_plane = 64;
  set_keys(c.write, "{heat: two_level, two_level: {region: 16KiB}}");
  c.gc.streams = StreamSplit::kByHeat;
  c.gc.high_watermark = 6;
  c.buffer.size = Bytes::mib(2);
  c.buffer.relocation_size = Bytes::mib(2);
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE(problems(c, 1).empty());
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 8);
  const uint32_t user = c.user_slots();
  SequentialSource fill(Opcode::kWrite, user, 16);
  host.run(fill, user / 16);
  class Skewed final : public AccessSource {
   public:
    explicit Skewed(uint32_t user) : user_(user) {}
    Access next() override {
      const uint32_t span = rng_.chance(9, 10) ? user_ / 10 : user_;
      return {Opcode::kWrite, static_cast<uint32_t>(rng_.below(span)), 1};
    }

   private:
    uint32_t user_;
    Rng rng_{1, "test/skewed"};
  } skewed(user);
  host.run(skewed, 6ull * user);
  // Valid slots of hot and of cold units by the class of the superblock that holds them.
  uint64_t found[2][2] = {};
  const Firmware& f = device.firmware();
  bool collected[2] = {false, false};
  for (uint32_t u = 0; u < user; ++u) {
    const Ppn ppn = f.map().lookup(Lpn(u), 1).ppn;
    if (!ppn.valid()) continue;
    const Superblock& s = f.superblocks()[f.media().layout().superblock_of(ppn)];
    ++found[u < user / 10][s.heat];
    if (s.stream == Stream::kGc) collected[s.heat] = true;
  }
  CHECK(found[1][1] > 4 * found[1][0]);
  CHECK(found[0][0] > 9 * found[0][1]);
  CHECK(collected[0]);
  CHECK(check_invariants(f).empty());
}

}  // namespace ftlsim::test
