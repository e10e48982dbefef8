// What must hold for every workload that a front end accepts, checked by the fuzz targets: jobs lie
// inside the drive, and their first requests are whole logical blocks inside their regions.
#pragma once

#include <algorithm>

#include "sim/assert.h"
#include "workloads/access_source.h"
#include "workloads/drive_limits.h"
#include "workloads/job_check.h"
#include "workloads/job_spec.h"
#include "workloads/synthetic_source.h"

namespace ftlsim {

inline void check_requests(RequestSource& source, const JobSpec& job, const DriveLimits& drive) {
  IoRequest request;
  const auto inside = [&](const FileRegion& region) {
    return request.offset >= region.offset.count() &&
           request.offset + request.bytes <= (region.offset + region.size).count();
  };
  int count = 0;
  for (; count < 64 && source.next(request); ++count) {
    SIM_ASSERT(request.bytes > 0 && request.bytes % drive.lba_size.count() == 0, "{} bytes",
               request.bytes);
    SIM_ASSERT(request.offset % drive.lba_size.count() == 0, "at {}", request.offset);
    bool good = job.files.regions.empty() && inside({job.offset, job.size});
    for (uint32_t file = 0; !job.files.regions.empty() && file < job.files.per_thread; ++file)
      good = good || inside(job.region_of(0, file));
    SIM_ASSERT(good, "request {}+{} outside the regions", request.offset, request.bytes);
  }
  SIM_ASSERT(count > 0, "job {} does nothing", job.name);
}

inline void check_workload(const Workload& workload, const DriveLimits& drive) {
  SIM_ASSERT(!workload.phases.empty(), "nothing to do");
  for (const PhaseSpec& phase : workload.phases) {
    SIM_ASSERT(!phase.name.empty() && !phase.kind.empty(), "a phase without name or kind");
    SIM_ASSERT((phase.action == PhaseAction::kJobs) != phase.jobs.empty(), "jobs missing");
    for (const JobSpec& job : phase.jobs) {
      for (const FileRegion& region : job.files.regions)
        SIM_ASSERT(region.offset + region.size <= drive.capacity, "a file past the end");
      SIM_ASSERT(!job.files.regions.empty() || job.offset + job.size <= drive.capacity,
                 "past the end of the drive");
      SIM_ASSERT(job.iodepth > 0 && job.numjobs > 0, "no thread");
      SIM_ASSERT(!job.time_based || job.runtime > Duration{}, "an endless job");
      if (job.access.any()) {
        AccessSource source(job, 1, 1'000'000, drive.lba_size);
        check_requests(source, job, drive);
      } else {
        SyntheticSource source(job, 1, 0);
        check_requests(source, job, drive);
      }
    }
  }
}

}  // namespace ftlsim
