// Choice of the superblock to empty next. Pure decisions over closed superblocks.
#pragma once

#include "ftl/space/superblock_table.h"

namespace ftlsim {

// Greedy: the closed superblock with the least share of valid slots, the oldest of equals. The
// share is of its TLC capacity in both modes, so that it compares what a gained slot costs: an SLC
// superblock holds at most a third, one with holes less than others. Invalid if every candidate is
// valid throughout, since moving it gains nothing. A scan: up to 8,192 superblocks it costs less
// than keeping order.
SuperblockId greedy_victim(const SuperblockTable& table, bool slc, bool tlc);

// The SLC superblock that was opened first. Invalid if there is none.
SuperblockId oldest_slc(const SuperblockTable& table);

}  // namespace ftlsim
