#include "sim/math.h"

#include <cmath>

#include "sim/assert.h"

namespace ftlsim {
namespace {

double normal_density(double x) { return exact_exp(-x * x / 2) / std::sqrt(2 * kPi); }

}  // namespace

double log_factorial(uint64_t n) {
  // Small ones by the product, large ones by Stirling's series.
  if (n < 16) {
    double product = 1;
    for (uint64_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
    return exact_log(product);
  }
  const double x = static_cast<double>(n) + 1;  // ln n! = ln gamma(n + 1)
  const double inverse = 1 / x;
  const double square = inverse * inverse;
  const double series =
      inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  return (x - 0.5) * exact_log(x) - x + exact_log(2 * kPi) / 2 + series;
}

double normal_cdf(double x) {
  if (x > 0) return 1 - normal_cdf(-x);
  if (x > -3) {
    // Series at 0 (Marsaglia, "Evaluating the Normal Distribution", 2004); all terms of one sign.
    double term = x;
    double sum = x;
    for (int i = 3; i < 200 && term < -1e-18; i += 2) {
      term *= x * x / i;
      sum += term;
    }
    return 0.5 + normal_density(x) * sum;
  }
  // Laplace's continued fraction of the tail, from far inside outwards.
  double fraction = -x;
  for (int i = 160; i >= 1; --i) fraction = -x + i / fraction;
  return normal_density(x) / fraction;
}

double normal_quantile(double p) {
  SIM_ASSERT(p > 0 && p < 1, "quantile of {}", p);
  if (p > 0.5) return -normal_quantile(1 - p);
  double lo = -37;
  double hi = 0;
  while (hi - lo > 1e-3) {
    const double mid = (lo + hi) / 2;
    (normal_cdf(mid) < p ? lo : hi) = mid;
  }
  // Newton on ln cdf, which is smooth where the density is tiny.
  double x = (lo + hi) / 2;
  for (int i = 0; i < 4; ++i) {
    const double cdf = normal_cdf(x);
    x -= (exact_log(cdf) - exact_log(p)) * cdf / normal_density(x);
  }
  return x;
}

}  // namespace ftlsim
