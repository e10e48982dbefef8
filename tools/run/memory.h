// Whether a run fits into memory: asked before it starts, since the big tables are touched only as
// they fill, and the machine would kill the run hours later.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "ftl/config.h"
#include "nand/media.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Peak bytes of memory by use; upper bounds.
struct MemoryEstimate {
  uint64_t map = 0;        // 4 B per 4 KiB unit of the host
  uint64_t spare = 0;      // 4 B per slot of the medium
  uint64_t sequences = 0;  // 4 B per program unit
  uint64_t blocks = 0;     // tables of superblocks and blocks
  uint64_t buffers = 0;    // program units that are being filled or programmed, commands in flight
  uint64_t fixed = 0;      // program, libraries, samples, report
  uint64_t total() const { return map + spare + sequences + blocks + buffers + fixed; }
};

// For any workload, however long.
MemoryEstimate estimate_memory(const DriveConfig& config, const Media& media);
// For this workload: pages of the tables that it cannot touch are left out.
MemoryEstimate estimate_memory(const DriveConfig& config, const Media& media,
                               const Workload& workload);

// Bytes that this process may still use: MemAvailable, and what the control groups (version 2)
// leave room for. Nothing if the kernel does not say. `root` is the root of the file system.
std::optional<uint64_t> available_memory(const std::filesystem::path& root = "/");

// Why a run with this estimate must not start, naming both numbers and the remedy; empty if it
// fits.
std::string memory_shortage(const MemoryEstimate& estimate, uint64_t available);

}  // namespace ftlsim
