// Moving valid data out of superblocks: the one mechanism behind folding and garbage collection.
//
// It reads the valid slots of a victim chunk by chunk, in ascending order, and hands them to the
// write engine; when the last of them has been programmed the victim is released. What to empty,
// and whether it may read now, is the plan's decision, for each of its two lanes: a victim of the
// request lane may be set aside half done, so the reclaim lane never waits for it. Slots read and
// not yet programmed are bounded by the relocation buffer. A slot that is overwritten or trimmed on
// the way is dropped.
//
// Forced reclaim always goes on, whatever the host and the map wait for meanwhile. The reclaim lane
// can be held up by five things alone, and each of them ends without a host write or a translation
// page being placed:
//   * no room: what is read is no more than the open and the free superblocks take (fits()). Host
//     streams leave the reserve, a superblock for each stream of relocation and one more, and the
//     stream of the map leaves that and what was read (claimed()). A lane that must not read any
//     more pads the partial word lines: their programs end, and with them victims that are free;
//   * the relocation buffer is full, and nothing fills the partial word lines: they are padded;
//   * a translation: see MapCache. Look-ups need a frame, and never a write;
//   * the update log is full: relocation waits only while a page of the map is being read;
//   * a limit of rate or duty: the lane's event is pending. The limits and the map share that event,
//     so whoever finds it pending for an earlier time has to ask again when it fires.
// No victim is valid throughout, so emptying it gains room, and a half-done victim goes on before
// another is chosen. When there is no victim left the host is not held back (Reclaim::admit).
//
// On the on-chip path an SLC chunk that is valid throughout stays on its die, if the word line that
// is being filled there has its next chunk free in the same planes; else it is read again over the
// bus. Chunks that are partly valid go through the controller to one die after the other, so that
// at most one die has a word line that is not filled in whole chunks. Data that stay on the die are
// not corrected on their way, nor checked: the model of errors does not see these reads, and the
// errors that the copies inherit are not modelled. Where errors are modelled the slots copied this
// way are counted as `relocation.unchecked`.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/map/flat_map.h"
#include "ftl/rain/rebuilder.h"
#include "ftl/relocate/relocation_plan.h"
#include "ftl/sched/scheduler.h"
#include "ftl/space/space_manager.h"
#include "ftl/stats.h"
#include "ftl/write/write_engine.h"

namespace ftlsim {

// Lets everybody go on who may wait for what has just come free.
class ProgressSink {
 public:
  virtual void progress() = 0;

 protected:
  ~ProgressSink() = default;
};

class Relocator : public OperationSink, public SpaceClaims {
 public:
  Relocator(Simulator& sim, const DriveConfig& config, Media& media, DieScheduler& scheduler,
            FlatMap& map, SuperblockTable& table, SpaceManager& space, WriteEngine& engine,
            Rebuilder& rebuilder, ProgressSink& progress, FtlStats& stats);
  ~Relocator();
  void set_plan(RelocationPlan& plan) { plan_ = &plan; }

  // Goes on as far as the plan and the buffers allow.
  void pump();
  // Idle work is over: its rate and duty limits do not bind what comes next.
  void end_idle_work();
  // Called when a relocation program ended and `slots` left the buffer.
  void settled(uint32_t slots);
  // A victim is being emptied, or data are on their way.
  bool active() const {
    return reclaim_.victim.valid() || requested_.victim.valid() || in_flight_ != 0 ||
           !draining_.empty();
  }
  // Nothing is read or staged (a victim may be half done).
  bool quiet() const { return in_flight_ == 0; }
  // Drops what has been read and not placed: its sources stay valid. For a format, which must not
  // wait for room.
  void drop_staged();
  // Forgets half-done victims (format).
  void reset();

  // Units moved for a cause so far.
  uint64_t moved(Cause cause) const { return moved_[static_cast<size_t>(cause)]; }

  void operation_done(Operation& op) override;
  uint32_t claimed() const override;

 private:
  // Where a lane is.
  struct Lane {
    SuperblockId victim;
    uint32_t valid = 0;   // its valid slots at first
    uint32_t cursor = 0;  // read to look at next
    Time next_read;       // rate limit
  };

  void wake() { progress_.progress(); }
  Event& wake_of(const Lane& lane) { return &lane == &reclaim_ ? wake_ : request_wake_; }
  Stream destination(SuperblockId victim) const;
  bool read_some();
  bool take_victim();
  bool take_request();
  void begin(Lane& lane, SuperblockId sb, Cause cause);
  bool fits(const Lane& lane) const;
  uint32_t superblocks_for(Stream stream, uint32_t slots) const;
  bool read_next(Lane& lane);
  bool allowed(Lane& lane, CellMode mode, uint32_t units);
  Operation& prepare_read(SuperblockId victim, Ppn first, uint64_t mask, CellMode mode);
  uint32_t read_slots(CellMode mode) const;
  Ppn read_first(SuperblockId victim, uint32_t n, CellMode mode) const;
  uint64_t valid_in(Ppn first, CellMode mode, Ppn ahead) const;
  // The first slot of a read that `mask` has.
  Ppn slot_of(const Operation& op, uint64_t mask) const {
    return layout_.chunk_slot(op.first, static_cast<uint32_t>(std::countr_zero(mask)), op.mode);
  }
  void place_ready();
  bool place(Operation& op);
  WriteEngine::Copy place_on_chip(const Operation& op);
  void release_drained();
  void finish_victim(Lane& lane);
  bool nothing_to_come() const;
  bool waits(Lane& lane);
  void charge(Lane& lane, uint64_t rate, uint32_t units);
  void charge_duty(uint32_t units);
  bool end_step();

  Simulator& sim_;
  Media& media_;
  DieScheduler& scheduler_;
  FlatMap& map_;
  SuperblockTable& table_;
  SpaceManager& space_;
  WriteEngine& engine_;
  Rebuilder& rebuilder_;
  ProgressSink& progress_;
  FtlStats& stats_;
  RelocationPlan* plan_ = nullptr;
  const Layout& layout_;
  RelocationOrder order_;
  bool on_chip_;  // slc.fold.path
  uint32_t capacity_;
  uint32_t ample_;  // free superblocks that always take what can be read

  Lane reclaim_;
  Lane requested_;
  RelocationRequest request_;                  // that `requested_` serves
  std::vector<SuperblockId> draining_;         // read whole, programs running
  uint32_t in_flight_ = 0;                     // slots read or staged and not programmed
  std::array<uint32_t, kStreams> unplaced_{};  // slots read and not yet placed, by destination
  uint32_t reading_ = 0;                       // read operations in flight
  std::unique_ptr<Operation[]> ops_;
  std::vector<Operation*> free_;
  std::vector<Operation*> issued_;  // stripe order: ring of reads in order of issue
  uint32_t issued_head_ = 0;
  uint32_t issued_count_ = 0;
  OperationList ready_;  // read and waiting for a place
  Time step_start_;      // duty limit
  uint32_t step_units_ = 0;
  uint32_t duty_ = 0;       // of the step
  bool step_ends_ = false;  // all of it is read
  std::array<uint64_t, kCauses> moved_{};
  bool pumping_ = false;
  MemberEvent<Relocator, &Relocator::wake> wake_;
  MemberEvent<Relocator, &Relocator::wake> request_wake_;
};

}  // namespace ftlsim
