#include "workloads/vdbench/vdbench.h"

#include <utility>

#include "workloads/text_file.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

std::optional<Workload> build_workload(std::string_view text, const std::string& file,
                                       const std::optional<fs::path>& folder,
                                       const std::string& name, const DriveLimits& drive,
                                       Diagnostics& diagnostics) {
  const size_t errors = diagnostics.error_count();
  const size_t first = diagnostics.items().size();
  const std::vector<VdbParameter> parameters = read_vdb_parameters(text, file, folder, diagnostics);
  const VdbDefinitions definitions = read_vdb_definitions(parameters, diagnostics);
  Workload workload;
  workload.name = name;
  // What follows from wrong values would only confuse.
  if (diagnostics.error_count() == errors) {
    if (definitions.rds.empty())
      diagnostics.error(Origin{file}, "no run: the file has no rd= definition");
    workload.phases = build_vdbench(definitions, name, drive, diagnostics);
  }
  diagnostics.sort_by_place(first);
  if (diagnostics.error_count() != errors) return std::nullopt;
  make_phase_names_unique(workload);
  return workload;
}

}  // namespace

std::optional<Workload> load_vdbench(const fs::path& path, const std::string& name,
                                     const DriveLimits& drive, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_text_file(path, Origin{path.string()}, diagnostics);
  if (!text) return std::nullopt;
  return build_workload(*text, path.string(), path.parent_path(), name, drive, diagnostics);
}

std::optional<Workload> parse_vdbench(std::string_view text, const std::string& file,
                                      const std::string& name, const DriveLimits& drive,
                                      Diagnostics& diagnostics) {
  return build_workload(text, file, std::nullopt, name, drive, diagnostics);
}

}  // namespace ftlsim
