// The one vocabulary of workloads, which is fio's: jobs, and the phases that run them.
//
// A JobSpec is resolved and checked: percentages have become bytes of the drive, every region lies
// inside it, and all lengths are multiples of the logical block. Front ends (job files, procedures)
// produce it; the engine (WorkloadRunner) takes it as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.h"

namespace ftlsim {

enum class Direction : uint8_t { kRead, kWrite, kTrim };
inline constexpr size_t kDirections = 3;
inline constexpr std::array<Direction, kDirections> kAllDirections{
    Direction::kRead, Direction::kWrite, Direction::kTrim};
constexpr size_t index_of(Direction d) { return static_cast<size_t>(d); }
constexpr std::string_view name_of(Direction d) {
  constexpr std::array<std::string_view, kDirections> kNames{"read", "write", "trim"};
  return kNames[index_of(d)];
}

enum class RwKind : uint8_t {
  kRead,
  kWrite,
  kTrim,
  kReadWrite,
  kRandRead,
  kRandWrite,
  kRandTrim,
  kRandReadWrite,
};
constexpr bool is_random(RwKind rw) { return rw >= RwKind::kRandRead; }
constexpr bool is_mixed(RwKind rw) {
  return rw == RwKind::kReadWrite || rw == RwKind::kRandReadWrite;
}
// Whether a job of this kind may issue requests of this direction.
constexpr bool uses(RwKind rw, Direction d) {
  switch (rw) {
    case RwKind::kRead:
    case RwKind::kRandRead:
      return d == Direction::kRead;
    case RwKind::kWrite:
    case RwKind::kRandWrite:
      return d == Direction::kWrite;
    case RwKind::kTrim:
    case RwKind::kRandTrim:
      return d == Direction::kTrim;
    case RwKind::kReadWrite:
    case RwKind::kRandReadWrite:
      break;
  }
  return d != Direction::kTrim;
}

// One job: `numjobs` threads that each keep `iodepth` requests in flight.
struct JobSpec {
  std::string name;
  // Names the job's random streams, together with the thread number: equal scopes give equal
  // sequences. It must not contain anything that may change without changing the sequence.
  std::string stream;
  RwKind rw = RwKind::kRead;
  std::array<Bytes, kDirections> block_size{Bytes::kib(4), Bytes::kib(4), Bytes::kib(4)};
  Bytes offset;   // start of the region
  Bytes size;     // its length; also the bytes to move, reads and writes together ...
  Bytes io_size;  // ... unless this is not 0; the last block may go past it
  uint32_t iodepth = 1;
  uint32_t numjobs = 1;
  Duration runtime;            // 0: none. Alone it ends the job early, never late.
  bool time_based = false;     // repeat the region until `runtime` has passed
  bool norandommap = false;    // random offsets with replacement instead of each block once a pass
  bool short_tail = false;     // move the last piece of a region that is no multiple of the block
  uint32_t read_percent = 50;  // of the requests of a mixed job
  std::optional<uint64_t> randseed;  // replaces the seed of the run
};

// How long the host's CPU needs for one NVMe command, and how late it learns of its end.
// Estimates for a desktop CPU with io_uring: one thread reaches about 660 k IOPS.
struct HostModel {
  Duration submit_cpu = Duration::ns(800);          // estimate
  Duration complete_cpu = Duration::ns(700);        // estimate
  Duration interrupt_latency = Duration::ns(2000);  // estimate
};

enum class PhaseAction : uint8_t { kJobs, kFormat, kIdle, kFlush };

// A part of a workload that begins when everything before it has completed.
struct PhaseSpec {
  std::string name;  // unique within the workload
  std::string kind;  // read, write, mix, trim, format, idle, flush
  PhaseAction action = PhaseAction::kJobs;
  Duration idle;              // kIdle
  std::vector<JobSpec> jobs;  // kJobs: these run side by side
};

struct Workload {
  std::string name;
  HostModel host;
  std::vector<PhaseSpec> phases;
};

// read, write or trim if all jobs do only that; mix otherwise.
std::string_view kind_of(const std::vector<JobSpec>& jobs);

// Appends "-2", "-3" ... to the names of phases that are taken already.
void make_phase_names_unique(Workload& workload);

}  // namespace ftlsim
