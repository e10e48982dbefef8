// Random commands on random tiny drives whose data age and fail: every read returns the last write
// or an error, lost data never come back as something else, and the invariants hold.
#include <doctest/doctest.h>

#include <exception>

#include "tests/support/reliability.h"
#include "tests/support/swarm.h"

namespace ftlsim::test {
namespace {

// Constants for any number of bits per cell, worn so that ages of months make reads fail.
void use_errors(DriveConfig& c, Rng& rng) {
  ReliabilityConfig r = ct_tlc(true);
  const std::vector<PageFit> pages = r.surface.pages;
  r.surface.pages.clear();
  for (uint32_t i = 0; i < c.nand.geometry.bits_per_cell; ++i)
    r.surface.pages.push_back(pages[i % pages.size()]);
  r.retry.policy =
      pick(rng, {RetryPolicy::kTableWalk, RetryPolicy::kCached, RetryPolicy::kAgeIndexed});
  r.retry.pipelined = c.nand.timing.cache_read && rng.chance(1, 2);
  r.retry.soft.enabled = rng.chance(1, 2);
  r.weak.share = pick(rng, {0.0, 0.1});
  r.ecc.decoders = pick(rng, {0u, 1u});
  r.initial_cycles = pick(rng, {100.0, 3000.0, 9000.0});
  c.nand.reliability = r;
}

std::string run_seed(uint64_t seed, uint64_t& lost) {
  DriveConfig config = random_drive(seed);
  Rng rng(seed, "test/errors");
  use_errors(config, rng);
  if (const std::string bad = problems(config, seed); !bad.empty()) return bad;
  try {
    Simulator sim(seed);
    Device device(sim, config, "drive", true);
    TokenHost host(sim, device, pick(rng, {1u, 8u, 32u}), 200);
    host.expect_unrecovered();
    for (int round = 0; round < 4; ++round) {
      host.run(random_steps(config, rng, random_weights(rng), 800));
      const Duration span = Duration::s(86'400) * between(rng, 1, 400);
      device.host().rest_unpowered(span, between(rng, 10, 60) * 1000);
    }
    host.verify_all();
    host.check_now();
    StatRegistry registry;
    device.register_stats(registry);
    device.settle();
    const std::vector<std::string> laws = registry.check_laws();
    if (!laws.empty()) return laws.front();
    lost += device.media().lost_slots();
    return {};
  } catch (const std::exception& e) {
    return fmt::format("seed {}: {}\n{}", seed, e.what(), echo_config(config));
  }
}

}  // namespace

TEST_CASE("every read returns the last write or an error") {
  uint64_t lost = 0;
  uint32_t failures = 0;
  for (uint64_t seed = 1; seed <= 100 && failures < 5; ++seed) {
    const std::string failure = run_seed(seed, lost);
    CHECK_MESSAGE(failure.empty(), failure);
    failures += !failure.empty();
  }
  CHECK(lost > 0);
}

namespace {

// A small drive that cannot correct anything old.
DriveConfig hopeless() {
  DriveConfig c = tiny_drive();
  c.nand.reliability = ct_tlc();
  c.nand.reliability.retry.policy = RetryPolicy::kAgeIndexed;
  c.nand.reliability.retry.soft.enabled = false;
  c.nand.reliability.initial_cycles = 30'000;
  return c;
}

}  // namespace

TEST_CASE(
    "lost data stay lost through relocation, and only for as long as they are not rewritten") {
  DriveConfig c = hopeless();
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive", true);
  TokenHost host(sim, device, 8, 50);
  const uint32_t units = c.user_slots();
  const uint32_t half = units / 64 * 32;
  // The two halves are mixed, so that overwriting one makes collection move the other.
  for (uint32_t unit = 0; unit < half; unit += 32) {
    host.write(unit, 32);
    host.write(half + unit, 32);
  }
  host.flush();
  host.verify_all();
  CHECK(host.unrecovered() == 0);
  device.host().rest_unpowered(Duration::s(86'400) * 3650, 55'000);
  host.expect_unrecovered();
  host.verify_all();
  const uint64_t commands = host.unrecovered();
  CHECK(commands == 2 * half / 32);  // every read of old data fails
  CHECK(device.firmware().stats().unrecovered_commands == commands);
  CHECK(device.media().lost_slots() == 0);  // nothing has been moved

  // Overwrite the first half over and over: collection moves the rest.
  for (int round = 0; round < 6; ++round)
    for (uint32_t unit = 0; unit < half; unit += 32) host.write((unit * 7) % half / 32 * 32, 32);
  for (uint32_t unit = 0; unit < half; unit += 32) host.write(unit, 32);
  host.flush();
  CHECK(device.firmware().stats().relocation_lost_slots > 0);
  CHECK(device.media().lost_slots() > 0);
  const uint64_t before = host.unrecovered();
  for (uint32_t unit = 0; unit < half; unit += 32) host.read(unit, 32);
  CHECK(host.unrecovered() == before);  // written again: readable
  for (uint32_t unit = half; unit < 2 * half; unit += 32) host.read(unit, 32);
  // Moved or not, nothing of the other half can be read, though what was moved lies in fresh pages.
  CHECK(host.unrecovered() == before + half / 32);
  // A write that covers a unit in part needs what is lost; a whole one does not.
  host.write(half, 1);
  const uint64_t now = host.unrecovered();
  host.read(half, 1);
  CHECK(host.unrecovered() == now);
  host.read(half + 1, 1);
  CHECK(host.unrecovered() == now + 1);
  host.check_now();
}

TEST_CASE("read-ahead passes errors on to those who wait, and to those who come later") {
  DriveConfig c = hopeless();
  c.read_ahead.streams = 2;
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive", true);
  TokenHost host(sim, device, 4, 0);
  for (uint32_t unit = 0; unit < 1024; unit += 32) host.write(unit, 32);
  host.flush();
  device.host().rest_unpowered(Duration::s(86'400) * 3650, 55'000);
  host.expect_unrecovered();
  std::vector<Step> steps;
  for (uint32_t unit = 0; unit < 1024; unit += 8)
    steps.push_back({Step::Kind::kRead, false, 8, unit, {}});
  host.run(steps);
  CHECK(device.firmware().stats().read_ahead_slots > 0);
  CHECK(host.unrecovered() == steps.size());
}

}  // namespace ftlsim::test
