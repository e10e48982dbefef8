// What a full SLC cache does with host data, and when dead data give their superblocks back.
#include <doctest/doctest.h>

#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

std::unique_ptr<ExhaustionPolicy> at_exhaustion(std::string_view name, std::string share = "25%") {
  DriveConfig c = tiny_drive();
  c.slc.at_exhaustion.select(name);
  set_keys(c, {"slc.mix.share=" + share});
  return c.slc.at_exhaustion.make({});
}

std::unique_ptr<SlcReleasePolicy> release(std::string_view name, std::string valid = "10%") {
  DriveConfig c = tiny_drive();
  c.slc.release.select(name);
  set_keys(c, {"slc.nearly_dead.valid=" + valid});
  return c.slc.release.make({});
}

}  // namespace

TEST_CASE("slc.at_exhaustion: direct folds nothing, fold_through waits") {
  const auto direct = at_exhaustion("direct");
  CHECK_FALSE(direct->waits());
  CHECK_FALSE(direct->folds());
  direct->placed(false, 1'000);
  CHECK(direct->to_slc(8, 100) == 0);
  const auto through = at_exhaustion("fold_through");
  CHECK(through->waits());
  CHECK(through->folds());
}

TEST_CASE("slc.at_exhaustion: mix earns room in SLC by what goes to TLC") {
  const auto mix = at_exhaustion("mix", "25%");
  CHECK_FALSE(mix->waits());
  CHECK(mix->folds());
  CHECK(mix->to_slc(8, 100) == 0);
  mix->placed(false, 9);  // a quarter of the whole is a third of what went to TLC
  CHECK(mix->to_slc(8, 100) == 3);
  CHECK(mix->to_slc(8, 2) == 2);
  CHECK(mix->to_slc(1, 100) == 1);
  mix->placed(true, 2);
  CHECK(mix->to_slc(8, 100) == 1);
  mix->placed(true, 5);  // more than earned: nothing is owed
  CHECK(mix->to_slc(8, 100) == 0);
  mix->placed(false, 3);
  CHECK(mix->to_slc(8, 100) == 1);
  mix->reset();
  CHECK(mix->to_slc(8, 100) == 0);
}

TEST_CASE("slc.at_exhaustion: the share of a mix holds over many commands of any size") {
  for (const uint32_t percent : {0u, 10u, 50u, 90u}) {
    const auto mix = at_exhaustion("mix", fmt::format("{}%", percent));
    uint64_t total = 0;
    uint64_t slc = 0;
    for (uint32_t i = 0; i < 10'000; ++i) {
      const uint32_t units = 1 + i * 7 % 32;
      total += units;
      for (uint32_t left = units; left != 0;) {
        const uint32_t n = mix->to_slc(left, 1'000);
        mix->placed(n != 0, n == 0 ? left : n);
        slc += n;
        left -= n == 0 ? left : n;
      }
    }
    CAPTURE(percent);
    // One command ahead or behind.
    CHECK(slc * 100 + 32 * 100 >= total * percent);
    CHECK(slc * 100 <= total * percent + 32 * 100);
  }
}

TEST_CASE("slc.release: who comes back when") {
  CHECK_FALSE(release("lazy")->at_death());
  CHECK_FALSE(release("lazy")->empties());
  CHECK(release("dead")->at_death());
  CHECK_FALSE(release("dead")->empties());
  const auto nearly = release("nearly_dead", "10%");
  CHECK(nearly->at_death());
  CHECK(nearly->empties());
  SlcReleaseState s;
  s.usable = 1'000;
  for (const uint32_t valid : {0u, 1u, 100u}) {
    s.valid = valid;
    CHECK(nearly->wants(s));
  }
  s.valid = 101;
  CHECK_FALSE(nearly->wants(s));
}

}  // namespace ftlsim::test
