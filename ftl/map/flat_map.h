// Logical-to-physical map as one flat table: 4 bytes per 4 KiB unit, 0 = unmapped.
//
// Only runs cross this interface and no pointer to the table leaves it, so that a demand-paged map
// or one of extents can take its place. Translation is a step that answers "ready" or calls the
// waiter later; the flat table is always ready. The map also keeps the valid counts of superblocks
// in step, since a slot is valid exactly while the map points to it. An empty map costs no memory.
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

class FlatMap {
 public:
  FlatMap(uint32_t user_slots, SuperblockTable& superblocks)
      : table_(user_slots), superblocks_(superblocks) {}
  void set_dead_sink(DeadSink& sink) { dead_ = &sink; }

  uint32_t user_slots() const { return static_cast<uint32_t>(table_.size()); }
  uint64_t mapped() const { return mapped_; }

  // Asks for the translation of a range. True: ready now. False: `waiter` fires when it is;
  // anything may have happened to the range by then.
  bool request(Lpn /*lpn*/, uint32_t /*n*/, Event& waiter) { return ready(waiter); }
  // The same for n scattered units, as a spare area names them; values past the end do not count.
  bool request_units(const uint32_t* /*lpns*/, uint32_t /*n*/, Event& waiter) {
    return ready(waiter);
  }
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
  }

  // The range becomes unmapped. Returns how many units were mapped.
  uint32_t unmap(Lpn lpn, uint32_t n) {
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
    return true;
  }

  // Forgets everything (format); the caller resets the superblocks.
  void clear() {
    table_.clear();
    mapped_ = 0;
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
  SuperblockTable& superblocks_;
  DeadSink* dead_ = nullptr;
  uint64_t mapped_ = 0;
  Simulator* sim_ = nullptr;
  uint32_t delay_every_ = 0;
  uint32_t requests_ = 0;
  Duration delay_;
};

}  // namespace ftlsim
