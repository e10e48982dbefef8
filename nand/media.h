// The persistent medium: what every block holds, and the protocol that protects it.
//
// A *die block* is the set of blocks of one superblock on one die; they are programmed and erased
// together, as multi-plane operations. Superblocks are assembled when the drive is made: superblock
// s takes the s-th good block of every plane (the s / groups-th of those of its dies, if
// superblocks are narrower than the drive), so that bad blocks leave holes only in the last
// superblocks. All groups of dies have equally many superblocks; good blocks that some have beyond
// stay unused. Every program unit (die block, row) has a sequence number, 0 while unwritten, and
// every slot an opaque 32-bit spare value, which is the reverse map.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/layout.h"
#include "sim/arena.h"
#include "sim/ids.h"

namespace ftlsim {

class Reliability;

enum class BlockState : uint8_t {
  kDirty,  // holds old data or nothing known; must be erased before use
  kErasing,
  kErased,        // may be programmed from row 0
  kPartlyErased,  // an erase was cut off by a power loss
};

struct DieBlock {
  BlockState state = BlockState::kDirty;
  CellMode mode = CellMode::kTlc;
  uint8_t good_planes = 0;     // mask; 0: no block here
  bool programming = false;    // unit `write_pointer` is being programmed: torn if power is lost
  uint16_t write_pointer = 0;  // rows programmed since the erase
};

struct MediaCounters {
  uint64_t slots_programmed[2] = {0, 0};  // by mode, pads included
  uint64_t units_programmed[2] = {0, 0};
  uint64_t erases[2] = {0, 0};  // die blocks, by the mode they were used in
};

class Media {
 public:
  // Value of a spare entry that carries no data.
  static constexpr uint32_t kSparePad = UINT32_MAX;

  // `bad_block_seed` decides which blocks are bad from the factory.
  Media(const GeometryConfig& geometry, uint64_t bad_block_seed);

  const Layout& layout() const { return layout_; }
  uint32_t superblocks() const { return superblocks_; }
  uint32_t bad_blocks() const { return bad_blocks_; }
  // Slots of a superblock that have a good block under them.
  uint32_t usable_slots(SuperblockId sb, CellMode mode) const;
  // The die must be one of the superblock's, here and below.
  uint8_t good_planes(SuperblockId sb, DieId die) const { return at(sb, die).good_planes; }
  const DieBlock& die_block(SuperblockId sb, DieId die) const { return at(sb, die); }
  // The block of a plane in a superblock, invalid for a hole.
  BlockId block(SuperblockId sb, DieId die, uint32_t plane) const;
  // Erase cycles of a block by the mode in which it was used.
  uint32_t erase_count(BlockId block, CellMode mode) const;
  // The same summed over the blocks of a superblock, and the number of them (never 0).
  uint64_t block_erases(SuperblockId sb, CellMode mode) const {
    return superblock_erases_[static_cast<size_t>(mode)][sb.value()];
  }
  uint32_t good_blocks(SuperblockId sb) const { return good_blocks_[sb.value()]; }

  // Protocol. Each asserts that the operation is legal.
  void begin_erase(SuperblockId sb, DieId die);
  void end_erase(SuperblockId sb, DieId die, CellMode next_mode);
  void begin_program(SuperblockId sb, DieId die, uint32_t row, CellMode mode);
  // `spare` has unit_slots(mode) values; entries in holes are ignored.
  void end_program(SuperblockId sb, DieId die, const uint32_t* spare);
  void check_read(SuperblockId sb, DieId die, uint32_t row, CellMode mode, uint8_t planes) const;

  // Spare area of a slot; meaningful only in programmed units.
  uint32_t spare(Ppn ppn) const { return spare_[ppn.value()]; }
  const uint32_t* spare_data() const { return spare_.data(); }
  void prefetch_spare(Ppn ppn) const { __builtin_prefetch(&spare_[ppn.value()]); }
  // Program order of a unit over the whole drive, 0 if unwritten.
  uint32_t unit_sequence(SuperblockId sb, DieId die, uint32_t row) const {
    return unit_sequence_[unit_index(sb, die, row)];
  }
  const MediaCounters& counters() const { return counters_; }

  // The model of errors that the array asks; nullptr: reads never fail. It outlives the medium's
  // use.
  void attach(Reliability& reliability);
  Reliability* reliability() const { return reliability_; }

  // Slots whose data could not be recovered when they were moved. The mark stands for a flag in the
  // spare area that says so: it moves with the data, and reading them fails until the erase.
  void mark_lost(Ppn ppn);
  bool is_lost(Ppn ppn) const {
    return lost_slots_ != 0 && (lost_[ppn.value() / 64] >> (ppn.value() % 64) & 1) != 0;
  }
  uint64_t lost_slots() const { return lost_slots_; }

  // Content for verification: one token per slot. Off unless enabled before the first program.
  void enable_content() { content_ = LazyArray<uint64_t>(spare_.size()); }
  bool has_content() const { return content_.size() != 0; }
  uint64_t& content(Ppn ppn) { return content_[ppn.value()]; }
  uint64_t content(Ppn ppn) const { return content_[ppn.value()]; }

 private:
  DieBlock& at(SuperblockId sb, DieId die) { return die_blocks_[layout_.die_block(sb, die)]; }
  const DieBlock& at(SuperblockId sb, DieId die) const {
    return die_blocks_[layout_.die_block(sb, die)];
  }
  size_t unit_index(SuperblockId sb, DieId die, uint32_t row) const {
    return layout_.die_block(sb, die) * layout_.rows() + row;
  }
  void assemble(uint64_t seed);
  uint32_t superblocks_of_group(const std::vector<std::vector<uint16_t>>& good) const;
  void forget_lost(SuperblockId sb, DieId die);
  void store_spare(SuperblockId sb, DieId die, uint32_t row, CellMode mode, const uint32_t* spare);

  Layout layout_;
  uint32_t superblocks_ = 0;
  uint32_t bad_blocks_ = 0;
  uint32_t next_sequence_ = 0;
  std::vector<DieBlock> die_blocks_;
  std::vector<uint16_t> block_table_;           // [die block][plane], UINT16_MAX: hole
  std::vector<uint32_t> erase_counts_[2];       // [block], by mode
  std::vector<uint32_t> superblock_erases_[2];  // [superblock], by mode: sums of the above
  std::vector<uint32_t> good_blocks_;           // [superblock]
  LazyArray<uint32_t> spare_;
  LazyArray<uint32_t> unit_sequence_;
  LazyArray<uint64_t> content_;
  Reliability* reliability_ = nullptr;
  LazyArray<uint64_t> lost_;  // a bit per slot
  uint64_t lost_slots_ = 0;
  MediaCounters counters_;
};

}  // namespace ftlsim
