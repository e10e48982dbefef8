// Model-based test: random commands on random tiny drives. Every read returns the last write, the
// invariants hold between commands, and no command gets stuck.
//
// SEEDS=n runs n seeds (default 300), FIRST=k starts at seed k: a failure names both seed and
// configuration.
#include <doctest/doctest.h>

#include <cstdlib>
#include <exception>

#include "tests/support/swarm.h"

namespace ftlsim::test {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// One seed; empty or what went wrong.
std::string run_seed(uint64_t seed, bool paged_map) {
  DriveConfig config = random_drive(seed, paged_map);
  try {
    Rng rng(seed, "test/steps");
    const auto depth = pick(rng, {1u, 2u, 8u, 32u});
    std::vector<Step> steps;
    for (int round = 0; round < 3; ++round) {
      const std::vector<Step> more = random_steps(config, rng, random_weights(rng), 1500);
      steps.insert(steps.end(), more.begin(), more.end());
    }
    Simulator sim(seed);
    Device device(sim, config, "drive", true);
    // One drive in three has a map whose translations take time.
    if (seed % 3 == 0)
      device.firmware().map().delay_requests(sim, 2 + static_cast<uint32_t>(seed % 7),
                                             Duration::us(40));
    TokenHost host(sim, device, depth, 200);
    host.run(steps);
    host.verify_all();
    host.check_now();
    return {};
  } catch (const std::exception& e) {
    return fmt::format("seed {}: {}\n{}", seed, e.what(), echo_config(config));
  }
}

void run_seeds(bool paged_map) {
  const uint64_t first = from_environment("FIRST", 1);
  const uint64_t seeds = from_environment("SEEDS", 300);
  uint32_t failures = 0;
  for (uint64_t seed = first; seed < first + seeds && failures < 5; ++seed) {
    const std::string failure = run_seed(seed, paged_map);
    CHECK_MESSAGE(failure.empty(), failure);
    failures += !failure.empty();
  }
}

}  // namespace

TEST_CASE("every read returns the last write") { run_seeds(false); }

TEST_CASE("every read returns the last write with a map on flash") { run_seeds(true); }

}  // namespace ftlsim::test
