// A write stream: where appended units get their slot, and the word lines that are being filled.
//
// A frontier has one open superblock. In *stripe* placement it follows the program order, so that a
// sequential stream fills page type by page type over all dies and stays a run in both maps. In
// *die* placement it fills one die's word line at a time on the die that the caller or the shortest
// queue chooses. A word line whose good slots are all filled is handed to the scheduler; a sealed
// one is padded first. The superblock is filled when every word line has been handed over.
//
// With parity (rain.dies) the word line of one die of each group and row is computed by the
// controller while the others are filled, and handed over after the last of them. Until then it is
// in the controller, and so is the content of what has been handed over and not been programmed:
// a row that is not complete can be rebuilt with the reads of what is. Sealing therefore pads no
// further word lines; a superblock that is given up early gets its last rows completed. A die waits
// with what follows its parity until that has been handed over, so that in die placement the dies
// of a group keep within `rain.dies` rows. The memory for parity is not taken from the buffers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/sched/scheduler.h"
#include "ftl/space/space_manager.h"
#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"
#include "nand/operation.h"

namespace ftlsim {

inline constexpr uint32_t kMaxUnitSlots = 128;

// One program unit (a word line on one die) from its first slot to the end of its program.
struct UnitBuffer {
  Operation op;
  Stream stream = Stream::kHostTlc;
  bool sealed = false;       // handed to the scheduler
  bool filler = false;       // parity, or padding beside it: no data, of a pool of its own
  uint16_t filled = 0;       // slots with data or pads
  uint16_t usable = 0;       // slots with a good block
  uint16_t data_slots = 0;   // slots with data: what its buffer gets back
  uint16_t piece_end = 0;    // die placement, no bad plane: slots up to here lie without a gap
  Ppn piece;                 // ... and this would be slot 0 if all before them did
  uint64_t seal_number = 0;  // host data: in the order of handing over
  uint32_t lpn[kMaxUnitSlots];
  uint32_t source[kMaxUnitSlots];  // relocation: former slot; invalid for host data and the map
  uint64_t* tokens = nullptr;      // kMaxUnitSlots content tokens, verification only
};

// A fixed pool of unit buffers.
class UnitPool {
 public:
  UnitPool(uint32_t count, bool content);
  UnitBuffer* take();
  void give(UnitBuffer& unit) { free_.push_back(&unit); }
  uint32_t available() const { return static_cast<uint32_t>(free_.size()); }

 private:
  std::unique_ptr<UnitBuffer[]> units_;
  std::vector<uint64_t> tokens_;
  std::vector<UnitBuffer*> free_;
};

// A place for one slot.
struct Place {
  UnitBuffer* unit = nullptr;  // nullptr: no room now
  uint32_t index = 0;          // within the unit
  Ppn ppn;
  uint32_t run = 0;  // slots from here on that follow without a gap
};

// What a frontier needs from the engine that owns it.
class FrontierHost {
 public:
  // Takes a free superblock for a stream and heat class, invalid if none can be had now.
  virtual SuperblockId open_superblock(Stream stream, uint32_t heat, CellMode mode) = 0;
  // A word line is complete: hand it to the scheduler.
  virtual void submit_unit(UnitBuffer& unit) = 0;
  // The open superblock has no slot left.
  virtual void superblock_filled(SuperblockId sb) = 0;

 protected:
  ~FrontierHost() = default;
};

class Frontier {
 public:
  Frontier(Stream stream, uint32_t heat, CellMode mode, bool stripe_placement, FrontierHost& host,
           UnitPool& pool, UnitPool& parity_pool, SuperblockTable& table, const Media& media,
           const DieScheduler& scheduler);

  bool is_open() const { return superblock_.valid(); }
  SuperblockId superblock() const { return superblock_; }
  // Is there an open superblock, and does it have this die?
  bool spans(DieId die) const {
    return superblock_.valid() && die.valid() && layout_.has_die(superblock_, die);
  }
  // Has the last piece been filled and the next not been begun? In die placement, word lines.
  bool between_pieces() const {
    return stripe_ ? position_ == 0 : !target_.valid() || units_[target_.value()] == nullptr;
  }
  // Slots left in the open superblock, holes and padded word lines counted as room.
  uint32_t room() const;

  // The next slot in stripe placement, with the run that may follow it.
  Place next();
  // The next slot in die placement; an invalid die leaves the choice to the shortest queue.
  Place next_on(DieId die) {
    const DieId at = die.valid() ? die : target_;
    UnitBuffer* unit = at.valid() ? units_[at.value()] : nullptr;
    if (unit != nullptr && unit->filled < unit->piece_end) [[likely]]
      return {unit, unit->filled, unit->piece.plus(unit->filled), 1};
    return find_on(die);
  }
  // The caller has filled `n` slots from a place on.
  void fill(const Place& place, uint32_t n);

  // True if some word line holds data and is not handed over.
  bool has_partial() const { return partial_ != 0; }
  // Pads and hands over every word line that holds data. Returns the number of pads.
  uint32_t seal();
  // Hands over parity that is due. To be called when units of its pool have come back.
  void add_parity();
  // Gives the open superblock up before it is full (partial word lines are padded first), so that
  // its data can be relocated. Returns the number of pads. Stripe placement only. With parity it
  // does nothing while too much parity is on its way: to be asked again.
  uint32_t close_early();
  // The unsealed unit that holds a slot, nullptr if it is not in the open superblock or sealed.
  UnitBuffer* unsealed(Ppn ppn, uint32_t* index);
  // Forgets the open superblock (format); there must be no unsealed data.
  void reset();

 private:
  bool open();
  bool in_piece() const;
  void begin(UnitBuffer& unit, DieId die);
  bool has_row(DieId die) const;
  uint32_t handed_over(DieId die) const {
    return next_row_[die.value()] - (units_[die.value()] != nullptr ? 1u : 0u);
  }
  bool parity_due(DieId die) const;
  void add_parity(DieId first);
  bool hand_over_filler(DieId die);
  void complete_rows();
  UnitBuffer* unit_for(DieId die);
  DieId choose_die();
  Place find_on(DieId wanted);
  void hand_over(UnitBuffer& unit);
  void advance_row();
  void check_filled();
  void drop_empty_units();

  Stream stream_;
  uint32_t heat_;  // class of its data, 0 in streams without classes
  CellMode mode_;
  bool stripe_;
  FrontierHost& host_;
  UnitPool& pool_;
  UnitPool& parity_pool_;
  SuperblockTable& table_;
  const Media& media_;
  const DieScheduler& scheduler_;
  const Layout& layout_;
  const ParityPlan parity_;
  const uint32_t pieces_;  // of a row
  const uint8_t all_planes_;

  SuperblockId superblock_;
  std::vector<UnitBuffer*> units_;  // per die: being filled
  std::vector<uint16_t> next_row_;  // per die: row of the next unit
  uint32_t row_ = 0;                // stripe placement: position
  uint32_t piece_ = 0;              // within the row
  uint32_t position_ = 0;           // within the piece
  Place begun_;                     // of its first slot, if no plane of it is bad
  DieId begun_die_;
  DieId target_;        // die placement: die being filled
  uint32_t rotor_ = 0;  // die placement: tie break
  uint32_t partial_ = 0;
};

}  // namespace ftlsim
