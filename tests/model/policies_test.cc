// Random combinations of all policies with random parameters, on small drives, with random work for
// two drive writes each: nothing asserts, starves or gets stuck, the laws hold, and the content is
// right at the end.
//
// SEEDS=n runs n seeds, FIRST=k starts at seed k: a failure names both seed and configuration.
#include <doctest/doctest.h>

#include <cstdlib>
#include <exception>
#include <map>
#include <set>

#include "tests/support/sanitized.h"
#include "tests/support/swarm.h"

namespace ftlsim::test {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Mostly writes, so that two drive writes do not take for ever.
Weights writing_weights(Rng& rng) {
  Weights w = random_weights(rng);
  w.read = pick(rng, {5u, 50u});
  w.write = 200;
  w.flush /= 4;
  w.format = 0;
  w.fua = pick(rng, {0u, 0u, 5u});
  return w;
}

// One seed; empty or what went wrong.
std::string run_seed(uint64_t seed) {
  DriveConfig config = random_drive(seed);
  try {
    Rng rng(seed, "test/policies");
    Simulator sim(seed);
    Device device(sim, config, "drive", true);
    StatRegistry registry;
    device.register_stats(registry);
    TokenHost host(sim, device, pick(rng, {1u, 8u, 32u}), 500);
    const uint64_t wanted = 2ull * config.user_slots();
    while (device.firmware().stats().host_write_slots < wanted)
      host.run(random_steps(config, rng, writing_weights(rng), 500));
    host.verify_all();
    host.check_now();
    sim.run_until(sim.now() + Duration::s(1));  // idle work
    host.verify_all();
    host.check_now();
    device.settle();
    for (const std::string& law : registry.check_laws()) throw std::runtime_error(law);
    return {};
  } catch (const std::exception& e) {
    return fmt::format("seed {}: {}\n{}", seed, e.what(), echo_config(config));
  }
}

// Collects the names of the policies that a configuration has chosen, by key.
class Chosen final : public FieldVisitor {
 public:
  std::map<std::string, std::set<std::string>> names;
  std::map<std::string, size_t> families;

  void field(const Field&, bool&) override {}
  void field(const Field&, uint32_t&, uint32_t, uint32_t) override {}
  void field(const Field&, uint64_t&, uint64_t, uint64_t) override {}
  void ratio(const Field&, double&, double, double) override {}
  void number(const Field&, double&, double, double) override {}
  void field(const Field&, Duration&, Duration, Duration) override {}
  void field(const Field&, Bytes&, Bytes, Bytes) override {}
  void rate(const Field&, uint64_t&, uint64_t, uint64_t) override {}
  void field(const Field&, std::string&) override {}
  void physical(const Field&, Physical, int64_t&, int64_t, int64_t) override {}

 private:
  void choice_index(const Field&, size_t&, std::span<const ChoiceName>) override {}
  void enter_policy(const Field& f, size_t index, std::span<const ChoiceName> choices) override {
    const std::string key = section_ + "." + std::string(f.key);
    names[key].insert(std::string(choices[index].name));
    families[key] = choices.size();
  }
  bool enter_section(const Field& f, TypeTag) override {
    section_ = f.key;
    return true;
  }
  void leave_section() override {}
  ListPlan enter_list(const Field&, size_t&, size_t, size_t) override { return ListPlan::kSkip; }
  bool enter_item(size_t, TypeTag) override { return true; }
  void leave_item() override {}
  void leave_list() override {}
  size_t select_alternative(std::span<const Field>, size_t current) override { return current; }

  std::string section_;
};

}  // namespace

TEST_CASE("any combination of policies takes two drive writes") {
  const uint64_t first = from_environment("FIRST", 1);
  const uint64_t seeds = from_environment("SEEDS", kSanitized ? 60 : 200);
  uint32_t failures = 0;
  for (uint64_t seed = first; seed < first + seeds && failures < 5; ++seed) {
    const std::string failure = run_seed(seed);
    CHECK_MESSAGE(failure.empty(), failure);
    failures += !failure.empty();
  }
}

TEST_CASE("the random drives choose every policy of every family") {
  Chosen chosen;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    DriveConfig config = random_drive(seed);
    config.visit(chosen);
  }
  CHECK(chosen.names.size() >= 4);
  for (const auto& entry : chosen.names) {
    const std::string& key = entry.first;
    const std::set<std::string>& names = entry.second;
    CAPTURE(key);
    CHECK(names.size() == chosen.families[key]);
  }
}

}  // namespace ftlsim::test
