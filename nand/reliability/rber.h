// Raw bit error rate by wear, age and read level, and what read disturb adds. All in ln RBER.
//
// Surface: a fit of measured means for a 128-layer charge-trap TLC; docs/retention.md has sources
// and limits. `R` at levels tuned for another age lies between the two fits: the logarithm of the
// RBER is roughly parabolic in the offset of the read levels, and the best offset moves with x.
// The published forms know no read levels: factory and optimal are equal there.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/layout.h"
#include "nand/reliability/config.h"

namespace ftlsim {

class RberModel {
 public:
  explicit RberModel(const ReliabilityConfig& config);

  struct LogRber {
    double factory = 0;
    double optimal = 0;  // never above factory
  };

  // x = ln(1 + age / t0): the scale on which levels move. Age in seconds at 25 degrees.
  double x_of(double age) const;
  double age_of(double x) const;

  // ln RBER of a page type after `cycles` erase cycles at x >= 0.
  LogRber at(CellMode mode, uint32_t page, double cycles, double x) const;

  // Weight of the factory fit when the levels are tuned for x_levels (0: factory): the exponent in
  // R = optimal^(1 - w) factory^w, w = min(1, ((x - x_levels) / x)^2), 1 at x = 0.
  static double weight(double x, double x_levels);
  static double mix(const LogRber& r, double weight) {
    return r.optimal + weight * (r.factory - r.optimal);
  }

  // RBER that is added after `reads_per_page` reads of each page of the block since its erase.
  double disturb(double cycles, double reads_per_page) const;

 private:
  static double evaluate(const RberFit& fit, double cycles, double x);
  double published(double cycles, double age) const;

  RberForm form_;
  double t0_;  // seconds
  std::vector<PageFit> pages_;
  PageFit slc_;
  DisturbConfig disturb_;
};

}  // namespace ftlsim
