// From what the user names on the command line to a checked workload.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// `path_or_name`: a procedure (*.yaml, *.yml), the name of one of the procedures in
// `config_dir`/procedures, a job file (see job_file.h), or a trace (any other file, or
// FORMAT:FILE). Nothing if there was an error.
std::optional<Workload> load_workload(const std::string& path_or_name, const DriveLimits& drive,
                                      const std::filesystem::path& config_dir,
                                      Diagnostics& diagnostics);

}  // namespace ftlsim
