// LatencyHistogram: the error bound, exact totals, merging and subtraction.
#include "sim/histogram.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sim/rng.h"

namespace ftlsim {
namespace {

// Values over all magnitudes, small enough that their sum stays below 2^64.
std::vector<int64_t> random_values(size_t n, Rng& rng) {
  std::vector<int64_t> values;
  for (size_t i = 0; i < n; ++i) {
    const uint64_t shift = 14 + rng.next() % 50;
    values.push_back(static_cast<int64_t>(rng.next() >> shift));
  }
  return values;
}

LatencyHistogram histogram_of(const std::vector<int64_t>& values) {
  LatencyHistogram h;
  for (const int64_t v : values) h.add_ns(v);
  return h;
}

}  // namespace

TEST_CASE("buckets cover all values without gaps and are at most 1/32 wide") {
  CHECK(LatencyHistogram::bucket_low(0) == 0);
  for (size_t i = 0; i < LatencyHistogram::kBuckets; ++i) {
    const int64_t low = LatencyHistogram::bucket_low(i);
    const int64_t high = LatencyHistogram::bucket_high(i);
    REQUIRE(low <= high);
    REQUIRE(LatencyHistogram::bucket_of(low) == i);
    REQUIRE(LatencyHistogram::bucket_of(high) == i);
    if (i > 0) REQUIRE(low == LatencyHistogram::bucket_high(i - 1) + 1);
    REQUIRE((high - low) <= low / 32);
  }
  const int64_t largest = std::numeric_limits<int64_t>::max();
  CHECK(LatencyHistogram::bucket_of(largest) == LatencyHistogram::kBuckets - 1);
}

TEST_CASE("an empty histogram gives zeros") {
  const LatencyHistogram h;
  CHECK(h.count() == 0);
  CHECK(h.min_ns() == 0);
  CHECK(h.max_ns() == 0);
  CHECK(h.mean_ns() == 0);
  CHECK(h.percentile(99) == 0);
}

TEST_CASE("percentiles are within the bucket error of the exact ones") {
  Rng rng(2, "histogram_test");
  for (const size_t n : {1u, 2u, 3u, 10u, 1000u, 5000u}) {
    std::vector<int64_t> values = random_values(n, rng);
    const LatencyHistogram h = histogram_of(values);
    std::sort(values.begin(), values.end());
    int64_t previous = 0;
    for (const double p : {0.0, 1.0, 25.0, 50.0, 90.0, 99.0, 99.9, 99.99, 100.0}) {
      // p has at most two decimals: the rank is exact in integers.
      const size_t rank = (n * static_cast<size_t>(p * 100 + 0.5) + 9999) / 10'000;
      const int64_t exact = values[rank == 0 ? 0 : rank - 1];
      const int64_t got = h.percentile(p);
      INFO("n " << n << " p " << p << " exact " << exact << " got " << got);
      CHECK(std::abs(static_cast<double>(got - exact)) <= 0.032 * static_cast<double>(exact));
      CHECK(got >= values.front());
      CHECK(got <= values.back());
      CHECK(got >= previous);
      previous = got;
    }
    CHECK(h.percentile(0) == values.front());
    CHECK(h.percentile(100) == values.back());
  }
}

TEST_CASE("count, sum, minimum and maximum are exact") {
  Rng rng(3, "histogram_test");
  const std::vector<int64_t> values = random_values(10'000, rng);
  const LatencyHistogram h = histogram_of(values);
  uint64_t sum = 0;
  for (const int64_t v : values) sum += static_cast<uint64_t>(v);
  CHECK(h.count() == values.size());
  CHECK(h.sum_ns() == sum);
  CHECK(h.min_ns() == *std::min_element(values.begin(), values.end()));
  CHECK(h.max_ns() == *std::max_element(values.begin(), values.end()));
}

TEST_CASE("merge equals adding everything to one") {
  Rng rng(4, "histogram_test");
  const std::vector<int64_t> a = random_values(1000, rng);
  const std::vector<int64_t> b = random_values(500, rng);
  std::vector<int64_t> both = a;
  both.insert(both.end(), b.begin(), b.end());
  LatencyHistogram merged = histogram_of(a);
  merged.merge(histogram_of(b));
  CHECK(merged == histogram_of(both));
  merged.merge(LatencyHistogram());
  CHECK(merged == histogram_of(both));
}

TEST_CASE("subtracting an earlier state leaves the phase") {
  Rng rng(5, "histogram_test");
  const std::vector<int64_t> phase = random_values(700, rng);
  LatencyHistogram all = histogram_of(random_values(1000, rng));
  const LatencyHistogram earlier = all;
  for (const int64_t v : phase) all.add_ns(v);
  all.subtract(earlier);
  const LatencyHistogram expected = histogram_of(phase);
  CHECK(all.count() == expected.count());
  CHECK(all.sum_ns() == expected.sum_ns());
  for (size_t i = 0; i < LatencyHistogram::kBuckets; ++i) {
    REQUIRE(all.bucket(i) == expected.bucket(i));
  }
  CHECK(all.min_ns() <= expected.min_ns());
  CHECK(all.max_ns() >= expected.max_ns());
  const auto largest = static_cast<double>(expected.max_ns());
  CHECK(static_cast<double>(all.max_ns() - expected.max_ns()) <= 0.032 * largest);

  LatencyHistogram nothing = earlier;
  nothing.subtract(earlier);
  CHECK(nothing == LatencyHistogram());
}

}  // namespace ftlsim
