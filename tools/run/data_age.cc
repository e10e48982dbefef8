#include "tools/run/data_age.h"

#include <algorithm>

#include "ftl/read/placement.h"

namespace ftlsim {
namespace {

constexpr double kSecondsPerDay = 86'400;

}  // namespace

uint64_t RetryCounts::total() const {
  uint64_t sum = lost;
  for (const uint64_t n : pages) sum += n;
  return sum;
}

uint64_t RetryCounts::retries() const {
  uint64_t sum = 0;
  for (size_t n = 0; n < pages.size(); ++n) sum += n * pages[n];
  return sum;
}

DataAge measure_data_age(const Firmware& firmware, Lpn first, uint32_t units, uint32_t most,
                         Time now) {
  const Reliability& cells = *firmware.media().reliability();
  const Layout& layout = firmware.media().layout();
  const uint64_t windows = (uint64_t{units} + Placement::kWindow - 1) / Placement::kWindow;
  const uint64_t step = (windows + most - 1) / most;
  DataAge sums;
  sums.clock_days = cells.clock().age(now) / kSecondsPerDay;
  for (uint64_t w = 0; w < windows; w += step) {
    const Lpn lpn = first.plus(static_cast<uint32_t>(w * Placement::kWindow));
    const MapRun run = firmware.map().lookup(lpn, 1);
    if (!run.ppn.valid()) continue;
    const SuperblockId sb = layout.superblock_of(run.ppn);
    const DieId die = layout.split(run.ppn, firmware.superblocks()[sb].mode).die;
    const double days = cells.block_age(sb, die, now) / kSecondsPerDay;
    const double rber = cells.worst_rber(sb, die, now);
    sums.least_days = sums.windows == 0 ? days : std::min(sums.least_days, days);
    sums.most_days = std::max(sums.most_days, days);
    sums.most_rber = std::max(sums.most_rber, rber);
    sums.mean_days += days;
    sums.mean_rber += rber;
    ++sums.windows;
  }
  if (sums.windows == 0) return sums;
  sums.mean_days /= static_cast<double>(sums.windows);
  sums.mean_rber /= static_cast<double>(sums.windows);
  return sums;
}

RetryCounts retries_since(const ReliabilityStats& now, const ReliabilityStats& before) {
  RetryCounts counts;
  for (size_t n = 0; n < counts.pages.size(); ++n) counts.pages[n] = now.pages[n] - before.pages[n];
  counts.lost = now.pages_lost - before.pages_lost;
  return counts;
}

}  // namespace ftlsim
