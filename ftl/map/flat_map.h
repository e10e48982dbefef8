// Logical-to-physical map as one flat table: 4 bytes per 4 KiB unit, 0 = unmapped.
//
// Only runs cross this interface and no pointer to the table leaves it, so that one of extents can
// take its place. Translation is a step that answers "ready" or calls the waiter later. Without a
// pager the whole table is in the controller's memory and always ready; with one (map_cache.h) this
// table is what the drive knows, and the pager says which parts of it are at hand and what the rest
// costs. The parts on flash, translation pages, are further units of this table behind those of the
// user, so that relocation, spare area and valid counts treat them like other data; their own
// entries are always at hand. The map also keeps the valid counts of superblocks in step, since a
// slot is valid exactly while the map points to it. An empty map costs no memory.
#pragma once

#include <cstdint>

#include "ftl/space/superblock_table.h"
#include "sim/arena.h"
#include "sim/event.h"
#include "sim/ids.h"
#include "sim/simulator.h"

namespace ftlsim {

// Consecutive logical units and where they are: consecutive slots, or unmapped (ppn invalid).
struct MapRun {
  Ppn ppn;
  uint32_t n = 0;
};

// Told of superblocks whose last valid slot went.
class DeadSink {
 public:
  virtual void superblock_dead(SuperblockId sb) = 0;

 protected:
  ~DeadSink() = default;
};

// Units as a spare area names them: n values from `first` on, after each `piece` of them a gap.
struct UnitSource {
  const uint32_t* first = nullptr;
  uint32_t n = 0;
  uint32_t piece = UINT32_MAX;
  uint32_t gap = 0;
  uint32_t operator[](uint32_t i) const { return first[gap == 0 ? i : i + i / piece * gap]; }
};

// Keeps a part of the map in memory. Units are those of the user.
class MapPager {
 public:
  // As in FlatMap.
  virtual bool request(Lpn lpn, uint32_t n, Event& waiter) = 0;
  virtual bool request_units(const UnitSource& units, Event& waiter) = 0;
  virtual bool prepare(Lpn lpn) = 0;
  // The entries of a range have changed.
  virtual void updated(Lpn lpn, uint32_t n) = 0;
  // The entries of a range are about to become unmapped.
  virtual void unmapping(Lpn lpn, uint32_t n) = 0;

 protected:
  ~MapPager() = default;
};

class FlatMap {
 public:
  // `pages`: translation pages on flash, 0 without a pager.
  FlatMap(uint32_t user_slots, uint32_t pages, SuperblockTable& superblocks)
      : table_(size_t{user_slots} + pages), user_(user_slots), superblocks_(superblocks) {}
  void set_dead_sink(DeadSink& sink) { dead_ = &sink; }
  void set_pager(MapPager& pager) { pager_ = &pager; }

  uint32_t user_slots() const { return user_; }
  // Units of the user and translation pages behind them.
  uint32_t units() const { return static_cast<uint32_t>(table_.size()); }
  // Units of the user that are mapped.
  uint64_t mapped() const { return mapped_; }
  // Translation pages that have a slot on flash.
  uint32_t pages_mapped() const { return pages_mapped_; }

  // Asks for the translation of a range. True: ready now. False: `waiter` fires when it is;
  // anything may have happened to the range by then.
  bool request(Lpn lpn, uint32_t n, Event& waiter) {
    return pager_ == nullptr ? ready(waiter) : pager_->request(lpn, n, waiter);
  }
  // The same for scattered units; values past the end do not count. The waiter asks again with the
  // same source, which its first element stands for.
  bool request_units(const UnitSource& units, Event& waiter) {
    return pager_ == nullptr ? ready(waiter) : pager_->request_units(units, waiter);
  }
  // For read-ahead: true if the translation of a unit is at hand. If not, it is sent for.
  bool prepare(Lpn lpn) { return pager_ == nullptr || pager_->prepare(lpn); }
  // For tests: every n-th request is pending for `delay`, as if its part of the table had to be
  // fetched. 0 turns it off.
  void delay_requests(Simulator& sim, uint32_t n, Duration delay) {
    sim_ = &sim;
    delay_every_ = n;
    delay_ = delay;
  }
  // Always inlined: GCC 12 takes a function that only prefetches for one without effect and drops
  // the call.
  [[gnu::always_inline]] void prefetch(Lpn lpn) const { __builtin_prefetch(&table_[lpn.value()]); }
  // The same for a range; longer ranges than a cache line's worth are left to the hardware.
  [[gnu::always_inline]] void prefetch(Lpn lpn, uint32_t n) const {
    prefetch(lpn);
    if (n > 1) prefetch(lpn.plus(n - 1));
  }

  // The longest run from lpn on, at most max units.
  MapRun lookup(Lpn lpn, uint32_t max) const {
    const uint32_t* p = &table_[lpn.value()];
    uint32_t n = 1;
    if (p[0] == 0) {
      while (n < max && p[n] == 0) ++n;
      return {Ppn::invalid(), n};
    }
    while (n < max && p[n] == p[0] + n) ++n;
    return {Ppn(p[0] - 1), n};
  }

  // True if the slot holds the current version of `lpn`.
  bool is_current(uint32_t lpn, Ppn ppn) const {
    return lpn < table_.size() && table_[lpn] == ppn.value() + 1;
  }

  // Points lpn .. lpn + n - 1 to consecutive slots; the former slots become invalid.
  void update(Lpn lpn, Ppn ppn, uint32_t n) {
    release(lpn, n);
    uint32_t* p = &table_[lpn.value()];
    for (uint32_t i = 0; i < n; ++i) p[i] = ppn.value() + 1 + i;
    mapped_ += n;
    superblocks_.add_valid(ppn, n);
    if (pager_ != nullptr) pager_->updated(lpn, n);
  }

  // The range becomes unmapped. Returns how many units were mapped.
  uint32_t unmap(Lpn lpn, uint32_t n) {
    if (pager_ != nullptr) pager_->unmapping(lpn, n);
    const uint64_t before = mapped_;
    release(lpn, n);
    uint32_t* p = &table_[lpn.value()];
    for (uint32_t i = 0; i < n; ++i)
      if (p[i] != 0) p[i] = 0;
    return static_cast<uint32_t>(before - mapped_);
  }

  // Moves one unit if it is still at `from`. False: it was overwritten or trimmed meanwhile.
  bool move(Lpn lpn, Ppn from, Ppn to) {
    uint32_t& entry = table_[lpn.value()];
    if (entry != from.value() + 1) return false;
    entry = to.value() + 1;
    superblocks_.add_valid(to, 1);
    invalidate(from, 1);
    if (pager_ != nullptr && lpn.value() < user_) pager_->updated(lpn, 1);
    return true;
  }

  // The slot of a translation page, invalid if it was never written.
  Ppn page_at(uint32_t page) const { return lookup(Lpn(user_ + page), 1).ppn; }
  // A translation page has a new slot.
  void set_page(uint32_t page, Ppn ppn) {
    drop_page(page);
    table_[user_ + page] = ppn.value() + 1;
    ++pages_mapped_;
    superblocks_.add_valid(ppn, 1);
  }
  // A translation page has no slot any more; no effect if it has none.
  void drop_page(uint32_t page) {
    uint32_t& entry = table_[user_ + page];
    if (entry == 0) return;
    const Ppn old(entry - 1);
    entry = 0;
    --pages_mapped_;
    invalidate(old, 1);
  }

  // Forgets everything (format); the caller resets the superblocks.
  void clear() {
    table_.clear();
    mapped_ = 0;
    pages_mapped_ = 0;
  }

 private:
  bool ready(Event& waiter) {
    if (delay_every_ == 0 || ++requests_ % delay_every_ != 0) return true;
    if (!waiter.pending()) sim_->schedule_in(waiter, delay_);
    return false;
  }
  // Takes the range out of the valid counts, run by run; entries keep their values.
  void release(Lpn lpn, uint32_t n) {
    const uint32_t* p = &table_[lpn.value()];
    for (uint32_t i = 0; i < n;) {
      if (p[i] == 0) {
        ++i;
        continue;
      }
      uint32_t k = 1;
      while (i + k < n && p[i + k] == p[i] + k) ++k;
      mapped_ -= k;
      release_slots(p[i] - 1, k);
      i += k;
    }
  }
  // A run of slots may cross into the next superblock.
  void release_slots(uint32_t ppn, uint32_t n) {
    const uint32_t size = superblocks_.layout().superblock_slots(CellMode::kTlc);
    while (n > 0) {
      const uint32_t sb = superblocks_.layout().superblock_of(Ppn(ppn)).value();
      const uint32_t room = (sb + 1) * size - ppn;
      const uint32_t k = n < room ? n : room;
      invalidate(Ppn(ppn), k);
      ppn += k;
      n -= k;
    }
  }
  void invalidate(Ppn ppn, uint32_t n) {
    if (superblocks_.remove_valid(ppn, n))
      dead_->superblock_dead(superblocks_.layout().superblock_of(ppn));
  }

  LazyArray<uint32_t> table_;
  uint32_t user_;
  uint32_t pages_mapped_ = 0;
  MapPager* pager_ = nullptr;
  SuperblockTable& superblocks_;
  DeadSink* dead_ = nullptr;
  uint64_t mapped_ = 0;
  Simulator* sim_ = nullptr;
  uint32_t delay_every_ = 0;
  uint32_t requests_ = 0;
  Duration delay_;
};

}  // namespace ftlsim
