// How old, how worn and how faulty the data of a drive are at one moment, by closed forms over the
// blocks: no page is read for it. Proportional to the number of blocks; for reports.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nand/reliability/reliability.h"

namespace ftlsim {

struct ReliabilitySnapshot {
  // Upper ends of the classes of age, in days at 25 degrees; the last class has none.
  static constexpr std::array<double, 11> kDays = {1.0 / 24, 0.25, 1,   3,   7,  14,
                                                   30,       90,   180, 365, 730};
  // Classes of mean RBER at the levels of a first read: four per decade from 10^-5 on. The first
  // class holds what is below, the last one what is above.
  static constexpr uint32_t kRberClasses = 18;
  static double rber_end(uint32_t index);  // upper end of a class but the last

  uint64_t slots = 0;  // valid slots; the sums of both arrays
  std::array<uint64_t, kDays.size() + 1> by_age{};
  std::array<uint64_t, kRberClasses> by_rber{};
  double mean_days = 0;  // over the valid slots, as all that follows
  double oldest_days = 0;
  double mean_cycles = 0;
  double most_cycles = 0;
  double mean_rber = 0;
  // Expected of the first read of a page, and mean retries of it (soft decoding counts as one).
  double first_read_failure = 0;
  double mean_retries = 0;
};

// `valid` holds the valid slots of each superblock; those of a superblock are taken to lie evenly
// over its blocks and page types.
ReliabilitySnapshot take_snapshot(const Reliability& reliability, const Media& media, Time now,
                                  const std::vector<uint32_t>& valid);

}  // namespace ftlsim
