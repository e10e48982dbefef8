// fio job files as workloads.
//
// Jobs run side by side until a `stonewall` separates them; each such group is one phase.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Reads and checks a job file; `name` becomes the workload's name. Nothing if there was an error.
std::optional<Workload> load_fio_jobs(const std::filesystem::path& path, const std::string& name,
                                      const DriveLimits& drive, Diagnostics& diagnostics);

// The same from text in memory; `file` stands for it in messages. `include` is refused.
std::optional<Workload> parse_fio_jobs(std::string_view text, const std::string& file,
                                       const std::string& name, const DriveLimits& drive,
                                       Diagnostics& diagnostics);

}  // namespace ftlsim
