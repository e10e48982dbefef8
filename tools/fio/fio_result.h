// What fio would report of one job, or of a group of jobs, apart from the format.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.h"
#include "tools/fio/fio_stat.h"
#include "workloads/job_guard.h"
#include "workloads/job_spec.h"

namespace ftlsim {

struct FioDirectionResult {
  uint64_t bytes = 0;
  uint64_t requests = 0;
  FioLatency slat;
  FioLatency clat;
  FioLatency lat;
  FioMoments bw;    // KiB/s per averaging window
  FioMoments iops;  // 1/s likewise

  void merge(const FioDirectionResult& other);
};

// Shares of requests, by queue depth when they were issued and by latency.
struct FioShares {
  static constexpr std::array<uint64_t, 10> kEdges{2, 4, 10, 20, 50, 100, 250, 500, 750, 1000};
  std::array<uint64_t, 7> depth{};  // 1, 2, 4, 8, 16, 32, >=64
  std::array<uint64_t, 10> ns{};
  std::array<uint64_t, 10> us{};
  std::array<uint64_t, 12> ms{};  // and 2000, >=2000
  uint64_t requests = 0;

  void add(uint32_t queue_depth, uint64_t latency_ns);
  void merge(const FioShares& other);
};

// What a job's steady-state detector had seen at its end.
struct FioSteady {
  bool attained = false;
  double criterion = 0;  // in percent if the limit is
  double deviation = 0;  // the same in units of the measure
  std::vector<uint64_t> iops;
  std::vector<uint64_t> bw;   // bytes/s
  std::vector<uint64_t> lat;  // ns

  // Over the whole window, what is missing counting as 0.
  static uint64_t mean(const std::vector<uint64_t>& window);
};

struct FioResult {
  const JobSpec* job = nullptr;  // the first of them
  uint32_t group = 0;
  uint32_t threads = 1;
  Time begin;        // of the first thread, after its ramp
  Time end;          // of the last
  Duration runtime;  // summed over the threads
  PerDirection<FioDirectionResult> directions;
  FioLatency sync;
  FioShares shares;
  ThreadError error;                // that ended a thread, the first of them
  uint64_t errors = 0;              // requests that failed
  std::optional<FioSteady> steady;  // if the job looks for it; of all its threads together

  void merge(const FioResult& other);
  // Reads, writes and trims as one, for unified_rw_reporting.
  FioDirectionResult mixed() const;
  // The number that fio reports as the job's error, and what it was.
  JobError error_number() const;
  std::string_view error_cause() const;
  // Of all threads together, at least 1 ns.
  Duration span() const { return end > begin ? end - begin : Duration::ns(1); }
};

// Everything of a run.
struct FioReport {
  std::vector<FioResult> results;
  std::vector<FioOptionText> global_options;
  Time end;
};

// What the operating system calls an error.
std::string_view fio_error_text(JobError error);
// rw names as fio writes them.
std::string_view fio_name(RwKind rw);
std::string_view fio_name(SteadyMeasure measure);
// The criterion of a job's steady state as fio writes it, for example "iops_slope:0.300000%".
std::string fio_steady_name(const SteadySpec& spec);
// The percentiles that a job wants, fio's list if it names none.
std::vector<double> fio_percentiles(const JobReport& report);

}  // namespace ftlsim
