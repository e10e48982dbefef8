// Invariants of the firmware's tables, recounted from scratch.
//
// For tests and for self-checks on small drives: the cost is proportional to the size of the drive.
// The state must be the one between two events.
#pragma once

#include <string>
#include <vector>

#include "ftl/firmware.h"

namespace ftlsim {

// One sentence for each violated invariant; empty if all hold. What must hold:
//   - the map and the reverse map agree, and a mapped slot lies in a programmed unit;
//   - valid counts, written totals, states and holdings of superblocks equal a recount;
//   - every superblock has exactly one role: free, firmware table, open, filled, closed or victim;
//     a stream and heat class has at most one open superblock, in the mode of the stream;
//   - no mapped slot lies in parity, and in a closed superblock every row with data has its parity;
//   - write pointers and unit sequence numbers of the medium fit the state of the superblock;
//   - pending units lie in superblocks of host streams and fit into the write buffer;
//   - programmed slots by cause add up to what the medium counts;
//   - every change of a translation page is on flash, in a frame, in the log or being programmed;
//   - physics: bits per cell x SLC slots written + valid TLC slots <= usable - firmware tables.
std::vector<std::string> check_invariants(const Firmware& firmware);

// The same for the balance of the write buffer, which holds while no command is outstanding:
// units accepted from the host == programmed + overwritten in the buffer + still buffered.
std::vector<std::string> check_host_balance(const Firmware& firmware);

}  // namespace ftlsim
