// Which host writes the routes let into the SLC cache.
#include <doctest/doctest.h>

#include "ftl/slc/stream_detector.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

std::unique_ptr<SlcRoutePolicy> make(std::string_view name, std::vector<std::string> keys = {}) {
  DriveConfig c = tiny_drive();
  c.slc.route.select(name);
  set_keys(c, keys);
  return c.slc.route.make({100'000, nullptr});
}

}  // namespace

TEST_CASE("slc.route: all and small") {
  CHECK(make("all")->to_slc({Lpn(5), 1000}));
  const auto small = make("small", {"slc.small.size=16KiB"});
  CHECK(small->to_slc({Lpn(5), 4}));
  CHECK_FALSE(small->to_slc({Lpn(5), 5}));
}

TEST_CASE("slc.route: random refuses what continues a stream, also a little out of order") {
  const auto random = make("random", {"slc.random.streams=2"});
  CHECK(random->to_slc({Lpn(1000), 8}));
  CHECK_FALSE(random->to_slc({Lpn(1008), 8}));
  CHECK_FALSE(random->to_slc({Lpn(1024), 8}));  // overtook the next one
  CHECK_FALSE(random->to_slc({Lpn(1016), 8}));
  CHECK_FALSE(random->to_slc({Lpn(1032), 8}));
  CHECK(random->to_slc({Lpn(50'000), 8}));
  CHECK(random->to_slc({Lpn(70'000), 8}));  // a third stream: the quietest is forgotten
  CHECK_FALSE(random->to_slc({Lpn(50'008), 8}));
  CHECK(random->to_slc({Lpn(1040), 8}));
  random->reset();
  CHECK(random->to_slc({Lpn(1048), 8}));
}

TEST_CASE("slc.route: sequential_bypass refuses what follows a long run") {
  const auto bypass = make("sequential_bypass", {"slc.sequential_bypass.length=64KiB"});
  CHECK(bypass->to_slc({Lpn(0), 8}));
  CHECK(bypass->to_slc({Lpn(8), 8}));
  CHECK_FALSE(bypass->to_slc({Lpn(16), 8}));
  CHECK(bypass->to_slc({Lpn(5000), 8}));
  CHECK_FALSE(bypass->to_slc({Lpn(24), 8}));
}

TEST_CASE("slc.route: hot takes the classes of write.heat from one on") {
  struct Classes final : HeatPolicy {
    uint32_t classes() const override { return 3; }
    uint32_t region_units() const override { return 1; }
    uint32_t classify(Lpn lpn) const override { return lpn.value() % 3; }
    void written(Lpn, uint32_t) override {}
  } heat;
  for (const uint32_t coldest : {1u, 2u}) {
    DriveConfig c = tiny_drive();
    set_keys(c, {"slc.route=hot", fmt::format("slc.hot.class={}", coldest)});
    const auto hot = c.slc.route.make({100'000, &heat});
    for (uint32_t lpn = 0; lpn < 6; ++lpn)
      CHECK(hot->to_slc({Lpn(lpn), 8}) == (lpn % 3 >= coldest));
  }
}

TEST_CASE("slc.route: hot without classes is explained with both keys") {
  DriveConfig c = tiny_drive();
  use_slc(c);
  set_keys(c, {"slc.route=hot"});
  std::string text = problems(c, 1);
  CHECK(text.find("slc.route") != std::string::npos);
  CHECK(text.find("write.heat") != std::string::npos);
  set_keys(c, {"write.heat=two_level", "slc.hot.class=2"});
  text = problems(c, 1);
  CHECK(text.find("slc.hot.class") != std::string::npos);
  CHECK(text.find("write.heat") != std::string::npos);
}

}  // namespace ftlsim::test
