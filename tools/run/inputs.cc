#include "tools/run/inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

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

// Notes keys of the command line that the policies chosen do not read: somebody expects something
// of them. Drive files may keep parameters of policies that are not chosen.
class IdleKeys {
 public:
  IdleKeys(std::string_view key, Diagnostics& diagnostics) : key_(key), diagnostics_(diagnostics) {}

  // A key such as gc.d_choices.d, where `selector`, gc.victim, is greedy.
  template <class Choice>
  void of_policies(std::string_view selector, const Choice& choice) {
    const std::string_view section = selector.substr(0, selector.rfind('.'));
    for (const auto& entry : choice.family().entries())
      if (!choice.is(entry.name) && key_.starts_with(fmt::format("{}.{}.", section, entry.name)))
        note(fmt::format("{} is {}", selector, choice.name()));
  }
  void of_cache(const DriveConfig& c) {
    if (!c.slc.enabled() && key_.starts_with("slc.") && key_ != "slc.mode")
      note("slc.mode is none");
  }

 private:
  void note(const std::string& why) {
    if (!std::exchange(noted_, true))
      diagnostics_.note(Origin{"<cmdline>"}, fmt::format("{} has no effect: {}", key_, why));
  }

  std::string_view key_;
  Diagnostics& diagnostics_;
  bool noted_ = false;
};

void note_idle_keys(const DriveConfig& c, const std::vector<std::string>& overrides,
                    Diagnostics& diagnostics) {
  for (const std::string& text : overrides) {
    IdleKeys idle(std::string_view(text).substr(0, text.find('=')), diagnostics);
    idle.of_cache(c);
    idle.of_policies("slc.mode", c.slc.mode);
    idle.of_policies("slc.route", c.slc.route);
    idle.of_policies("slc.keep", c.slc.keep);
    idle.of_policies("slc.at_exhaustion", c.slc.at_exhaustion);
    idle.of_policies("slc.release", c.slc.release);
    idle.of_policies("slc.fold.trigger", c.slc.fold.trigger);
    idle.of_policies("slc.fold.victim", c.slc.fold.victim);
    idle.of_policies("gc.victim", c.gc.victim);
    idle.of_policies("write.heat", c.write.heat);
    idle.of_policies("sched.policy", c.sched.policy);
    idle.of_policies("map.cache", c.map.cache);
  }
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
  if (drive.valid) note_idle_keys(drive.config, overrides, diagnostics);
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
