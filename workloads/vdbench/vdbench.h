// vdbench parameter files as workloads: raw I/O with SD, WD and RD.
//
// Every run of an RD is a phase and a point of a load ramp: one for each combination of the values
// of its `for` loops and of its rates. `iorate=curve` first runs as fast as it can, then at
// percentages of what that gave.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"
#include "workloads/vdbench/vdb_definitions.h"

namespace ftlsim {

// Reads and checks a parameter file; `name` becomes the workload's name. Nothing if there was an
// error.
std::optional<Workload> load_vdbench(const std::filesystem::path& path, const std::string& name,
                                     const DriveLimits& drive, Diagnostics& diagnostics);

// The same from text in memory; `file` stands for it in messages. `include` is refused.
std::optional<Workload> parse_vdbench(std::string_view text, const std::string& file,
                                      const std::string& name, const DriveLimits& drive,
                                      Diagnostics& diagnostics);

// The phases of the definitions, names not yet made unique. Every reason against them is an error.
std::vector<PhaseSpec> build_vdbench(const VdbDefinitions& definitions, const std::string& name,
                                     const DriveLimits& drive, Diagnostics& diagnostics);

}  // namespace ftlsim
