// The checks of a job against the drive, common to all front ends.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// The most NVMe commands that the jobs of one phase may have in flight or waiting. The runner holds
// memory for all of them, about 200 MB at this limit.
inline constexpr uint64_t kMaxParts = uint64_t{1} << 20;

// A key of a job, whatever the front end calls it.
enum class JobKey : uint8_t {
  kBlockSize,
  kOffset,
  kSize,
  kIoSize,
  kIodepth,
  kNumjobs,
  kRuntime,
  kTimeBased,
  kReadPercent,
};

// How a front end names its keys, and where the user wrote them.
class JobPlaces {
 public:
  virtual std::string_view word(JobKey key) const = 0;
  // The place of the value, or of the job if the key was not written.
  virtual Origin where(JobKey key) const = 0;

 protected:
  ~JobPlaces() = default;
};

// Reports every reason for which `job` cannot run on the drive. True if there is none; size has
// then been rounded down and io_size up to whole logical blocks.
bool check_job(JobSpec& job, const DriveLimits& drive, const JobPlaces& places,
               Diagnostics& diagnostics);

// The largest multiple of `step` (> 0) that is not above `value`.
Bytes floor_to(Bytes value, Bytes step);

// `ratio` (>= 0) of `whole`; rounded down to a multiple of `step` unless it is the whole.
Bytes part_of(Bytes whole, double ratio, Bytes step);

}  // namespace ftlsim
