// Figures of the output files: quotients of integers, rounded once to a fixed number of decimals,
// so that every compiler and machine writes the same digits.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "nand/config.h"
#include "sim/units.h"

namespace ftlsim {

// numerator / denominator in units of 10^-decimals, rounded half up; 0 if the denominator is 0.
constexpr uint64_t quotient(unsigned __int128 numerator, unsigned __int128 denominator,
                            int decimals) {
  if (denominator == 0) return 0;
  for (int i = 0; i < decimals; ++i) numerator *= 10;
  return static_cast<uint64_t>((numerator + denominator / 2) / denominator);
}

constexpr uint64_t power_of_ten(int exponent) {
  uint64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// The same as a number for JSON: the double nearest to the rounded decimal.
constexpr double rounded(unsigned __int128 numerator, unsigned __int128 denominator, int decimals) {
  return static_cast<double>(quotient(numerator, denominator, decimals)) /
         static_cast<double>(power_of_ten(decimals));
}

// `value` in units of 10^-decimals as text: fixed(1234, 1) is "123.4". decimals >= 1.
inline std::string fixed(uint64_t value, int decimals) {
  const uint64_t unit = power_of_ten(decimals);
  return fmt::format("{}.{:0{}}", value / unit, value % unit, decimals);
}

// Decimal MB/s of `bytes` in a span of time.
constexpr double mb_per_s(uint64_t bytes, Duration span) {
  return rounded(static_cast<unsigned __int128>(bytes) * 1000,
                 static_cast<unsigned __int128>(span.to_ns()), 3);
}

constexpr double seconds(Duration span) { return static_cast<double>(span.to_ns()) / 1e9; }

// Slots programmed per slot's worth of host data.
constexpr double write_amplification(uint64_t slots, uint64_t host_bytes) {
  return rounded(static_cast<unsigned __int128>(slots) * kSlotBytes, host_bytes, 4);
}

}  // namespace ftlsim
