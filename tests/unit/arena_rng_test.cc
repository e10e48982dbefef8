// Lazy arrays are zero until written and after clear; random numbers are uniform and reproducible.
#include <doctest/doctest.h>

#include <array>
#include <utility>

#include "sim/arena.h"
#include "sim/rng.h"

namespace ftlsim {

TEST_CASE("a lazy array of any size is zero, keeps what is written and forgets it on clear") {
  LazyArray<uint32_t> empty;
  CHECK(empty.size() == 0);
  empty.clear();
  LazyArray<uint64_t> a(size_t{1} << 34);  // address space alone
  CHECK(a[0] == 0);
  CHECK(a[a.size() - 1] == 0);
  a[12'345'678'901] = 7;
  LazyArray<uint64_t> b(std::move(a));
  CHECK(b[12'345'678'901] == 7);
  b.clear();
  CHECK(b[12'345'678'901] == 0);
  LazyArray<uint64_t> c(10);
  c = std::move(b);
  CHECK(c.size() == size_t{1} << 34);
}

TEST_CASE("bounded random numbers stay in range and are uniform") {
  Rng rng(1, "test/uniform");
  std::array<uint32_t, 10> counts{};
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t v = rng.below(10);
    REQUIRE(v < 10);
    ++counts[v];
    const double u = rng.unit();
    REQUIRE(u >= 0.0);
    REQUIRE(u < 1.0);
  }
  for (const uint32_t n : counts) {
    CHECK(n > 9'600);  // four standard deviations
    CHECK(n < 10'400);
  }
  uint32_t hits = 0;
  for (int i = 0; i < 100'000; ++i) hits += rng.chance(1, 4);
  CHECK(hits > 24'400);
  CHECK(hits < 25'600);
  CHECK(rng.below(1) == 0);
}

}  // namespace ftlsim
