// Free superblocks: who may take one, and when it may be erased.
//
// A superblock is taken in the order of release, or with wear.dynamic the least worn first; static
// wear levelling takes the most worn. It is erased when it is opened, and only when no read is in
// flight on it. Whatever superseded its data is on the medium by then: the map changes when a
// program has completed, and a superblock with slots that the map points to is not released. The
// last superblocks, the reserve, are for relocation alone: host streams cannot take them, so that
// folding and collection always find one superblock for each of their streams (StreamPlan says how
// many).
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/decision_log.h"
#include "ftl/map/flat_map.h"
#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"
#include "ftl/wear/wear_table.h"

namespace ftlsim {

class SpaceManager : public DeadSink {
 public:
  // The reserve of a drive with one stream for folding and one for collection.
  static constexpr uint32_t kRelocationReserve = 3;

  SpaceManager(SuperblockTable& table, uint32_t meta_superblocks, FtlStats& stats,
               uint32_t reserve = kRelocationReserve);
  // Where decisions are recorded, or nullptr.
  void set_log(DecisionLog* log) { log_ = log; }
  // Lets take() look at wear; `youngest_first` for wear.dynamic. Without it the order of release
  // holds for all. The table must outlive this.
  void set_wear(const WearTable& wear, bool youngest_first);

  // Free space in whole superblocks, the relocation reserve included: superblocks with holes count
  // for what they hold.
  uint32_t free_count() const { return free_count_; }
  // Number of free superblocks, whatever they hold.
  uint32_t ring_count() const { return count_; }
  // Free superblocks that host streams leave to relocation.
  uint32_t reserve() const { return reserve_; }
  // Superblocks kept for firmware tables: never opened by a stream.
  uint32_t meta() const { return meta_; }

  // Takes a free superblock that may be erased now. Invalid if there is none, or only the reserve
  // and `for_relocation` is false. `most_worn` asks for the most worn one, whatever the order
  // otherwise. `keep`: superblocks that must remain even if `for_relocation` is true. If
  // superblocks are narrower than the drive, one of the dies of `group` comes before those of the
  // groups that follow, whatever the order within a group.
  SuperblockId take(bool for_relocation, bool most_worn = false, uint32_t keep = 0,
                    uint32_t group = 0);
  // The most worn free superblock, of equals the one released first; invalid if none is free.
  SuperblockId most_worn() const;

  // A closed or emptied superblock becomes free.
  void release(SuperblockId sb);

  // Superblocks whose last valid slot went are released at once unless kept back.
  void superblock_dead(SuperblockId sb) override;
  void keep_dead_slc(bool keep) { keep_dead_slc_ = keep; }

  bool has_released() const { return released_; }
  // True once after superblocks were released since the last call.
  bool take_released() {
    const bool r = released_;
    released_ = false;
    return r;
  }
  // All superblocks are free again (format).
  void reset();

 private:
  enum class Order : uint8_t { kRelease, kYoungest, kMostWorn };

  void set_free_slots(uint64_t slots);
  uint32_t place(uint32_t i) const { return (head_ + i) % static_cast<uint32_t>(ring_.size()); }
  bool before(Order order, SuperblockId a, SuperblockId b) const;
  void note_taken(Order order, SuperblockId sb) const;

  SuperblockTable& table_;
  FtlStats& stats_;
  uint32_t meta_;
  uint32_t reserve_;
  DecisionLog* log_ = nullptr;
  const WearTable* wear_ = nullptr;
  bool youngest_first_ = false;
  std::vector<SuperblockId> ring_;  // free superblocks, oldest release first
  uint32_t head_ = 0;
  uint32_t count_ = 0;
  uint64_t free_slots_ = 0;  // TLC slots for data in the ring
  uint32_t free_count_ = 0;  // the same in whole superblocks
  bool keep_dead_slc_ = false;
  bool released_ = false;
};

}  // namespace ftlsim
