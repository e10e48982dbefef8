// What the firmware knows of every superblock: state, mode, valid slots, and who still needs it.
//
// Legal transitions: free -> open -> filled -> closed -> victim -> free, and closed -> free when
// nothing in it is valid. Valid counts change with every host write, so they live in an array of
// their own.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/rain/parity_plan.h"
#include "ftl/stats.h"
#include "nand/media.h"
#include "nand/operation.h"
#include "sim/assert.h"
#include "sim/ids.h"

namespace ftlsim {

enum class SuperblockState : uint8_t {
  kFree,    // holds nothing that is needed; erased when it is opened
  kOpen,    // a write stream appends to it
  kFilled,  // every slot is given away, programs are still running
  kClosed,  // complete
  kVictim,  // being emptied by relocation
};

// On whose behalf data are read and written that leave a superblock emptied for this cause.
constexpr Purpose purpose_of_copies(Cause cause) {
  if (cause == Cause::kFold) return Purpose::kFold;
  if (cause == Cause::kWear) return Purpose::kWear;
  return cause == Cause::kRefresh ? Purpose::kRefresh : Purpose::kGc;
}

// kHostTlc and kGc have one superblock open for each heat class.
enum class Stream : uint8_t { kHostSlc, kHostTlc, kFold, kGc, kWear, kMap };
inline constexpr size_t kStreams = 6;

struct Superblock {
  SuperblockState state = SuperblockState::kFree;
  CellMode mode = CellMode::kTlc;
  Stream stream = Stream::kHostTlc;
  uint8_t heat = 0;          // class of its stream
  Cause cause = Cause::kGc;  // victim: why it is emptied
  uint32_t written = 0;      // slots given away since it was opened, pads included, parity not
  uint32_t programs = 0;     // program units in flight
  uint32_t readers = 0;      // reads in flight: it may not be erased
  uint32_t moving = 0;       // slots read for relocation and not yet settled
  uint64_t opened = 0;       // order in which it was opened
  uint64_t touched = 0;      // superblocks opened when a slot was last given away or invalidated
  uint64_t host_reads = 0;   // flash reads of the host since it was opened
};

class SuperblockTable {
 public:
  explicit SuperblockTable(const Media& media, ParityPlan parity = ParityPlan());

  uint32_t size() const { return static_cast<uint32_t>(table_.size()); }
  const Layout& layout() const { return layout_; }
  const Superblock& operator[](SuperblockId sb) const { return table_[sb.value()]; }
  Superblock& at(SuperblockId sb) { return table_[sb.value()]; }
  void set_state(SuperblockId sb, SuperblockState next);

  const ParityPlan& parity() const { return parity_; }
  // Slots for data of a superblock without holes.
  uint32_t full_slots(CellMode mode) const { return full_[static_cast<size_t>(mode)]; }
  // Slots for data with good blocks; fixed by the factory bad blocks.
  uint32_t usable(SuperblockId sb, CellMode mode) const {
    return usable_[static_cast<size_t>(mode)][sb.value()];
  }
  uint32_t valid(SuperblockId sb) const { return valid_[sb.value()]; }
  const std::vector<uint32_t>& valid_counts() const { return valid_; }

  void add_valid(Ppn ppn, uint32_t n) {
    const uint32_t sb = layout_.superblock_of(ppn).value();
    valid_[sb] += n;
    valid_total_[static_cast<size_t>(table_[sb].mode)] += n;
  }
  // Returns true when the last valid slot of a closed superblock went.
  bool remove_valid(Ppn ppn, uint32_t n) {
    const uint32_t sb = layout_.superblock_of(ppn).value();
    SIM_ASSERT(valid_[sb] >= n, "valid count of superblock {} below zero", sb);
    valid_[sb] -= n;
    valid_total_[static_cast<size_t>(table_[sb].mode)] -= n;
    table_[sb].touched = opened_;
    return valid_[sb] == 0 && table_[sb].state == SuperblockState::kClosed;
  }
  // Valid slots on the drive by the mode of their superblock.
  uint64_t valid_total(CellMode mode) const { return valid_total_[static_cast<size_t>(mode)]; }
  // Superblocks in a state.
  uint32_t count(SuperblockState s) const { return by_state_[static_cast<size_t>(s)]; }
  // Closed superblocks of a mode.
  uint32_t closed(CellMode m) const { return closed_count_[static_cast<size_t>(m)]; }
  // Superblocks that hold data (all states but free) in a mode.
  uint32_t holding(CellMode m) const { return holding_[static_cast<size_t>(m)]; }
  // Slots given away in superblocks of a mode.
  uint64_t written_total(CellMode m) const { return written_[static_cast<size_t>(m)]; }
  void add_written(SuperblockId sb, uint32_t n) {
    table_[sb.value()].written += n;
    table_[sb.value()].touched = opened_;
    written_[static_cast<size_t>(table_[sb.value()].mode)] += n;
  }
  // TLC slots for data with good blocks on the whole drive, and those of superblocks that hold data
  // of a mode.
  uint64_t capacity() const { return capacity_; }
  uint64_t capacity_holding(CellMode m) const { return held_[static_cast<size_t>(m)]; }
  // Slots given away in superblocks of a mode that are being emptied.
  uint64_t victims_total(CellMode m) const { return victims_[static_cast<size_t>(m)]; }
  // Slots given away in superblocks of a mode that have been released since.
  uint64_t released_total(CellMode m) const { return released_[static_cast<size_t>(m)]; }
  // 1 for closed superblocks, the candidates for reclaim; parallel to valid_counts().
  const std::vector<uint8_t>& closed_flags() const { return closed_; }
  // Begins a new life of a free superblock.
  void open(SuperblockId sb, Stream stream, CellMode mode, uint32_t heat = 0);
  // Superblocks opened so far: a clock that runs with what is written.
  uint64_t openings() const { return opened_; }
  // All superblocks are free and hold nothing (format).
  void reset();

 private:
  const Layout& layout_;
  ParityPlan parity_;
  uint32_t full_[2];
  std::vector<Superblock> table_;
  std::vector<uint32_t> valid_;
  std::vector<uint8_t> closed_;
  std::vector<uint32_t> usable_[2];
  uint64_t capacity_ = 0;
  uint64_t held_[2] = {0, 0};
  uint64_t valid_total_[2] = {0, 0};
  uint64_t written_[2] = {0, 0};
  uint64_t released_[2] = {0, 0};
  uint64_t victims_[2] = {0, 0};
  uint32_t by_state_[5] = {0, 0, 0, 0, 0};
  uint32_t holding_[2] = {0, 0};
  uint32_t closed_count_[2] = {0, 0};
  uint64_t opened_ = 0;
};

}  // namespace ftlsim
