// How old the data are that a phase reads, and what reading them took: retries by page.
//
// The age is that of the die block that holds the first unit of each window of 1 MiB, in days at 25
// degrees; the error rate is the mean RBER of that block's worst page type at the factory's read
// levels. A drive without a model of ageing has none of this.
#pragma once

#include <array>
#include <cstdint>

#include "ftl/firmware.h"
#include "nand/reliability/reliability.h"
#include "sim/ids.h"
#include "sim/units.h"

namespace ftlsim {

struct DataAge {
  uint64_t windows = 0;
  double mean_days = 0;
  double least_days = 0;
  double most_days = 0;
  double mean_rber = 0;
  double most_rber = 0;
  double clock_days = 0;  // of the drive's clock at the end of the phase
};

// Pages read in a phase, by the number of retries; those of the host and of the firmware.
struct RetryCounts {
  std::array<uint64_t, ReliabilityStats::kRetries> pages{};
  uint64_t lost = 0;

  uint64_t total() const;
  uint64_t retries() const;
  uint64_t retried_pages() const { return total() - pages[0] - lost; }
};

// Of `units` units from `first` on, at `now`; at most `most` windows, evenly spaced. The drive has
// a model of ageing.
DataAge measure_data_age(const Firmware& firmware, Lpn first, uint32_t units, uint32_t most,
                         Time now);

// What has been counted since `before`.
RetryCounts retries_since(const ReliabilityStats& now, const ReliabilityStats& before);

}  // namespace ftlsim
