// What a phase of a workload did: counts and latencies per direction, begin and end.
//
// Laws: issued == completed at the end of every phase, and latency.count() == completed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/histogram.h"
#include "sim/units.h"
#include "workloads/job_guard.h"
#include "workloads/job_spec.h"
#include "workloads/load_spec.h"
#include "workloads/trace/replay_report.h"

namespace ftlsim {

// Counts are host requests as fio counts them, before the block layer splits them.
struct DirectionResult {
  uint64_t issued = 0;
  uint64_t completed = 0;
  uint64_t bytes = 0;          // of completed requests
  uint64_t nvme_commands = 0;  // sent to the drive for them
  uint64_t errors = 0;         // NVMe commands that ended with another status than success
  // From the host's submission call to the end of its completion handling: CPU time included.
  LatencyHistogram latency;
};

struct PhaseResult {
  size_t index = 0;                 // of the phase among those that ran
  const PhaseSpec* spec = nullptr;  // name and kind
  Time begin;
  Time end;
  bool complete = false;  // it ran to its own end; known at the end
  std::array<DirectionResult, kDirections> directions;
  // Of a kReplay phase; complete at its end.
  const ReplayReport* replay = nullptr;
  DirectionResult flushes;  // that jobs asked for; not in the sums
  // Of a phase with a warm-up: when it ended, and the state of the directions then.
  Time measure_begin;
  std::array<DirectionResult, kDirections> warmup;
  uint64_t rate_milli = 0;              // that the jobs shared; 0: as fast as requests completed
  std::optional<RoundVerdict> verdict;  // of the last phase of the last round that ran
  // Threads that ended early, and the job and the reason of the first of them.
  uint32_t threads_failed = 0;
  const JobSpec* failed_job = nullptr;
  ThreadError failure;

  const DirectionResult& operator[](Direction d) const { return directions[index_of(d)]; }
  DirectionResult& operator[](Direction d) { return directions[index_of(d)]; }
  uint64_t issued() const { return sum(&DirectionResult::issued); }
  uint64_t completed() const { return sum(&DirectionResult::completed); }
  uint64_t bytes() const { return sum(&DirectionResult::bytes); }

  // What completed after the warm-up, and how long that took; everything if there was none.
  DirectionResult measured(Direction d) const;
  Duration measured_span() const { return end - max(begin, measure_begin); }
  // Requests and bytes of it per second, reads, writes and trims together.
  double measured_iops() const;
  double measured_bytes_per_second() const;

 private:
  uint64_t sum(uint64_t DirectionResult::*field) const {
    return directions[0].*field + directions[1].*field + directions[2].*field;
  }
};

}  // namespace ftlsim
