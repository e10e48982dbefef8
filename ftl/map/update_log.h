// Map entries that are newer than their translation page on flash, grouped by page.
//
// The table of the simulator holds their values; this counts them and says which units they are of.
// Pages are in order of the oldest entry: what has waited longest is taken into its page first, and
// with it everything else of that page.
#pragma once

#include <cstdint>

#include "ftl/map/index_list.h"
#include "sim/arena.h"

namespace ftlsim {

class UpdateLog {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // `entries`: of a translation page, a power of two of at least 16.
  UpdateLog(uint32_t pages, uint32_t entries, uint32_t capacity)
      : entries_(entries),
        capacity_(capacity),
        bits_(size_t{pages} * entries / 64 + 1),
        counts_(pages),
        order_(pages) {}

  uint32_t used() const { return used_; }
  bool empty() const { return used_ == 0; }
  bool full() const { return used_ >= capacity_; }
  bool above_half() const { return used_ > capacity_ / 2; }
  uint32_t capacity() const { return capacity_; }
  // Entries of a page.
  uint32_t count(uint32_t page) const { return counts_[page]; }
  // The page whose entry is oldest, kNone if none is in line.
  uint32_t oldest() const { return order_.front(); }

  // Units `first` to `last` of the drive, all of one page, are newer than the page. `in_line`: the
  // page takes a turn; false while it is on its way to be updated.
  void add(uint32_t page, uint32_t first, uint32_t last, bool in_line) {
    uint32_t fresh = 0;
    for (uint32_t u = first; u <= last; ++u) {
      uint64_t& word = bits_[u / 64];
      const uint64_t bit = uint64_t{1} << (u % 64);
      fresh += (word & bit) == 0;
      word |= bit;
    }
    counts_[page] = static_cast<uint16_t>(counts_[page] + fresh);
    used_ += fresh;
    if (in_line && !order_.contains(page)) order_.push_back(page);
  }
  // True if the newest entries of all these units are here.
  bool covers(uint32_t page, uint32_t first, uint32_t last) const {
    if (counts_[page] < last - first + 1) return false;
    for (uint32_t u = first; u <= last; ++u)
      if ((bits_[u / 64] >> (u % 64) & 1) == 0) return false;
    return true;
  }
  // The page leaves the line, its entries stay.
  void step_out(uint32_t page) {
    if (order_.contains(page)) order_.remove(page);
  }
  // The entries of a page were taken into it, or have become meaningless.
  void drop(uint32_t page) {
    step_out(page);
    if (counts_[page] == 0) return;
    for (uint32_t u = page * entries_; u < (page + 1) * entries_; u += 16)
      bits_[u / 64] &= ~(uint64_t{0xffff} << (u % 64));
    used_ -= counts_[page];
    counts_[page] = 0;
  }
  void clear() {
    bits_.clear();
    counts_.clear();
    order_.clear();
    used_ = 0;
  }

 private:
  uint32_t entries_;
  uint32_t capacity_;
  uint32_t used_ = 0;
  LazyArray<uint64_t> bits_;
  LazyArray<uint16_t> counts_;
  IndexList order_;
};

}  // namespace ftlsim
