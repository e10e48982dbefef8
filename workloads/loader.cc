#include "workloads/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <vector>

#include "sim/suggest.h"
#include "workloads/job_file.h"
#include "workloads/procedure.h"
#include "workloads/trace/replay_load.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

// The names of the shipped procedures, sorted.
std::vector<std::string> procedure_names(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

void report_unknown(const std::string& name, const fs::path& folder, Diagnostics& diagnostics) {
  const std::vector<std::string> names = procedure_names(folder);
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::optional<std::string_view> near = suggest(name, views);
  diagnostics.error(
      Origin{"<cmdline>"},
      fmt::format(
          "unknown workload {}{} (a .yaml file, a .fio, .vdb, .parm or .icf file, a trace, or "
          "one of: {})",
          quote(name), near ? fmt::format("; did you mean '{}'?", *near) : "",
          names.empty() ? "none found" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace

std::optional<Workload> load_workload(const std::string& path_or_name, const DriveLimits& drive,
                                      const fs::path& config_dir, Diagnostics& diagnostics) {
  const fs::path path(path_or_name);
  const std::string extension = path.extension().string();
  const std::string name = path.stem().string();
  if (extension == ".yaml" || extension == ".yml")
    return load_procedure(path, name, drive, diagnostics);
  const fs::path folder = config_dir / "procedures";
  const fs::path shipped = folder / (path_or_name + ".yaml");
  std::error_code error;
  const bool plain = path == path.filename() && !path_or_name.empty();
  if (plain && fs::is_regular_file(shipped, error))
    return load_procedure(shipped, path_or_name, drive, diagnostics);
  if (job_file_kind(path)) return load_job_file(path, name, drive, diagnostics);
  if (names_trace(path_or_name)) return load_trace(path_or_name, drive, diagnostics);
  report_unknown(path_or_name, folder, diagnostics);
  return std::nullopt;
}

}  // namespace ftlsim
