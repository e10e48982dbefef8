// How a range of the logical space lies on the dies: what a sequential read of it will find.
//
// A look at the map alone: it takes no simulated time and changes nothing. The range is taken in
// aligned windows of 1 MiB. Of each window it counts
//   extents  runs of consecutive units in consecutive slots
//   senses   array reads that the reader issues for it: pieces of an extent that follow each other
//            within one chunk
//   pages    pages that these senses bring: one for each plane that takes part
//   dies     dies that hold any of it
//   busiest  pages on the die that has most of them: what a request waits for when dies work side
//            by side. Its ideal is pages / dies of the drive, rounded up: a whole stripe.
// Units that are not mapped do not count; nor do windows without any mapped unit.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/map/flat_map.h"
#include "ftl/space/superblock_table.h"
#include "sim/ids.h"

namespace ftlsim {

struct Placement {
  static constexpr uint32_t kWindow = 256;  // units of 4 KiB: 1 MiB
  static constexpr uint32_t kMaxPlanes = 8;

  uint64_t windows = 0;  // that were looked at and hold data; all sums below are over them
  uint64_t slots = 0;
  uint64_t slc_slots = 0;  // of them in SLC superblocks
  uint64_t extents = 0;
  uint64_t senses = 0;
  uint64_t pages = 0;
  uint64_t dies = 0;
  uint64_t busiest = 0;
  uint64_t ideal = 0;                        // of busiest
  uint64_t by_planes[kMaxPlanes + 1] = {};   // senses by the number of planes
  std::vector<uint64_t> windows_by_dies;     // index: dies touched, up to those of the drive
  std::vector<uint64_t> windows_by_busiest;  // index: pages on the busiest die, up to kWindow
};

// The placement of `units` units from `first` on. If the range has more than `most` windows, evenly
// spaced ones stand for all. `window` is the length of a window in units, at most kWindow.
Placement measure_placement(const FlatMap& map, const SuperblockTable& superblocks, Lpn first,
                            uint32_t units, uint32_t most, uint32_t window = Placement::kWindow);

}  // namespace ftlsim
