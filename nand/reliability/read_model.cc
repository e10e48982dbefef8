#include "nand/reliability/read_model.h"

#include <algorithm>
#include <cmath>

#include "sim/math.h"

namespace ftlsim {
namespace {

// The variation is summed over so many points, this many standard deviations to both sides.
constexpr int kPoints = 121;
constexpr double kReach = 6;

}  // namespace

ReadModel::ReadModel(const ReliabilityConfig& config)
    : rber_(config),
      ecc_(config.ecc),
      ladder_(config.retry, rber_),
      sigma_(std::sqrt(config.variation.block_sigma * config.variation.block_sigma +
                       config.variation.word_line_sigma * config.variation.word_line_sigma)) {
  double sum = 0;
  for (int i = 0; i < kPoints; ++i) {
    const double z = -kReach + 2 * kReach * i / (kPoints - 1);
    factors_.push_back(sigma_ * z - sigma_ * sigma_ / 2);
    weights_.push_back(exact_exp(-z * z / 2));
    sum += weights_.back();
  }
  for (double& w : weights_) w /= sum;
}

template <class F>
double ReadModel::over_variation(F f) const {
  if (sigma_ <= 0) return f(0.0);
  double sum = 0;
  for (size_t i = 0; i < factors_.size(); ++i) sum += weights_[i] * f(factors_[i]);
  return sum;
}

double ReadModel::rber_of(const PageState& s, uint32_t sense) const {
  return exact_exp(log_mean(rber_.at(s.mode, s.page, s.cycles, s.x), s, sense)) + s.disturb;
}

double ReadModel::fails(const PageState& s, uint32_t sense, double log_rber,
                        uint32_t codewords) const {
  if (s.disturb > 0) log_rber = exact_log(exact_exp(log_rber) + s.disturb);
  if (ladder_.step(sense) == ReadStep::kSoft) log_rber -= ladder_.log_gain();
  const double good = 1 - ecc_.failure(log_rber);
  double all = 1;
  for (uint32_t i = 0; i < codewords; ++i) all *= good;
  return 1 - all;
}

double ReadModel::first_read_failure(const PageState& s, uint32_t codewords) const {
  const double at = log_mean(rber_.at(s.mode, s.page, s.cycles, s.x), s, 0);
  return over_variation([&](double f) { return fails(s, 0, at + f, codewords); });
}

// A page keeps its draw, so it fails every sense up to j with the least probability among them.
double ReadModel::mean_retries(const PageState& s, uint32_t codewords) const {
  const RberModel::LogRber r = rber_.at(s.mode, s.page, s.cycles, s.x);
  return over_variation([&](double f) {
    double least = 1;
    double mean = 0;
    for (uint32_t sense = 0; ladder_.step(sense + 1) != ReadStep::kNone && least > 0; ++sense) {
      least = std::min(least, fails(s, sense, log_mean(r, s, sense) + f, codewords));
      mean += least;
    }
    return mean;
  });
}

double ReadModel::loss(const PageState& s, uint32_t codewords) const {
  const RberModel::LogRber r = rber_.at(s.mode, s.page, s.cycles, s.x);
  return over_variation([&](double f) {
    double least = 1;
    for (uint32_t sense = 0; ladder_.step(sense) != ReadStep::kNone && least > 0; ++sense)
      least = std::min(least, fails(s, sense, log_mean(r, s, sense) + f, codewords));
    return least;
  });
}

}  // namespace ftlsim
