// From a finished draft to the job that the engine runs.
#pragma once

#include <string>
#include <vector>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/fio_draft.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Resolves percentages and defaults on this drive and checks what only fio's options can get wrong.
// Errors name the option's place; what check_job() checks is left to it.
// `regions` are the job's files (see FilesSpec), none if it works on the whole drive.
JobSpec fio_job(const FioDraft& draft, const std::vector<FileRegion>& regions,
                const std::string& workload, const DriveLimits& drive, Diagnostics& diagnostics);

}  // namespace ftlsim
