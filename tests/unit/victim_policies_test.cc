// Choices of the victim policies on tables made by hand, and on random tables against their
// definitions.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ftl/gc/victim_policy.h"
#include "sim/rng.h"
#include "tests/support/closed_superblocks.h"
#include "tests/support/policy_text.h"

namespace ftlsim::test {
namespace {

std::unique_ptr<VictimPolicy> policy(const SuperblockTable& table, std::string_view yaml,
                                     uint64_t seed = 1) {
  return policy_from(gc_victims(), yaml).make({table, seed});
}

SuperblockId choose(const SuperblockTable& table, std::string_view yaml, bool slc = true,
                    bool tlc = true) {
  return policy(table, yaml)->choose({slc, tlc, Time()});
}

// A table of closed superblocks with random valid counts, some of them SLC, some full.
void fill_at_random(ClosedSuperblocks& p, uint32_t n, Rng& rng) {
  for (uint32_t i = 0; i < n; ++i) {
    const bool slc = rng.chance(1, 4);
    const uint32_t most = slc ? p.full() / 3 : p.full();
    p.close(slc ? CellMode::kSlc : CellMode::kTlc, static_cast<uint32_t>(rng.below(most + 1)));
  }
}

}  // namespace

TEST_CASE("no policy finds a victim where none gains anything") {
  for (const auto& entry : gc_victims().entries()) {
    CAPTURE(entry.name);
    ClosedSuperblocks p(20);
    const std::string yaml = "policy: " + std::string(entry.name);
    CHECK(!choose(p.table, yaml).valid());
    p.age(5);
    p.open(CellMode::kTlc);
    CHECK(!choose(p.table, yaml).valid());
    const SuperblockId slc = p.close(CellMode::kSlc, p.full() / 3);
    CHECK(!choose(p.table, yaml, false, true).valid());
    CHECK(choose(p.table, yaml) == slc);
    const SuperblockId tlc = p.close_tlc(p.full() - 1);
    CHECK(choose(p.table, yaml, false, true) == tlc);
    CHECK(choose(p.table, yaml, true, false) == slc);
  }
}

TEST_CASE("cost-benefit weighs age against emptiness") {
  // 36 slots gained for 60 copies, against 66 for 30 and one opening younger: 0.6 a against 2.2 b.
  for (const uint32_t between : {0u, 1u, 2u, 8u}) {
    CAPTURE(between);
    ClosedSuperblocks p(20);
    const SuperblockId old_full = p.close_tlc(60);
    p.age(between);
    const SuperblockId young_empty = p.close_tlc(30);
    const uint32_t age = between + 2;
    const bool old_wins = 36 * age * 30 > 66 * 60;
    CHECK(choose(p.table, "policy: cost_benefit") == (old_wins ? old_full : young_empty));
    CHECK(choose(p.table, "policy: greedy") == young_empty);
  }
  // Nothing valid costs nothing, however young.
  ClosedSuperblocks p(20);
  p.close_tlc(1);
  p.age(10);
  const SuperblockId dead = p.close_tlc(0);
  CHECK(choose(p.table, "policy: cost_benefit") == dead);
}

TEST_CASE("cost-benefit takes the highest ratio of a random table") {
  Rng rng(1, "test/cost_benefit");
  for (int round = 0; round < 50; ++round) {
    ClosedSuperblocks p(40);
    fill_at_random(p, 35, rng);
    const SuperblockId choice = choose(p.table, "policy: cost_benefit");
    REQUIRE(choice.valid());
    const auto worth = [&](SuperblockId sb) {
      const double u = static_cast<double>(p.table.valid(sb)) / p.full();
      const auto age = static_cast<double>(p.table.openings() - p.table[sb].opened + 1);
      return u == 0 ? HUGE_VAL : (1 - u) * age / (2 * u);
    };
    for (uint32_t s = 0; s < p.next; ++s)
      CHECK(worth(SuperblockId(s)) <= worth(choice) * (1 + 1e-12));
  }
}

TEST_CASE("windowed greedy lies between FIFO and greedy") {
  Rng rng(1, "test/windowed_greedy");
  for (int round = 0; round < 50; ++round) {
    ClosedSuperblocks p(40);
    fill_at_random(p, 35, rng);
    CHECK(choose(p.table, "{policy: windowed_greedy, windowed_greedy: {window: 1}}") ==
          choose(p.table, "policy: fifo"));
    CHECK(choose(p.table, "{policy: windowed_greedy, windowed_greedy: {window: 100000}}") ==
          choose(p.table, "policy: greedy"));
  }
  ClosedSuperblocks p(20);
  p.close_tlc(50);
  p.age(3);  // full ones do not take room in the window
  p.close_tlc(60);
  const SuperblockId third = p.close_tlc(40);
  const SuperblockId fourth = p.close_tlc(5);
  CHECK(choose(p.table, "{policy: windowed_greedy, windowed_greedy: {window: 3}}") == third);
  CHECK(choose(p.table, "{policy: windowed_greedy, windowed_greedy: {window: 4}}") == fourth);
}

TEST_CASE("d-choices draws evenly and takes the emptiest of what it drew") {
  // Of n candidates with all counts different, the k-th emptiest wins if no draw is emptier and not
  // all are fuller: ((n - k + 1)^d - (n - k)^d) / n^d.
  constexpr uint32_t kCandidates = 8;
  constexpr int kDraws = 20'000;
  for (const uint32_t d : {1u, 2u, 5u}) {
    CAPTURE(d);
    ClosedSuperblocks p(60);
    for (uint32_t i = 0; i < kCandidates; ++i) {
      p.age(3);  // no candidates
      p.close_tlc(10 * (kCandidates - i));
    }
    const auto choices =
        policy(p.table, "{policy: d_choices, d_choices: {d: " + std::to_string(d) + "}}");
    std::vector<int> hits(kCandidates, 0);
    for (int i = 0; i < kDraws; ++i) {
      const SuperblockId sb = choices->choose({true, true, Time()});
      REQUIRE(sb.valid());
      REQUIRE(p.table.valid(sb) % 10 == 0);
      ++hits[p.table.valid(sb) / 10 - 1];
    }
    for (uint32_t k = 1; k <= kCandidates; ++k) {
      const double n = kCandidates;
      const double share = (std::pow(n - k + 1, d) - std::pow(n - k, d)) / std::pow(n, d);
      const double deviation = std::sqrt(share * (1 - share) * kDraws);
      CAPTURE(k);
      CHECK(std::abs(hits[k - 1] - share * kDraws) <= 5 * deviation);
    }
  }
}

TEST_CASE("d-choices: many draws are greedy, few candidates are found, seeds repeat") {
  Rng rng(1, "test/d_choices");
  ClosedSuperblocks p(60);
  fill_at_random(p, 50, rng);
  const SuperblockId best = choose(p.table, "policy: greedy");
  CHECK(p.table.valid(choose(p.table, "{policy: d_choices, d_choices: {d: 1000}}")) ==
        p.table.valid(best));

  ClosedSuperblocks lonely(2000);
  lonely.age(1500);
  const SuperblockId only = lonely.close_tlc(7);
  CHECK(choose(lonely.table, "{policy: d_choices, d_choices: {d: 2}}") == only);

  const auto a = policy(p.table, "{policy: d_choices, d_choices: {d: 2}}", 7);
  const auto b = policy(p.table, "{policy: d_choices, d_choices: {d: 2}}", 7);
  const auto c = policy(p.table, "{policy: d_choices, d_choices: {d: 2}}", 8);
  uint32_t differ = 0;
  for (int i = 0; i < 100; ++i) {
    const SuperblockId sb = a->choose({true, true, Time()});
    CHECK(sb == b->choose({true, true, Time()}));
    differ += sb != c->choose({true, true, Time()});
  }
  CHECK(differ > 0);
}

}  // namespace ftlsim::test
