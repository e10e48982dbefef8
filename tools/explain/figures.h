// What follows from a drive file by arithmetic alone: rates of dies, channels and link, and the
// size of the SLC cache. Nothing is simulated; the analytic tests compare simulations with these.
//
// Rates are bytes per second of user data, rounded down. They are limits of one part: the drive is
// never faster than the slowest part that the data pass.
#pragma once

#include <cstdint>

#include "ftl/config.h"
#include "nand/layout.h"
#include "sim/units.h"

namespace ftlsim {

// Data of one program operation: a word line of a die in all planes.
Bytes unit_bytes(const NandConfig& nand, CellMode mode);
// One page of all planes of a die: the largest piece that one sense brings.
Bytes chunk_bytes(const NandConfig& nand);
// Time on the channel for so many slots of 4 KiB, command overhead included.
Duration bus_time(const NandConfig& nand, uint32_t slots);

// Programming without pause: a unit per tPROG, or per tPROG plus transfer without cache program.
uint64_t die_program_rate(const NandConfig& nand, CellMode mode);
// Reading whole stripes from TLC: a chunk per tR or transfer, whichever is longer, or per their sum
// without cache read.
uint64_t die_read_rate(const NandConfig& nand);
// Random 4 KiB reads per second from TLC: as many at once as there are planes, if they are
// independent.
uint64_t die_read_iops(const NandConfig& nand);
// Moving data from SLC to TLC within the die: the SLC reads and the program of a TLC unit.
uint64_t die_fold_rate(const NandConfig& nand);

// Data of whole program units through one channel.
uint64_t channel_program_rate(const NandConfig& nand);
// Data of whole chunks through one channel.
uint64_t channel_read_rate(const NandConfig& nand);
// 4 KiB reads per second through one channel.
uint64_t channel_read_iops(const NandConfig& nand);
// Payload in one direction of the link.
uint64_t link_rate(const LinkConfig& link);
// Commands of `slots` slots per second that the firmware cores can take.
uint64_t firmware_iops(const CoreConfig& firmware, uint32_t slots);

// Dies that may program at once under the power limit.
uint32_t programming_dies(const DriveConfig& config);
// Programming with as many dies as the power limit allows.
uint64_t power_limit(const DriveConfig& config, CellMode mode);
// One sequential stream of data: the least of the dies of a superblock, power, and their channels,
// of which parity takes its share of programs; and, for the host's data, the link. Random reads
// find all dies.
uint64_t drive_program_rate(const DriveConfig& config, CellMode mode);
uint64_t drive_read_rate(const DriveConfig& config);
uint64_t drive_read_iops(const DriveConfig& config);
// Folding into one superblock: the data cross the channel twice.
uint64_t drive_fold_rate(const DriveConfig& config);

// The configured limit of the SLC cache when `unused` bytes of TLC capacity hold no TLC data and
// are not reserved.
Bytes slc_limit(const DriveConfig& config, Bytes unused);

// LBA space whose translation pages fit into so much memory. The map must be on flash.
Bytes map_reach(const DriveConfig& config, Bytes memory);
// Translation pages that may be changed and not written.
uint32_t map_dirty_limit(const DriveConfig& config);
// What a look-up adds to a read on an idle drive when its page has to be read.
Duration map_miss_time(const DriveConfig& config);

}  // namespace ftlsim
