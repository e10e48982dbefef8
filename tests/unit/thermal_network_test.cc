// The thermal network against the analytic solution of the two-node system.
#include <doctest/doctest.h>

#include <cmath>

#include "ftl/thermal/network.h"

namespace ftlsim {
namespace {

ThermalConfig config(Duration period) {
  ThermalConfig c;
  c.period = period;
  c.controller_capacity = 2'500;
  c.nand_capacity = 6'000;
  c.controller_to_nand = 11'000;
  c.controller_to_ambient = 21'000;
  c.nand_to_ambient = 17'000;
  return c;
}

// Excess over ambient by eigenvalues: x(t) = x_s + sum of v_k exp(l_k t).
struct Analytic {
  double a, b, d, e;  // dx/dt = [a b; d e] x + p / C
  double l1, l2;
  double steady[2];

  Analytic(const ThermalConfig& c, double watts_controller, double watts_nand) {
    const double cc = static_cast<double>(c.controller_capacity) * 1e-3;
    const double cn = static_cast<double>(c.nand_capacity) * 1e-3;
    const double g = 1e3 / static_cast<double>(c.controller_to_nand);
    const double gc = 1e3 / static_cast<double>(c.controller_to_ambient);
    const double gn = 1e3 / static_cast<double>(c.nand_to_ambient);
    a = -(g + gc) / cc;
    b = g / cc;
    d = g / cn;
    e = -(g + gn) / cn;
    const double mean = (a + e) / 2;
    const double root = std::sqrt((a - e) * (a - e) / 4 + b * d);
    l1 = mean + root;
    l2 = mean - root;
    const double det = (g + gc) * (g + gn) - g * g;
    steady[0] = ((g + gn) * watts_controller + g * watts_nand) / det;
    steady[1] = (g * watts_controller + (g + gc) * watts_nand) / det;
  }
  // The excess of a node at t seconds when it begins at x0.
  double at(double t, const double (&x0)[2], size_t node) const {
    const double y0[2] = {x0[0] - steady[0], x0[1] - steady[1]};
    const double dy0[2] = {a * y0[0] + b * y0[1], d * y0[0] + e * y0[1]};
    const double k2 = (dy0[node] - l1 * y0[node]) / (l2 - l1);
    const double k1 = y0[node] - k2;
    return steady[node] + k1 * std::exp(l1 * t) + k2 * std::exp(l2 * t);
  }
};

Heat heat(Duration period, double watts_controller, double watts_nand) {
  const auto ns = static_cast<double>(period.to_ns());
  return {static_cast<int64_t>(watts_controller * ns), static_cast<int64_t>(watts_nand * ns)};
}

constexpr int64_t kAmbient = 25'000 * kNanoPerMilli;

}  // namespace

TEST_CASE("the step response is the analytic one") {
  const double start[2] = {0, 0};
  for (const Duration period : {Duration::ms(1), Duration::ms(10), Duration::s(1)}) {
    const ThermalConfig c = config(period);
    const ThermalNetwork network(c);
    const Analytic exact(c, 2.75, 1.5);
    const Heat h = heat(period, 2.75, 1.5);
    for (const int64_t seconds : {1, 7, 60, 300, 3600}) {
      const auto n = static_cast<uint64_t>(Duration::s(seconds) / period);
      const NodeTemperatures t = network.advance({kAmbient, kAmbient}, n, h, kAmbient);
      const auto time = static_cast<double>(seconds);
      CHECK(std::abs(static_cast<double>(t.controller - kAmbient) * 1e-9 -
                     exact.at(time, start, 0)) < 1e-5);
      CHECK(std::abs(static_cast<double>(t.nand - kAmbient) * 1e-9 - exact.at(time, start, 1)) <
            1e-5);
    }
  }
}

TEST_CASE("cooling from unequal temperatures, below and above ambient") {
  const ThermalConfig c = config(Duration::ms(10));
  const ThermalNetwork network(c);
  const Analytic exact(c, 0, 0);
  const double start[2] = {60, -30};
  const NodeTemperatures hot{kAmbient + 60'000 * kNanoPerMilli, kAmbient - 30'000 * kNanoPerMilli};
  for (const uint64_t n : {1u, 100u, 2'000u, 10'000u, 100'000u}) {
    const NodeTemperatures t = network.advance(hot, n, {}, kAmbient);
    const double time = static_cast<double>(n) * 0.01;
    CHECK(std::abs(static_cast<double>(t.controller - kAmbient) * 1e-9 - exact.at(time, start, 0)) <
          1e-5);
    CHECK(std::abs(static_cast<double>(t.nand - kAmbient) * 1e-9 - exact.at(time, start, 1)) <
          1e-5);
  }
}

TEST_CASE("the steady state is where a long time leads, and stays") {
  const ThermalConfig c = config(Duration::ms(10));
  const ThermalNetwork network(c);
  const Heat h = heat(c.period, 4.0, 0.5);
  const Analytic exact(c, 4.0, 0.5);
  const NodeTemperatures end = network.steady(h, kAmbient);
  CHECK(std::abs(static_cast<double>(end.controller - kAmbient) * 1e-9 - exact.steady[0]) < 1e-6);
  CHECK(std::abs(static_cast<double>(end.nand - kAmbient) * 1e-9 - exact.steady[1]) < 1e-6);
  const uint64_t year = uint64_t{365} * 86'400 * 100;
  const NodeTemperatures later = network.advance({0, 0}, year, h, kAmbient);
  CHECK(std::abs(later.controller - end.controller) < 10'000);  // 10 uK
  CHECK(std::abs(later.nand - end.nand) < 10'000);
}

TEST_CASE("a jump is the steps that it replaces") {
  const ThermalConfig c = config(Duration::ms(10));
  const ThermalNetwork network(c);
  const Heat h = heat(c.period, 1.25, 2.5);
  NodeTemperatures single{kAmbient + 5, kAmbient - 77'123'456'789};
  const NodeTemperatures start = single;
  for (uint64_t n = 1; n <= 5'000; ++n) {
    single = network.advance(single, 1, h, kAmbient);
    if (n != 1 && n % 1'237 != 0) continue;
    const NodeTemperatures jumped = network.advance(start, n, h, kAmbient);
    // Each step rounds to half of 10^-9 K, and what was lost decays no faster than it is added.
    CHECK(std::abs(single.controller - jumped.controller) <= static_cast<int64_t>(n / 2 + 16));
    CHECK(std::abs(single.nand - jumped.nand) <= static_cast<int64_t>(n / 2 + 16));
  }
}

TEST_CASE("extremes of the configuration do not overflow") {
  for (const int64_t resistance : {int64_t{10}, int64_t{1'000'000}}) {
    for (const int64_t capacity : {int64_t{10}, int64_t{1'000'000'000}}) {
      for (const Duration period : {Duration::ms(1), Duration::s(1)}) {
        ThermalConfig c;
        c.period = period;
        c.controller_capacity = c.nand_capacity = capacity;
        c.controller_to_nand = c.controller_to_ambient = c.nand_to_ambient = resistance;
        const ThermalNetwork network(c);
        const Heat h = heat(period, 1.0, 1.0);
        const NodeTemperatures end = network.steady(h, 0);
        // Two equal nodes with equal power exchange nothing: R x 1 W each.
        const double expected = static_cast<double>(resistance) * 1e-3;
        CHECK(std::abs(static_cast<double>(end.nand) * 1e-9 - expected) < expected * 1e-6);
        const NodeTemperatures later = network.advance({0, 0}, uint64_t{1} << 45, h, 0);
        CHECK(std::abs(static_cast<double>(later.nand) * 1e-9 - expected) < expected * 1e-3);
      }
    }
  }
}

}  // namespace ftlsim
