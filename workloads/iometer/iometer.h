// Iometer configuration files (.icf) as workloads: disk workers with their access specifications.
//
// The n-th access specifications of all workers run together as one phase, which is a point of a
// load ramp; with a test type that cycles outstanding I/Os there is one for each number of them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Reads and checks a configuration; `name` becomes the workload's name. Nothing if there was an
// error.
std::optional<Workload> load_icf(const std::filesystem::path& path, const std::string& name,
                                 const DriveLimits& drive, Diagnostics& diagnostics);

// The same from text in memory; `file` stands for it in messages.
std::optional<Workload> parse_icf(std::string_view text, const std::string& file,
                                  const std::string& name, const DriveLimits& drive,
                                  Diagnostics& diagnostics);

}  // namespace ftlsim
