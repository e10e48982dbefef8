#include "tools/run/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "sim/rng.h"
#include "sim/suggest.h"
#include "workloads/job_file.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> yaml_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_yaml(const fs::path& path) {
  return path.extension() == ".yaml" || path.extension() == ".yml";
}

// A name is a single word, not a path.
bool is_name(const std::string& text) {
  return !text.empty() && fs::path(text) == fs::path(text).filename();
}

fs::path find_drive(const std::string& name_or_path, const fs::path& configs,
                    Diagnostics& diagnostics) {
  if (is_yaml(name_or_path)) return name_or_path;
  const fs::path folder = configs / "drives";
  const fs::path shipped = folder / (name_or_path + ".yaml");
  std::error_code error;
  if (is_name(name_or_path) && fs::is_regular_file(shipped, error)) return shipped;
  const std::vector<std::string> names = yaml_names(folder);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::optional<std::string_view> near = suggest(name_or_path, views);
  diagnostics.error(
      Origin{"<cmdline>"},
      fmt::format("unknown drive {}{} (a .yaml file, or one of: {})", quote(name_or_path),
                  near ? fmt::format("; did you mean '{}'?", *near) : "",
                  names.empty() ? fmt::format("none found in {}", quote(folder.string()))
                                : fmt::format("{}", fmt::join(names, ", "))));
  return {};
}

}  // namespace

fs::path config_dir() {
  const char* configured = std::getenv("FTLSIM_CONFIGS");
  return configured != nullptr && *configured != '\0' ? configured : FTLSIM_SOURCE_CONFIG_DIR;
}

DriveInput load_drive(const std::string& name_or_path, const std::vector<std::string>& overrides,
                      const fs::path& configs, Diagnostics& diagnostics) {
  DriveInput drive;
  drive.id = fs::path(name_or_path).filename().replace_extension().string();
  if (!is_yaml(name_or_path)) drive.id = name_or_path;
  drive.path = find_drive(name_or_path, configs, diagnostics);
  if (drive.path.empty()) return drive;
  const size_t errors = diagnostics.error_count();
  if (load_config(drive.path, overrides, drive.config, diagnostics, &drive.origins))
    validate(drive.config, drive.origins, diagnostics);
  drive.valid = diagnostics.error_count() == errors;
  return drive;
}

Media build_media(const DriveInput& drive, uint64_t seed) {
  return Media(drive.config.nand.geometry, seed ^ hash_name(drive.id));
}

void check_reserves(const DriveInput& drive, const Media& media, Diagnostics& diagnostics) {
  check_drive(drive.config, media, drive.origins, diagnostics);
}

DriveLimits limits_of(const DriveConfig& config) {
  DriveLimits limits;
  if (config.lba_size == Bytes(4096)) limits.lba_size = config.lba_size;
  const uint64_t block = limits.lba_size.count();
  limits.capacity = Bytes(config.capacity.count() / block * block);
  limits.mdts =
      std::max(Bytes(config.queues.mdts.count() / kSlotBytes * kSlotBytes), Bytes(kSlotBytes));
  return limits;
}

fs::path workload_file(const std::string& name_or_path, const fs::path& configs) {
  const fs::path path(name_or_path);
  if (is_yaml(path)) return path;
  const fs::path shipped = configs / "procedures" / (name_or_path + ".yaml");
  std::error_code error;
  if (is_name(name_or_path) && fs::is_regular_file(shipped, error)) return shipped;
  return job_file_kind(path) ? path : fs::path();
}

}  // namespace ftlsim
