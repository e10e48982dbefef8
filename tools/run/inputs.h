// From what the user names on the command line to a checked drive and workload.
//
// Every problem of the drive and of the workload is collected in one pass; nothing here prints.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "ftl/config.h"
#include "ftl/device.h"
#include "nand/media.h"
#include "sim/config.h"
#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// The folder with drives/, nand/ and procedures/: the environment variable FTLSIM_CONFIGS, or that
// of the source tree.
std::filesystem::path config_dir();

// A drive file with its overrides.
struct DriveInput {
  std::string id;              // name of the file without its extension: "p41-1tb"
  std::filesystem::path path;  // empty if it was not found
  DriveConfig config;          // defaults where the file has errors
  Origins origins;
  bool valid = false;  // loaded and validated: a medium can be built from it
};

// `name_or_path`: a *.yaml file, or the name of one in `configs`/drives. Problems are added to
// `diagnostics`. The reserves are not checked, since they need the medium: see check_reserves().
DriveInput load_drive(const std::string& name_or_path, const std::vector<std::string>& overrides,
                      const std::filesystem::path& configs, Diagnostics& diagnostics);

// The medium of a valid drive, as Device builds it for the same seed.
Media build_media(const DriveInput& drive, uint64_t seed);

// Adds an error if the reserves of a valid drive do not fit the medium.
void check_reserves(const DriveInput& drive, const Media& media, Diagnostics& diagnostics);

// What a workload is checked against. Usable even if the drive is not valid.
DriveLimits limits_of(const DriveConfig& config);

// The file behind a workload's name, for the copy in the run directory; empty if there is none.
std::filesystem::path workload_file(const std::string& name_or_path,
                                    const std::filesystem::path& configs);

// Keys whose comment says `calibrated on ROW`, as "path.of.key: ROW", in the order of the files
// from the drive file down its `extends:` chain. A key that a file nearer to the user has written
// again counts as that file says.
std::vector<std::string> calibrated_keys(const std::filesystem::path& drive_file);

}  // namespace ftlsim
