#include "nand/reliability/rber.h"

#include <algorithm>

#include "sim/assert.h"
#include "sim/math.h"

namespace ftlsim {
namespace {

constexpr double kDay = 86'400;
// Below this age, in seconds, the log law of `luo` is not defined.
constexpr double kLuoYoungest = 1;

double power(double x, double y) { return x > 0 ? exact_pow(x, y) : 0; }

// R = e + a c^k + b c^m t^n + g c^p r^q with c cycles, t days, r reads per page of the block: Kim,
// Choi, Min, FAST 2019; constants as in the open simulators that use it.
struct PowerLaw {
  double e, a, k, b, m, n, g, p, q;
  double retention(double c, double t) const {
    return e + a * power(c, k) + b * power(c, m) * power(t, n);
  }
};
constexpr PowerLaw kTlc72{1.48e-3, 3.90e-10, 2.05, 6.28e-5, 0.14, 0.54, 3.73e-9, 0.33, 1.71};
constexpr PowerLaw kMlc2y{8.34e-5, 3.30e-11, 1.71, 5.56e-19, 2.49, 3.33, 6.26e-13, 1.76, 0.47};

// ln R = (alpha c + beta) ln t + gamma c + epsilon with t in seconds: "3D NAND version after
// Y. Luo" of an open SimpleSSD fork; not checked against the paper.
double luo(double c, double t) {
  return (7.92e-6 * c + 0.25) * exact_log(std::max(t, kLuoYoungest)) + 3.28e-5 * c - 12.72;
}

}  // namespace

RberModel::RberModel(const ReliabilityConfig& config)
    : form_(config.model),
      t0_(static_cast<double>(config.surface.t0.to_ns()) * 1e-9),
      pages_(config.surface.pages),
      slc_(config.surface.slc),
      disturb_(config.disturb) {
  if (form_ == RberForm::kFast19Tlc) disturb_ = {kTlc72.g, kTlc72.p, kTlc72.q};
  if (form_ == RberForm::kFast19Mlc) disturb_ = {kMlc2y.g, kMlc2y.p, kMlc2y.q};
  if (form_ == RberForm::kLuo) disturb_.factor = 0;
}

double RberModel::x_of(double age) const { return age > 0 ? exact_log(1 + age / t0_) : 0; }

double RberModel::age_of(double x) const { return t0_ * (exact_exp(x) - 1); }

double RberModel::evaluate(const RberFit& f, double cycles, double x) {
  return f.c0 + f.a * power(x, f.q) + (f.d0 + f.d1 * x) * exact_log(1 + cycles / f.p0);
}

double RberModel::published(double cycles, double age) const {
  switch (form_) {
    case RberForm::kFast19Tlc:
      return exact_log(kTlc72.retention(cycles, age / kDay));
    case RberForm::kFast19Mlc:
      return exact_log(kMlc2y.retention(cycles, age / kDay));
    default:
      return luo(cycles, age);
  }
}

RberModel::LogRber RberModel::at(CellMode mode, uint32_t page, double cycles, double x) const {
  if (mode == CellMode::kTlc && form_ != RberForm::kSurface) {
    const double r = published(cycles, age_of(x));
    return {r, r};
  }
  SIM_ASSERT(mode == CellMode::kSlc || page < pages_.size(), "page type {}", page);
  const PageFit& fit = mode == CellMode::kSlc ? slc_ : pages_[page];
  LogRber r;
  r.factory = evaluate(fit.factory, cycles, x);
  r.optimal = std::min(evaluate(fit.optimal, cycles, x), r.factory);
  return r;
}

double RberModel::weight(double x, double x_levels) {
  if (x <= 0) return 1;
  const double off = (x - x_levels) / x;
  return std::min(1.0, off * off);
}

double RberModel::disturb(double cycles, double reads_per_page) const {
  if (disturb_.factor <= 0) return 0;
  return disturb_.factor * power(cycles, disturb_.cycle_power) *
         power(reads_per_page, disturb_.read_power);
}

}  // namespace ftlsim
