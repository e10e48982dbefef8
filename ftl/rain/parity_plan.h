// Which program units of a superblock hold parity (rain.dies).
//
// The dies of a superblock form groups of `dies` with consecutive numbers. In every row (word line
// and string) of a group the unit of one die is the parity of those of the others, page by page and
// plane by plane; which die moves on by one from row to row, so that all dies carry the same load.
// A plane without a good block takes no part: where that is the parity's, the plane of the row has
// none. Parity units hold no slot that is ever mapped; what is called capacity leaves them out.
#pragma once

#include <cstdint>

#include "nand/media.h"

namespace ftlsim {

class ParityPlan {
 public:
  // `dies`: dies of a group, 0 for none; must divide the dies of a superblock.
  explicit ParityPlan(uint32_t dies = 0) : dies_(dies) {}

  bool on() const { return dies_ != 0; }
  uint32_t dies() const { return dies_; }
  // The first die of the group of a die.
  DieId first_die(DieId die) const {
    return DieId(static_cast<uint16_t>(die.value() - die.value() % dies_));
  }
  bool is_parity(DieId die, uint32_t row) const {
    return dies_ != 0 && die.value() % dies_ == dies_ - 1 - row % dies_;
  }
  // The die that holds the parity of a row in the group of a die.
  DieId parity_die(DieId die, uint32_t row) const {
    return DieId(static_cast<uint16_t>(first_die(die).value() + dies_ - 1 - row % dies_));
  }
  // Rows in which a die holds parity.
  uint32_t parity_rows(DieId die, uint32_t rows) const;
  // Slots for data of a superblock without holes, and of one with those that it has.
  uint32_t full_slots(const Layout& layout, CellMode mode) const;
  uint32_t data_slots(const Media& media, SuperblockId sb, CellMode mode) const;
  // Pages of data whose parity falls on a hole, and pages of data in all, with all bits per cell.
  struct Cover {
    uint64_t pages = 0;
    uint64_t unprotected = 0;
  };
  Cover cover(const Media& media) const;

 private:
  uint32_t dies_;
};

}  // namespace ftlsim
