// Files of other tools that describe jobs: fio job files, vdbench parameter files and Iometer
// configurations, told apart by their names or else by their content.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"

namespace ftlsim {

enum class JobFileKind : uint8_t { kFio, kVdbench, kIometer };

// The kind that the extension says (.fio; .vdb, .parm; .icf), or else the content of a regular
// file. Nothing if it is none of them.
std::optional<JobFileKind> job_file_kind(const std::filesystem::path& path);

// Reads and checks such a file; one of no known kind is taken for a fio job file. `name` becomes
// the workload's name. Nothing if there was an error.
std::optional<Workload> load_job_file(const std::filesystem::path& path, const std::string& name,
                                      const DriveLimits& drive, Diagnostics& diagnostics);

}  // namespace ftlsim
