// Everything the firmware counts. Plain fields; registered once by Device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ftlsim {

// Why a slot was programmed. Copies count under the cause for which their superblock was emptied;
// refresh, meta and parity belong to mechanisms that the counters already name so that the sum is
// complete.
enum class Cause : uint8_t { kHost, kFold, kGc, kWear, kRefresh, kMeta, kPad, kParity };
inline constexpr size_t kCauses = 8;
inline constexpr const char* kCauseNames[kCauses] = {"host",    "fold", "gc",  "wear",
                                                     "refresh", "meta", "pad", "parity"};

struct FtlStats {
  // Slots given to program units, by cause and mode (0 SLC, 1 TLC).
  uint64_t programmed[kCauses][2] = {};

  uint64_t fetched_commands = 0;     // taken by a firmware core
  uint64_t host_write_slots = 0;     // accepted from the host
  uint64_t host_read_slots = 0;      // asked for by the host
  uint64_t coalesced_slots = 0;      // overwritten in the buffer, never programmed
  uint64_t superseded_slots = 0;     // programmed, but overwritten or trimmed meanwhile
  uint64_t buffer_read_slots = 0;    // answered by the write buffer
  uint64_t unmapped_read_slots = 0;  // never written: no flash time
  uint64_t read_ahead_hit_slots = 0;
  uint64_t read_ahead_slots = 0;    // read from flash ahead of the host
  uint64_t flash_read_slots = 0;    // read from flash for the host
  uint64_t flash_read_ops = 0;      // senses for the host
  uint64_t relocation_reads = 0;    // senses for folding and collection
  uint64_t moved_dead_slots = 0;    // read for relocation, then overwritten or trimmed
  uint64_t trimmed_slots = 0;       // unmapped by deallocate
  uint64_t trim_partial_slots = 0;  // partly covered by a deallocate: kept
  uint64_t read_modify_slots = 0;   // read because a write covered them partly
  uint64_t flushes = 0;
  uint64_t victims_slc = 0;
  uint64_t victims_tlc = 0;
  uint64_t dead_superblocks = 0;    // released without moving anything
  uint64_t throttled_commands = 0;  // writes that waited for reclaim
  uint64_t slc_exhaustions = 0;
  uint64_t unrecovered_commands = 0;   // ended with Unrecovered Read Error
  uint64_t refreshed_old = 0;          // superblocks refreshed for their age or error rate
  uint64_t refreshed_read = 0;         // for the reads of a block
  uint64_t refreshed_patrol = 0;       // because a patrol read needed many retries
  uint64_t patrol_reads = 0;           // operations
  uint64_t patrol_retried = 0;         // of them with retries
  uint64_t relocation_lost_slots = 0;  // could not be read when they were moved
  uint64_t map_lost_pages = 0;         // translation pages that could not be read
  uint64_t rebuilt_pages = 0;          // lost, and rebuilt from their parity group
  uint64_t rebuild_reads = 0;          // operations that this took
  uint64_t rebuild_failures = 0;       // pages that could not be rebuilt

  // Of a map that is not wholly in memory. A look-up is one of one translation page.
  uint64_t map_lookups = 0;        // by host commands
  uint64_t map_hits_sram = 0;      // answered by a page in SRAM
  uint64_t map_hits_hmb = 0;       // by one in the host memory buffer
  uint64_t map_hits_log = 0;       // by the update log
  uint64_t map_hits_unit = 0;      // by a page on its way to flash
  uint64_t map_hits_empty = 0;     // by the directory: nothing of the page is mapped
  uint64_t map_misses = 0;         // had to wait for a flash read
  uint64_t map_moved_lookups = 0;  // by relocation
  uint64_t map_moved_misses = 0;
  uint64_t map_reads = 0;       // flash reads of translation pages
  uint64_t map_merges = 0;      // of which to bring a page up to date
  uint64_t map_evictions = 0;   // pages that lost their frame
  uint64_t map_waits = 0;       // host writes that waited for room in the update log
  uint64_t map_superseded = 0;  // pages programmed, but changed and written again meanwhile

  // Not registered by name: the summary has them in its section on the SLC cache.
  uint64_t slc_read_slots = 0;        // read from SLC superblocks for the host
  uint64_t routed_past_slots = 0;     // host writes that slc.route kept out of the cache
  uint64_t copied_on_chip_slots = 0;  // folded without the bus
  uint64_t copy_retries = 0;          // on-chip reads that had to be read again over the bus

  uint64_t programmed_by(Cause c) const {
    return programmed[static_cast<size_t>(c)][0] + programmed[static_cast<size_t>(c)][1];
  }
  uint64_t programmed_total() const {
    uint64_t sum = 0;
    for (const auto& by_mode : programmed) sum += by_mode[0] + by_mode[1];
    return sum;
  }
};

}  // namespace ftlsim
