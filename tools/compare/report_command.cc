#include "tools/compare/report_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "sim/diagnostics.h"
#include "tools/compare/config_diff.h"
#include "tools/report/comparison.h"
#include "tools/report/report.h"
#include "tools/run/run_command.h"
#include "tools/run/summary.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kComparisonPage = "out/comparison/report.html";

struct NamedRun {
  fs::path dir;
  std::string label;
};

// "LABEL=DIR" or "DIR", which is labelled by its name. A directory may have '=' in its name.
NamedRun split_label(const std::string& text) {
  std::error_code code;
  const size_t equals = text.find('=');
  if (equals != 0 && equals != std::string::npos && !fs::exists(text, code))
    return {text.substr(equals + 1), text.substr(0, equals)};
  const fs::path dir = fs::path(text).lexically_normal();
  const fs::path name = dir.has_filename() ? dir.filename() : dir.parent_path().filename();
  return {text, name.empty() || name == "." ? text : name.string()};
}

// Labels that are given twice become the path, so that columns can be told apart.
std::vector<NamedRun> named_runs(const std::vector<std::string>& texts) {
  std::vector<NamedRun> runs;
  for (const std::string& text : texts) runs.push_back(split_label(text));
  std::vector<std::string> labels;
  for (const NamedRun& run : runs) labels.push_back(run.label);
  for (NamedRun& run : runs)
    if (std::count(labels.begin(), labels.end(), run.label) > 1) run.label = run.dir.string();
  return runs;
}

// Loads a run directory and checks that its figures can be used. Adds errors.
RunData checked_run(const NamedRun& run, bool incomplete, Diagnostics& diagnostics) {
  RunData data;
  const std::string dir = run.dir.string();
  const Origin where{(run.dir / "summary.json").string()};
  std::error_code code;
  if (!fs::is_directory(run.dir, code)) {
    diagnostics.error(Origin{dir}, "is not a run directory: there is no such directory");
    return data;
  }
  if (!fs::exists(run.dir / "summary.json", code)) {
    diagnostics.error(Origin{dir}, "is not a run directory: it holds no summary.json");
    return data;
  }
  std::string error;
  if (!load_run(dir, data, error)) {
    diagnostics.error(Origin{dir}, error);
    return data;
  }
  const nlohmann::ordered_json& summary = data.summary;
  if (!summary.contains("schema")) {
    diagnostics.error(where, "is not the summary of a run: it has no schema number");
  } else if (summary["schema"] != kSummarySchema) {
    diagnostics.error(where, fmt::format("has schema {}, but this version reads schema {}; run it "
                                         "again with this version",
                                         summary["schema"].dump(), kSummarySchema));
  } else if (!summary.contains("phases") || !summary["phases"].is_array()) {
    diagnostics.error(where, "is not the summary of a run: it has no phases");
  } else if (summary.value("complete", nlohmann::ordered_json()) != true && !incomplete) {
    diagnostics.error(where,
                      "the run was interrupted, so its figures cover only a part; "
                      "--incomplete takes it all the same");
  }
  if (data.series.size() == 0)
    diagnostics.error(Origin{(run.dir / "timeseries.csv").string()},
                      "holds no sample that can be read");
  return data;
}

bool write_page(const fs::path& path, const std::string& text, Diagnostics& diagnostics) {
  std::error_code code;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), code);
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (!out) diagnostics.error(Origin{path.string()}, "cannot be written; name another with -o");
  return static_cast<bool>(out);
}

// What the effective configurations do not say comes first: drive, workload and seed.
std::vector<ConfigDifference> differences_of(const std::vector<RunData>& runs) {
  std::vector<ConfigDifference> result;
  for (const char* key : {"drive", "workload", "seed"}) {
    ConfigDifference d{key, {}};
    for (const RunData& run : runs) {
      const auto value = run.summary.value(key, nlohmann::ordered_json());
      d.values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
    }
    if (std::any_of(d.values.begin(), d.values.end(),
                    [&d](const std::string& v) { return v != d.values.front(); }))
      result.push_back(std::move(d));
  }
  std::vector<std::string> texts;
  for (const RunData& run : runs) texts.push_back(run.effective_yaml);
  for (ConfigDifference& d : config_differences(texts)) result.push_back(std::move(d));
  return result;
}

int print_and_fail(const Diagnostics& diagnostics) {
  fmt::print(stderr, "{}", diagnostics.to_string());
  return kExitInput;
}

}  // namespace

int report_command(const ReportOptions& options) {
  Diagnostics diagnostics;
  const std::vector<NamedRun> runs = named_runs(options.runs);
  Comparison comparison;
  for (const NamedRun& run : runs) {
    comparison.runs.push_back(checked_run(run, options.incomplete, diagnostics));
    comparison.figures.push_back(run_figures(comparison.runs.back(), run.label));
  }
  if (options.measured) {
    std::string error;
    comparison.measured = load_measured(*options.measured, error);
    if (!comparison.measured) {
      fmt::print(stderr, "{}{}\n", diagnostics.to_string(), error);
      return kExitInput;
    }
  }
  if (diagnostics.has_errors()) return print_and_fail(diagnostics);

  comparison.differences = differences_of(comparison.runs);
  const bool one = runs.size() == 1;
  const fs::path page =
      options.output.value_or(one ? (runs[0].dir / "report.html").string() : kComparisonPage);
  if (one && comparison.measured) comparison.runs[0].measured = comparison.measured;
  const std::string text = one ? render_report(comparison.runs[0]) : render_comparison(comparison);
  if (!write_page(page, text, diagnostics)) return print_and_fail(diagnostics);
  if (options.json)
    fmt::print(
        "{}\n",
        comparison_json(comparison).dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else
    fmt::print("{}", comparison_text(comparison));
  fmt::print(stderr, "report {}\n", page.string());
  return kExitOk;
}

}  // namespace ftlsim
