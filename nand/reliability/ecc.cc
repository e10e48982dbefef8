#include "nand/reliability/ecc.h"

#include <algorithm>
#include <cmath>

#include "sim/assert.h"
#include "sim/math.h"

namespace ftlsim {
namespace {

// The binomial sum goes this many standard deviations to both sides.
constexpr double kDeviations = 10;

}  // namespace

Ecc::Ecc(const EccConfig& config) : config_(config) {
  SIM_ASSERT(!config.failure.empty() && !config.time.empty(), "no ECC tables");
  // From where nothing fails to where everything does.
  const double bits = config.codeword_bits;
  const double lo = std::min(config.failure.front().errors, config.time.front().errors) / bits / 2;
  const double hi = std::min(
      0.45, 3.0 * std::max(config.failure.back().errors, config.time.back().errors) / bits);
  low_ = exact_log(lo);
  const double step = (exact_log(hi) - low_) / (kPoints - 1);
  per_log_ = 1 / step;
  clean_limit_ = low_;
  bool clean = true;
  for (uint32_t i = 0; i < kPoints; ++i) {
    const double at = low_ + i * step;
    const double rber = exact_exp(at);
    const double p = failure_exact(rber);
    failures_.push_back(p < kNegligible ? 0 : p);
    times_.push_back(time_exact(rber));
    clean = clean && failures_.back() == 0 && times_.back() == times_.front();
    if (clean) clean_limit_ = at;
  }
}

double Ecc::failure_at(uint32_t errors) const {
  const auto& points = config_.failure;
  if (errors < points.front().errors) return 0;
  for (size_t i = 1; i < points.size(); ++i) {
    if (errors > points[i].errors) continue;
    const double span = points[i].errors - points[i - 1].errors;
    const double part = (errors - points[i - 1].errors) / span;
    const double from = exact_log(points[i - 1].failure);
    return exact_exp(from + (exact_log(points[i].failure) - from) * part);
  }
  return points.back().failure;
}

double Ecc::failure_exact(double rber) const {
  const uint32_t n = config_.codeword_bits;
  const double mean = n * rber;
  const double reach = kDeviations * std::sqrt(mean);
  const auto first = static_cast<uint32_t>(std::max(mean - reach, 0.0));
  const auto last = std::min(n, static_cast<uint32_t>(mean + reach) + 2);
  const uint32_t begin = std::max(first, config_.failure.front().errors);
  if (begin > last) return 0;
  // The first term by logarithms, each further one from the one before.
  const double ratio = rber / (1 - rber);
  double term = exact_exp(log_factorial(n) - log_factorial(begin) - log_factorial(n - begin) +
                          begin * exact_log(rber) + (n - begin) * exact_log(1 - rber));
  double sum = 0;
  for (uint32_t e = begin; e <= last; ++e) {
    sum += term * failure_at(e);
    term *= ratio * (n - e) / (e + 1);
  }
  return std::min(sum, 1.0);
}

Duration Ecc::time_exact(double rber) const {
  const auto& points = config_.time;
  const double errors = config_.codeword_bits * rber;
  if (errors <= points.front().errors) return points.front().time;
  for (size_t i = 1; i < points.size(); ++i) {
    if (errors > points[i].errors) continue;
    const double span = points[i].errors - points[i - 1].errors;
    const double from = static_cast<double>(points[i - 1].time.to_ns());
    const double to = static_cast<double>(points[i].time.to_ns());
    const double ns = from + (to - from) * (errors - points[i - 1].errors) / span;
    return Duration::ns(static_cast<int64_t>(ns + 0.5));
  }
  return points.back().time;
}

double Ecc::failure(double log_rber) const {
  const double at = (log_rber - low_) * per_log_;
  if (at <= 0) return 0;
  const auto i = static_cast<uint32_t>(std::min(at, kPoints - 1.0));
  if (i >= kPoints - 1) return failures_.back();
  const double part = at - i;
  return failures_[i] + (failures_[i + 1] - failures_[i]) * part;
}

Duration Ecc::time(double log_rber) const {
  const double at = (log_rber - low_) * per_log_ + 0.5;
  if (at <= 0) return times_.front();
  return times_[static_cast<size_t>(std::min(at, kPoints - 1.0))];
}

}  // namespace ftlsim
