// Choice of the superblock to empty next. Pure decisions over closed superblocks.
#pragma once

#include "ftl/space/superblock_table.h"

namespace ftlsim {

// Greedy: the closed superblock with the fewest valid slots, the oldest of equals. An SLC
// superblock holds at most a third of the slots of a TLC one, so that comparing valid slots compares
// the cost of a free superblock across both modes. Invalid if every candidate is fully valid TLC,
// since moving it gains nothing. A scan: up to 8,192 superblocks it costs less than keeping order.
SuperblockId greedy_victim(const SuperblockTable& table, bool slc, bool tlc);

// The SLC superblock that was opened first. Invalid if there is none.
SuperblockId oldest_slc(const SuperblockTable& table);

}  // namespace ftlsim
