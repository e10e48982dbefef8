#include "ftl/read/placement.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {
namespace {

// Adds one window after the other to a placement.
class Survey {
 public:
  Survey(const FlatMap& map, const SuperblockTable& superblocks, Placement& sums)
      : map_(map),
        superblocks_(superblocks),
        layout_(superblocks.layout()),
        sums_(sums),
        pages_on_(layout_.dies(), 0) {
    sums_.windows_by_dies.assign(layout_.dies() + 1, 0);
    sums_.windows_by_busiest.assign(Placement::kWindow + 1, 0);
  }

  void add_window(Lpn first, uint32_t units) {
    std::fill(pages_on_.begin(), pages_on_.end(), 0);
    const uint64_t slots_before = sums_.slots;
    const uint64_t pages_before = sums_.pages;
    for (uint32_t i = 0; i < units;) {
      const MapRun run = map_.lookup(first.plus(i), units - i);
      if (run.ppn.valid()) add_extent(run);
      i += run.n;
    }
    if (sums_.slots == slots_before) return;
    const uint64_t pages = sums_.pages - pages_before;
    const auto dies = static_cast<uint32_t>(
        pages_on_.size() - static_cast<size_t>(std::count(pages_on_.begin(), pages_on_.end(), 0u)));
    const uint32_t busiest = *std::max_element(pages_on_.begin(), pages_on_.end());
    ++sums_.windows;
    sums_.dies += dies;
    sums_.busiest += busiest;
    sums_.ideal += (pages + layout_.dies() - 1) / layout_.dies();
    ++sums_.windows_by_dies[dies];
    ++sums_.windows_by_busiest[busiest];
  }

 private:
  // Takes an extent apart as the reader does.
  void add_extent(MapRun run) {
    ++sums_.extents;
    sums_.slots += run.n;
    while (run.n != 0) {
      const CellMode mode = superblocks_[layout_.superblock_of(run.ppn)].mode;
      const ChunkAddress a = layout_.split(run.ppn, mode);
      const uint32_t n = std::min(run.n, layout_.follow(a.first, mode));
      const auto planes = static_cast<uint32_t>(std::popcount(layout_.plane_mask(a.first, n)));
      ++sums_.senses;
      ++sums_.by_planes[planes];
      sums_.pages += planes;
      if (mode == CellMode::kSlc) sums_.slc_slots += n;
      pages_on_[a.die.value()] += planes;
      run.ppn = run.ppn.plus(n);
      run.n -= n;
    }
  }

  const FlatMap& map_;
  const SuperblockTable& superblocks_;
  const Layout& layout_;
  Placement& sums_;
  std::vector<uint32_t> pages_on_;  // per die
};

}  // namespace

Placement measure_placement(const FlatMap& map, const SuperblockTable& superblocks, Lpn first,
                            uint32_t units, uint32_t most, uint32_t window) {
  SIM_ASSERT(window != 0 && window <= Placement::kWindow && most != 0, "a window of {} units",
             window);
  SIM_ASSERT(first.value() + uint64_t{units} <= map.user_slots(), "a range past the end");
  Placement sums;
  Survey survey(map, superblocks, sums);
  if (units == 0) return sums;
  const uint64_t begin = first.value() / window;
  const uint64_t end = (first.value() + uint64_t{units} + window - 1) / window;
  const uint64_t step = (end - begin + most - 1) / most;
  for (uint64_t w = begin; w < end; w += step) {
    const uint64_t from = std::max<uint64_t>(w * window, first.value());
    const uint64_t to = std::min<uint64_t>((w + 1) * window, first.value() + uint64_t{units});
    survey.add_window(Lpn(static_cast<uint32_t>(from)), static_cast<uint32_t>(to - from));
  }
  return sums;
}

}  // namespace ftlsim
