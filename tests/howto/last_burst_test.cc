// The policy of docs/howto-cache-policy.md, as its test would be written: decisions on hand-made
// states, and an effect on a drive.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

#include "ftl/slc/size_policy.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim {

void register_last_burst(SlcSizeFamily& family);  // in the tool its line in register.cc

namespace test {
namespace {

const SlcSizeFamily& sizes() {
  static const SlcSizeFamily kFamily = [] {
    SlcSizeFamily family;
    register_last_burst(family);
    return family;
  }();
  return kFamily;
}

DriveConfig drive() {
  DriveConfig c = tiny_drive();
  c.nand.geometry.blocks_per_plane = 64;
  c.slc.mode = PolicyChoice<SlcSizeFamily>(sizes(), "last_burst");
  set_keys(c, {"slc.last_burst.least=256KiB", "slc.last_burst.margin=0.5"});
  REQUIRE(fit_capacity(c, 1, 6'000));
  REQUIRE(problems(c, 1).empty());
  return c;
}

std::string read_file(const std::string& path) {
  std::ifstream in(std::string(FTLSIM_SOURCE_DIR "/") + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("last_burst: decisions") {
  const LimitCurve none({});
  const auto policy = drive().slc.mode.make({none, 3, 10'000});
  SlcState s;
  CHECK(policy->limit(s) == 64);
  s.host_written = 1'000;
  CHECK(policy->limit(s) == 64);  // the burst has not ended
  s.idle = true;
  CHECK(policy->limit(s) == 1'500);
  CHECK(policy->limit(s) == 1'500);  // asked again: nothing new
  s.host_written = 1'010;
  CHECK(policy->limit(s) == 64);
  policy->reset();
  CHECK(policy->limit_at(s) == 64);
}

TEST_CASE("last_burst: parameters are checked with both keys") {
  DriveConfig c = drive();
  set_keys(c, {"slc.last_burst.least=1GiB"});
  const std::string text = problems(c, 1);
  CHECK(text.find("slc.last_burst.least") != std::string::npos);
  CHECK(text.find("capacity") != std::string::npos);
}

TEST_CASE("last_burst: the second of two equal bursts fits the cache") {
  const DriveConfig c = drive();
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 8);
  SequentialSource writes(Opcode::kWrite, c.user_slots(), 8);
  const FtlStats& stats = device.firmware().stats();
  const auto to_tlc = [&] { return stats.programmed[static_cast<size_t>(Cause::kHost)][1]; };
  sim.run_until(sim.now() + Duration::ms(10));
  host.run(writes, 100);
  sim.run_until(sim.now() + Duration::s(1));
  const uint64_t first = to_tlc();
  CHECK(first >= 800 - 2 * 64);
  host.run(writes, 100);
  sim.run_until(sim.now() + Duration::s(1));
  CHECK(to_tlc() == first);
}

TEST_CASE("the how-to shows the file that is compiled here, in at most 60 lines") {
  const std::string code = read_file("tests/howto/last_burst.cc");
  const std::string page = read_file("docs/howto-cache-policy.md");
  REQUIRE(!code.empty());
  CHECK(page.find("```cpp\n" + code + "```\n") != std::string::npos);
  CHECK(std::count(code.begin(), code.end(), '\n') <= 60);
}

}  // namespace test
}  // namespace ftlsim
