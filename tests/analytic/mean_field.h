// Mean-field fixed points of write amplification under uniform random overwrites, and a toy that
// shares nothing with the drive to check them with.
//
// Blocks of b slots enter full and lose valid slots by overwrites, each valid slot at the same
// rate. With x_i the share of blocks that have i valid slots, p_i the probability that the next
// victim has i, and f the rate of block cleanings per rate of slot death:
//   (i + 1) x_(i+1) = i x_i + f p_i for i < b,  b x_b = f,  sum(x_i) = 1,  sum(i x_i) = b rho,
// with rho the share of slots that hold user data; then WA = f / rho. (Van Houdt, "A mean field
// model for a class of garbage collection algorithms in flash-based solid state drives", 2013;
// Desnoyers, "Analytic modeling of SSD write performance", 2012, treats the same system.)
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/rng.h"

namespace ftlsim::test {

// Greedy: a block that drops below the lowest level m is cleaned at once, and the rest of the
// cleanings takes blocks of level m:
//   f = (b rho - m) / (b - m - m (H_b - H_m)),  x_m = 1 - f (H_b - H_m),
// for the one m with 0 <= x_m <= f / m.
inline double greedy_fixed_point(uint32_t b, double rho) {
  double harmonic = 0;  // H_b - H_m
  for (uint32_t m = b - 1; m > 0; --m) {
    harmonic += 1.0 / (m + 1);
    const double f = (b * rho - m) / (b - m - m * harmonic);
    const double at_m = 1 - f * harmonic;
    if (f > 0 && at_m >= -1e-12 && at_m <= f / m + 1e-12) return f / rho;
  }
  return NAN;
}

// FIFO: every slot waits for the same time, so a share p of them is still valid, whatever the size
// of a block: p = exp(-(1 - p) / rho), WA = 1 / (1 - p). It is also the limit of greedy for large
// blocks. In closed form p = -rho W(-exp(-1 / rho) / rho), W being the principal branch of
// Lambert's function, here by Newton's method.
inline double fifo_fixed_point(double rho) {
  const double x = -std::exp(-1 / rho) / rho;
  double w = -0.5;
  for (int i = 0; i < 200; ++i) w -= (w * std::exp(w) - x) / (std::exp(w) * (1 + w));
  return 1 / (1 + rho * w);
}

// d-choices among the blocks that are not full: with S_i the share of those with i to b - 1 valid
// slots, p_i = (S_i^d - S_(i+1)^d) / S_0^d. The balance is followed in time until it rests.
inline double d_choices_fixed_point(uint32_t b, double rho, uint32_t d) {
  std::vector<double> x(b + 1, 0.0);
  const double mean = b * rho;
  const auto floor = static_cast<uint32_t>(mean);
  x[floor] = 1 - (mean - floor);
  x[floor + 1] = mean - floor;
  std::vector<double> p(b, 0.0);
  const double dt = 0.25 / (b + 2.0 * d);  // no level is emptied in one step
  double f = 0;
  for (int step = 0; step < 400'000; ++step) {
    double all = 0;  // S_0
    for (uint32_t i = 0; i < b; ++i) all += x[i];
    double above = 0;  // (S_(i+1) / S_0)^d
    double sum = 0;
    double taken = 0;  // mean valid count of a victim
    for (uint32_t i = b; i-- > 0;) {
      sum += x[i];
      const double power = std::pow(sum / all, d);
      p[i] = power - above;
      taken += i * p[i];
      above = power;
    }
    const double before = f;
    f = mean / (b - taken);
    for (uint32_t i = 0; i < b; ++i) x[i] += dt * ((i + 1) * x[i + 1] - i * x[i] - f * p[i]);
    x[b] += dt * (f - b * x[b]);
    if (step > 8 / dt && std::abs(f - before) < 1e-9 * f * dt) break;
  }
  return f / rho;
}

// Collection as a toy: an array of blocks, one append point, no drive around it. Victims are the
// emptiest of `d` that are drawn among those that are not full; 0 takes the emptiest of all.
inline double toy_write_amplification(uint32_t blocks, uint32_t b, uint32_t user, uint32_t d,
                                      Rng rng) {
  std::vector<uint32_t> where(user, UINT32_MAX);
  std::vector<uint32_t> owner(size_t{blocks} * b, UINT32_MAX);
  std::vector<uint32_t> valid(blocks, 0);
  std::vector<uint8_t> full(blocks, 0);
  std::vector<uint32_t> free;
  for (uint32_t i = 0; i < blocks; ++i) free.push_back(i);
  uint32_t open = free.back();
  uint32_t position = 0;
  free.pop_back();
  uint64_t written = 0;
  const auto append = [&](uint32_t lpn) {
    if (where[lpn] != UINT32_MAX) {
      --valid[where[lpn] / b];
      owner[where[lpn]] = UINT32_MAX;
    }
    if (position == b) {
      full[open] = 1;
      open = free.back();
      free.pop_back();
      position = 0;
    }
    where[lpn] = open * b + position;
    owner[where[lpn]] = lpn;
    ++valid[open];
    ++position;
    ++written;
  };
  const auto write = [&](uint32_t lpn) {
    append(lpn);
    while (free.size() < 2) {
      uint32_t victim = UINT32_MAX;
      const auto consider = [&](uint32_t i) {
        if (victim == UINT32_MAX || valid[i] < valid[victim]) victim = i;
      };
      for (uint32_t i = 0; d == 0 && i < blocks; ++i)
        if (full[i] != 0) consider(i);
      for (uint32_t i = 0; i < d;) {
        const auto drawn = static_cast<uint32_t>(rng.below(blocks));
        if (full[drawn] == 0 || valid[drawn] == b) continue;
        consider(drawn);
        ++i;
      }
      for (uint32_t i = 0; i < b; ++i)
        if (const uint32_t moved = owner[size_t{victim} * b + i]; moved != UINT32_MAX)
          append(moved);
      full[victim] = 0;
      free.push_back(victim);
    }
  };
  for (uint32_t lpn = 0; lpn < user; ++lpn) write(lpn);
  for (uint64_t i = 0; i < 5ull * user; ++i) write(static_cast<uint32_t>(rng.below(user)));
  const uint64_t before = written;
  for (uint64_t i = 0; i < 2ull * user; ++i) write(static_cast<uint32_t>(rng.below(user)));
  return static_cast<double>(written - before) / static_cast<double>(2ull * user);
}

}  // namespace ftlsim::test
