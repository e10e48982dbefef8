// Which host writes the routes let into the SLC cache.
#include <doctest/doctest.h>

#include "ftl/slc/overwrite_filter.h"
#include "ftl/slc/stream_detector.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

std::unique_ptr<SlcRoutePolicy> make(std::string_view name, std::vector<std::string> keys = {}) {
  DriveConfig c = tiny_drive();
  c.slc.route.select(name);
  set_keys(c, keys);
  return c.slc.route.make({100'000});
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

TEST_CASE("slc.route: hot takes what was overwritten lately") {
  const auto hot = make("hot", {"slc.hot.writes=2", "slc.hot.window=100%"});
  CHECK_FALSE(hot->to_slc({Lpn(160), 16}));
  CHECK_FALSE(hot->to_slc({Lpn(160), 16}));
  CHECK(hot->to_slc({Lpn(160), 16}));
  CHECK_FALSE(hot->to_slc({Lpn(320), 16}));
}

TEST_CASE("the overwrite filter counts passes, not steps, and forgets") {
  OverwriteFilter filter(1000, 100);
  // One pass in small steps over 64 KiB counts once.
  for (uint32_t i = 0; i < 16; ++i) CHECK(filter.observe(Lpn(i), 1) == (i == 0 ? 0 : 1));
  for (uint32_t i = 0; i < 16; ++i) CHECK(filter.observe(Lpn(i), 1) == (i == 0 ? 1 : 2));
  CHECK(filter.observe(Lpn(3), 1) == 2);
  CHECK(filter.observe(Lpn(3), 1) == 3);
  CHECK(filter.observe(Lpn(999), 1) == 0);   // the last unit has a counter
  CHECK(filter.observe(Lpn(100), 65) == 0);  // the window is full: counts are halved
  CHECK(filter.observe(Lpn(3), 1) == 2);
  filter.reset();
  CHECK(filter.observe(Lpn(3), 1) == 0);
  for (uint32_t i = 0; i < 40; ++i) filter.observe(Lpn(3), 1);
  CHECK(filter.observe(Lpn(3), 1) == OverwriteFilter::kMost);
}

}  // namespace ftlsim::test
