// Procedures: YAML workloads, which say what fio job files cannot.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Reads and checks a procedure; `name` becomes the workload's name. Nothing if there was an error.
std::optional<Workload> load_procedure(const std::filesystem::path& path, const std::string& name,
                                       const DriveLimits& drive, Diagnostics& diagnostics);

// The same from text in memory; `file` stands for it in messages.
std::optional<Workload> parse_procedure(std::string_view text, const std::string& file,
                                        const std::string& name, const DriveLimits& drive,
                                        Diagnostics& diagnostics);

}  // namespace ftlsim
