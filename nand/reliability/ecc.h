// Hard and soft decoding: how likely a codeword fails at an RBER, and how long decoding takes.
//
//   P_cw(R) = sum over e of Binomial(bits, R)(e) x failure(e)
// with failure(e) log-linear between the points of the configuration, 0 below the first. The sums
// are done once at start, on a grid of ln R; probabilities below kNegligible count as 0.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/reliability/config.h"
#include "sim/units.h"

namespace ftlsim {

class Ecc {
 public:
  static constexpr double kNegligible = 1e-12;

  explicit Ecc(const EccConfig& config);

  // Probability that hard decoding of a codeword fails at ln RBER.
  double failure(double log_rber) const;
  // Decoding time of a codeword at ln RBER.
  Duration time(double log_rber) const;

  // Up to this ln RBER nothing fails and decoding takes the shortest time.
  double clean_limit() const { return clean_limit_; }
  Duration shortest() const { return times_.front(); }

  // The same from the tables themselves, without the grid: for tests and for the grid.
  double failure_exact(double rber) const;
  Duration time_exact(double rber) const;

 private:
  static constexpr uint32_t kPoints = 2048;
  double failure_at(uint32_t errors) const;

  EccConfig config_;
  double low_ = 0;      // ln RBER of the first point
  double per_log_ = 0;  // points per unit of ln RBER
  double clean_limit_ = 0;
  std::vector<double> failures_;
  std::vector<Duration> times_;
};

}  // namespace ftlsim
