// Elementary functions from + - x / and the square root alone, so that every compiler and C library
// gives the same bits: for tables built at start and for anything that reaches an event.
//
// Relative error below 1e-12 in the ranges named; the tests compare with the C library.
#pragma once

#include <bit>
#include <cstdint>

namespace ftlsim {

inline constexpr double kLn2 = 0.693147180559945309417232;
inline constexpr double kPi = 3.141592653589793238462643;

// Natural logarithm of a normal x > 0.
constexpr double exact_log(double x) {
  const auto bits = std::bit_cast<uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffu) | 0x3ff0000000000000u);  // [1, 2)
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  // log m = 2 atanh z; |z| < 0.172, so that 10 terms of the series are enough.
  const double z = (m - 1) / (m + 1);
  const double zz = z * z;
  constexpr double kOdd[] = {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11,
                             1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  double sum = 0;
  for (const double c : kOdd) sum = sum * zz + c;
  return 2 * z * sum + exponent * kLn2;
}

// e to the x; 0 below -700, and x must not be above 700.
constexpr double exact_exp(double x) {
  if (x < -700) return 0;
  constexpr double kPerLn2 = 1 / kLn2;
  const double scaled = x * kPerLn2;
  const auto exponent = static_cast<int64_t>(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  const double r = x - static_cast<double>(exponent) * kLn2;  // |r| <= 0.35
  constexpr double kInverse[] = {1.0 / 13, 1.0 / 12, 1.0 / 11, 1.0 / 10, 1.0 / 9, 1.0 / 8, 1.0 / 7,
                                 1.0 / 6,  1.0 / 5,  1.0 / 4,  1.0 / 3,  1.0 / 2, 1.0};
  double sum = 1;
  // r * c does not wait for the sum: one multiplication less in each step of the chain.
  for (const double c : kInverse) sum = 1 + sum * (r * c);
  return sum * std::bit_cast<double>(static_cast<uint64_t>(exponent + 1023) << 52);
}

// x to the y for x > 0.
constexpr double exact_pow(double x, double y) { return exact_exp(y * exact_log(x)); }

// ln n! for n >= 0.
double log_factorial(uint64_t n);

// Probability that a standard normal variable is below x, for |x| <= 37. Both tails keep their
// relative accuracy on the negative side.
double normal_cdf(double x);

// The x for which normal_cdf(x) == p; 0 < p < 1.
double normal_quantile(double p);

}  // namespace ftlsim
