// Our own elementary functions against the C library, to 1e-12.
#include "sim/math.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace ftlsim {
namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

}  // namespace

TEST_CASE("logarithm, exponential and power agree with the C library") {
  for (double x = 1e-30; x < 1e30; x *= 1.37) {
    CAPTURE(x);
    CHECK(std::abs(exact_log(x) - std::log(x)) <= 1e-12 * std::max(1.0, std::abs(std::log(x))));
    CHECK(close(exact_pow(x, 0.33), std::pow(x, 0.33)));
  }
  for (double x = -100; x < 100; x += 0.173) {
    CAPTURE(x);
    CHECK(close(exact_exp(x), std::exp(x)));
  }
}

TEST_CASE("logarithms of factorials agree with the C library") {
  CHECK(log_factorial(0) == 0);
  for (uint64_t n = 2; n < 1'000'000; n = n * 5 / 4 + 1) {
    CAPTURE(n);
    CHECK(close(log_factorial(n), std::lgamma(static_cast<double>(n) + 1)));
  }
}

TEST_CASE("the normal distribution agrees with the C library, and its quantile inverts it") {
  for (double x = -30; x < 8; x += 0.0931) {
    CAPTURE(x);
    CHECK(close(normal_cdf(x), 0.5 * std::erfc(-x / std::sqrt(2.0))));
  }
  for (double p = 1e-12; p < 0.5; p *= 1.7) {
    CAPTURE(p);
    CHECK(std::abs(normal_cdf(normal_quantile(p)) / p - 1) < 1e-10);
    CHECK(normal_quantile(1 - p) == doctest::Approx(-normal_quantile(p)).epsilon(1e-4));
  }
  CHECK(normal_quantile(0.5) == doctest::Approx(0).epsilon(1e-12));
}

// Threshold voltages of a planar 1X-nm TLC after 2,000 cycles: normal distributions, Cai et al.,
// Proc. IEEE 2017, table 5. The published-style page averages follow from the normal distribution.
TEST_CASE("the normal distribution gives the error rates of measured threshold voltages") {
  struct Row {
    double mean[8];
    double sigma[8];
    double rber;  // at read levels that are best after a day, average of the three page types
  };
  const Row rows[] = {
      {{-92.7, 66.6, 128.1, 191.9, 254.9, 318.3, 384.3, 448.1},
       {48.2, 9.7, 9.7, 9.4, 9.3, 9.1, 9.5, 9.1},
       3.86e-4},
      {{-86.7, 67.5, 128.1, 191.4, 253.8, 316.5, 381.8, 444.9},
       {46.4, 10.7, 10.8, 10.5, 10.6, 10.3, 10.6, 10.6},
       1.09e-3},
      {{-84.4, 68.6, 128.7, 191.6, 253.5, 315.8, 380.9, 443.6},
       {46.8, 11.3, 11.2, 11.0, 10.9, 10.8, 11.2, 11.1},
       1.75e-3},
      {{-75.6, 72.8, 131.6, 193.3, 254.3, 315.7, 380.2, 442.2},
       {45.9, 12.0, 11.8, 11.5, 11.4, 11.4, 11.7, 11.7},
       3.28e-3},
      {{-69.4, 76.6, 134.2, 195.2, 255.3, 316.0, 379.6, 440.8},
       {45.9, 12.8, 12.4, 12.0, 12.0, 11.9, 12.3, 12.4},
       6.18e-3},
  };
  constexpr double kLevels[7] = {35.5, 97.35, 160.46, 223.55, 286.92, 350.65, 416.83};
  for (const Row& row : rows) {
    CAPTURE(row.rber);
    double errors = 0;  // each state holds an eighth of the cells; each boundary costs one bit
    for (int i = 0; i < 7; ++i) {
      errors += normal_cdf((row.mean[i] - kLevels[i]) / row.sigma[i]) / 8;
      errors += normal_cdf((kLevels[i] - row.mean[i + 1]) / row.sigma[i + 1]) / 8;
    }
    CHECK(errors / 3 == doctest::Approx(row.rber).epsilon(0.005));
  }
}

}  // namespace ftlsim
