#include "tools/report/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tools/report/csv.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

struct PhaseColumn {
  const char* name;
  double PhaseFigures::*field;
  int decimals;
};
constexpr PhaseColumn kPhaseColumns[] = {
    {"mean, MB/s", &PhaseFigures::mean_MBps, 0},
    {"worst second, MB/s", &PhaseFigures::worst_MBps, 0},
    {"cliff after, GB", &PhaseFigures::cliff_GB, 1},
    {"before it, MB/s", &PhaseFigures::before_MBps, 0},
    {"after it, MB/s", &PhaseFigures::after_MBps, 0},
    {"IOPS", &PhaseFigures::iops, 0},
    {"energy, J/GB", &PhaseFigures::joules_per_GB, 2},
    {"latency p50, us", &PhaseFigures::p50_us, 1},
    {"latency p99, us", &PhaseFigures::p99_us, 1},
    {"latency p99.9, us", &PhaseFigures::p99_9_us, 1},
};

// A phase by what it has in common between runs.
struct PhaseKey {
  std::string name;
  std::string direction;
  int nth = 0;
  bool operator==(const PhaseKey&) const = default;
};

std::vector<PhaseKey> keys_of(const RunFigures& run) {
  std::vector<PhaseKey> keys;
  for (const PhaseFigures& p : run.phases) {
    PhaseKey key{p.name, p.direction, 0};
    for (const PhaseKey& before : keys)
      key.nth += before.name == key.name && before.direction == key.direction;
    keys.push_back(std::move(key));
  }
  return keys;
}

// All phases in the order of the runs: one that only a later run has comes after its predecessor
// there.
std::vector<PhaseKey> all_keys(const std::vector<RunFigures>& runs) {
  std::vector<PhaseKey> all;
  for (const RunFigures& run : runs) {
    auto at = all.begin();
    for (const PhaseKey& key : keys_of(run)) {
      const auto found = std::find(all.begin(), all.end(), key);
      at = found == all.end() ? all.insert(at, key) : found;
      ++at;
    }
  }
  return all;
}

class RowList {
 public:
  explicit RowList(const std::vector<RunFigures>& runs) : runs_(runs) {}

  // `value`: of a run; NaN if it has none.
  template <class Value>
  void add(const std::string& group, std::string name, int decimals, Value value) {
    ComparisonRow row{group, std::move(name), {}, decimals};
    for (const RunFigures& run : runs_) row.values.push_back(value(run));
    const bool empty =
        std::all_of(row.values.begin(), row.values.end(), [](double v) { return std::isnan(v); });
    if (!empty) rows_.push_back(std::move(row));
  }
  std::vector<ComparisonRow> take() { return std::move(rows_); }

 private:
  const std::vector<RunFigures>& runs_;
  std::vector<ComparisonRow> rows_;
};

void add_run_rows(RowList& rows, const std::vector<RunFigures>& runs) {
  rows.add("", "write amplification", 3,
           [](const RunFigures& r) { return r.waf.value_or(kNoNumber); });
  std::vector<std::string> causes;
  for (const RunFigures& run : runs)
    for (const auto& [cause, value] : run.waf_by_cause)
      if (value != 0.0 && std::find(causes.begin(), causes.end(), cause) == causes.end())
        causes.push_back(cause);
  for (const std::string& cause : causes) {
    rows.add("", fmt::format("  of it {}", cause), 3, [&cause](const RunFigures& r) {
      for (const auto& [name, value] : r.waf_by_cause)
        if (name == cause) return value;
      return kNoNumber;
    });
  }
  const auto erases = [&rows](const char* mode, std::optional<EraseFigures> RunFigures::*spread) {
    const auto add = [&](const char* name, double EraseFigures::*field) {
      rows.add("", fmt::format("{} erases, {}", mode, name), 2,
               [=](const RunFigures& r) { return r.*spread ? (*(r.*spread)).*field : kNoNumber; });
    };
    add("least worn superblock", &EraseFigures::min);
    add("mean", &EraseFigures::mean);
    add("most worn superblock", &EraseFigures::max);
  };
  erases("SLC", &RunFigures::slc_erases);
  erases("TLC", &RunFigures::tlc_erases);
  rows.add("", "energy, J/GB", 2,
           [](const RunFigures& r) { return r.joules_per_GB.value_or(kNoNumber); });
}

std::string cell(double value, int decimals) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, decimals);
}

// `text` within `width` columns; the end of a long one counts more than its beginning.
std::string fitted(const std::string& text, size_t width) {
  return text.size() <= width ? text : ".." + text.substr(text.size() - width + 2);
}

}  // namespace

std::vector<ComparisonRow> comparison_rows(const Comparison& comparison) {
  const std::vector<RunFigures>& runs = comparison.figures;
  RowList rows(runs);
  add_run_rows(rows, runs);
  for (const PhaseKey& key : all_keys(runs)) {
    const std::string nth = key.nth == 0 ? "" : fmt::format(" ({})", key.nth + 1);
    const std::string group = fmt::format("{}{}, {}", key.name, nth, key.direction);
    for (const PhaseColumn& column : kPhaseColumns) {
      rows.add(group, column.name, column.decimals, [&](const RunFigures& run) {
        const std::vector<PhaseKey> keys = keys_of(run);
        const auto at = std::find(keys.begin(), keys.end(), key);
        return at == keys.end() ? kNoNumber
                                : run.phases[static_cast<size_t>(at - keys.begin())].*column.field;
      });
    }
  }
  return rows.take();
}

std::string comparison_text(const Comparison& comparison) {
  constexpr size_t kNames = 34;
  constexpr size_t kLeast = 15;
  constexpr size_t kMost = 26;
  size_t width = kLeast;
  for (const RunFigures& run : comparison.figures) width = std::max(width, run.label.size());
  width = std::min(width, kMost);
  std::string out;
  const auto line = [&](const std::string& name, const std::vector<std::string>& values) {
    fmt::format_to(std::back_inserter(out), "{:<{}}", name, kNames);
    for (const std::string& value : values)
      fmt::format_to(std::back_inserter(out), " {:>{}}", fitted(value, width), width);
    out += '\n';
  };
  const auto of_runs = [&](std::string RunFigures::*field) {
    std::vector<std::string> values;
    for (const RunFigures& run : comparison.figures) values.push_back(run.*field);
    return values;
  };
  line("", of_runs(&RunFigures::label));
  line("drive", of_runs(&RunFigures::drive));
  line("workload", of_runs(&RunFigures::workload));
  std::string group;
  for (const ComparisonRow& row : comparison_rows(comparison)) {
    if (row.group != group) fmt::format_to(std::back_inserter(out), "{}\n", row.group);
    group = row.group;
    std::vector<std::string> values;
    for (const double value : row.values) values.push_back(cell(value, row.decimals));
    line((row.group.empty() ? "" : "  ") + row.name, values);
  }
  out += comparison.differences.empty() ? "configuration: no difference\n"
                                        : "configuration, where it differs\n";
  for (const ConfigDifference& difference : comparison.differences) {
    std::vector<std::string> values = difference.values;
    for (std::string& value : values)
      if (value.empty()) value = "-";
    line("  " + fitted(difference.key, kNames - 2), values);
  }
  return out;
}

Json comparison_json(const Comparison& comparison) {
  Json runs = Json::array();
  for (const RunFigures& run : comparison.figures) runs.push_back(figures_json(run));
  Json rows = Json::array();
  for (const ComparisonRow& row : comparison_rows(comparison)) {
    Json values = Json::array();
    for (const double value : row.values)
      values.push_back(std::isnan(value) ? Json() : Json(value));
    rows.push_back(
        {{"group", row.group}, {"name", row.name}, {"decimals", row.decimals}, {"values", values}});
  }
  Json differences = Json::array();
  for (const ConfigDifference& d : comparison.differences)
    differences.push_back({{"key", d.key}, {"values", d.values}});
  return {{"runs", runs}, {"rows", rows}, {"differences", differences}};
}

}  // namespace ftlsim
