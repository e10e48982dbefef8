// Moving valid data out of superblocks: the one mechanism behind folding and garbage collection.
//
// It reads the valid slots of a victim chunk by chunk, in ascending order, and hands them to the
// write engine; when the last of them has been programmed the victim is released. What to empty,
// and whether it may read now, is the plan's decision. Slots read and not yet programmed are
// bounded by the relocation buffer. A slot that is overwritten or trimmed on the way is dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/map/flat_map.h"
#include "ftl/sched/scheduler.h"
#include "ftl/space/space_manager.h"
#include "ftl/stats.h"
#include "ftl/write/write_engine.h"

namespace ftlsim {

// Contract: pure decisions, asked often; must not touch the map, superblocks or the clock.
class RelocationPlan {
 public:
  // The superblock to empty next, invalid if none should be now.
  virtual SuperblockId next_victim() = 0;
  // May `units` more units of a victim of this mode be read now? Asked before each read.
  virtual bool may_read(CellMode victim, uint32_t units) = 0;
  // Units of a victim were read: `valid` of the `capacity` slots of the victim were valid at first.
  virtual void was_read(CellMode victim, uint32_t units, uint32_t valid, uint32_t capacity) = 0;
  // Would this many free superblocks be enough for now?
  virtual bool enough(uint32_t free) const = 0;
  // A victim had no valid slot: its capacity came free without a read.
  virtual void was_free(uint32_t capacity) = 0;
  // Limit of reading in bytes per second for a victim of this mode, 0: none.
  virtual uint64_t rate(CellMode victim) const = 0;
  // Share of the time that relocation may use, in 1/65536.
  virtual uint32_t duty() const = 0;
  // Data that wait for a full word line should be padded when there is no victim left.
  virtual bool drain() const = 0;

 protected:
  ~RelocationPlan() = default;
};

// Lets everybody go on who may wait for what has just come free.
class ProgressSink {
 public:
  virtual void progress() = 0;

 protected:
  ~ProgressSink() = default;
};

class Relocator : public OperationSink {
 public:
  Relocator(Simulator& sim, const DriveConfig& config, Media& media, DieScheduler& scheduler,
            FlatMap& map, SuperblockTable& table, SpaceManager& space, WriteEngine& engine,
            ProgressSink& progress, FtlStats& stats);
  ~Relocator();
  void set_plan(RelocationPlan& plan) { plan_ = &plan; }

  // Goes on as far as the plan and the buffers allow.
  void pump();
  // Idle work is over: its rate and duty limits do not bind what comes next.
  void end_idle_work();
  // Called when a relocation program ended and `slots` left the buffer.
  void settled(uint32_t slots);
  // A victim is being emptied, or data are on their way.
  bool active() const { return victim_.valid() || in_flight_ != 0 || !draining_.empty(); }
  // Nothing is read or staged (a victim may be half done).
  bool quiet() const { return in_flight_ == 0; }
  // Drops what has been read and not placed: its sources stay valid. For a format, which must not
  // wait for room.
  void drop_staged();
  // Forgets a half-done victim (format).
  void reset();

  // Units moved out of SLC and TLC superblocks so far.
  uint64_t moved(CellMode victim) const { return moved_[static_cast<size_t>(victim)]; }

  void operation_done(Operation& op) override;

 private:
  void wake() { progress_.progress(); }
  bool take_victim(bool held_up);
  bool fits() const;
  bool read_next();
  Operation& prepare_read(Ppn first, uint64_t mask, CellMode mode);
  uint64_t valid_in(Ppn first, uint32_t ahead) const;
  void place_ready();
  bool place(Operation& op);
  void release_drained();
  void finish_victim();
  bool limited(CellMode mode, uint32_t units);

  Simulator& sim_;
  Media& media_;
  DieScheduler& scheduler_;
  FlatMap& map_;
  SuperblockTable& table_;
  SpaceManager& space_;
  WriteEngine& engine_;
  ProgressSink& progress_;
  FtlStats& stats_;
  RelocationPlan* plan_ = nullptr;
  const Layout& layout_;
  RelocationOrder order_;
  uint32_t capacity_;
  uint32_t ample_;  // free superblocks that always take what can be read

  SuperblockId victim_;
  uint32_t victim_valid_ = 0;
  uint32_t cursor_ = 0;                 // chunk to look at next
  std::vector<SuperblockId> draining_;  // read whole, programs running
  uint32_t in_flight_ = 0;              // slots read or staged and not programmed
  uint32_t unplaced_[2] = {0, 0};       // slots read and not yet placed, by the victim's mode
  uint32_t reading_ = 0;                // read operations in flight
  std::unique_ptr<Operation[]> ops_;
  std::vector<Operation*> free_;
  std::vector<Operation*> issued_;  // stripe order: ring of reads in order of issue
  uint32_t issued_head_ = 0;
  uint32_t issued_count_ = 0;
  OperationList ready_;  // read and waiting for a place
  Time next_read_;       // rate limit
  Time step_start_;      // duty limit
  uint32_t step_units_ = 0;
  uint64_t moved_[2] = {0, 0};
  bool pumping_ = false;
  MemberEvent<Relocator, &Relocator::wake> wake_;
};

}  // namespace ftlsim
