// A superblock table in a state made by hand, for decisions of policies: one die, two planes, 96
// TLC slots a superblock, no bad block.
#pragma once

#include "ftl/space/superblock_table.h"
#include "sim/assert.h"

namespace ftlsim::test {

inline GeometryConfig hand_made_geometry(uint32_t superblocks) {
  GeometryConfig g;
  g.channels = g.dies_per_channel = 1;
  g.planes = 2;
  g.blocks_per_plane = superblocks;
  g.word_lines = 4;
  g.strings = 1;
  g.factory_bad_blocks = 0;
  return g;
}

struct ClosedSuperblocks {
  explicit ClosedSuperblocks(uint32_t superblocks)
      : media(hand_made_geometry(superblocks), 1), table(media) {}

  // Opens the next superblock and closes it with so many valid slots.
  SuperblockId close(CellMode mode, uint32_t valid) {
    const SuperblockId sb = open(mode);
    table.add_written(sb, table.usable(sb, mode));
    if (valid != 0) table.add_valid(table.layout().first_ppn(sb), valid);
    table.set_state(sb, SuperblockState::kFilled);
    table.set_state(sb, SuperblockState::kClosed);
    return sb;
  }
  SuperblockId close_tlc(uint32_t valid) { return close(CellMode::kTlc, valid); }
  SuperblockId open(CellMode mode) {
    SIM_ASSERT(next < table.size(), "no superblock is left");
    const SuperblockId sb(next++);
    table.open(sb, mode == CellMode::kSlc ? Stream::kHostSlc : Stream::kHostTlc, mode);
    return sb;
  }
  // Lets the clock of openings run: superblocks that hold nothing but valid data.
  void age(uint32_t openings) {
    for (uint32_t i = 0; i < openings; ++i) close_tlc(full());
  }
  uint32_t full() const { return table.layout().superblock_slots(CellMode::kTlc); }

  Media media;
  SuperblockTable table;
  uint32_t next = 0;
};

}  // namespace ftlsim::test
