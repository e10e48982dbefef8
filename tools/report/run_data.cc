// Reading of a run directory: tolerant of what an interrupt leaves behind, never of a wrong
// summary.
#include "tools/report/run_data.h"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "tools/report/csv.h"

namespace ftlsim {
namespace {

constexpr std::size_t kNoCell = std::numeric_limits<std::size_t>::max();

constexpr std::array<std::string_view, kColumnCount> kColumnNames = {
    "t_s",         "written_GB",   "read_GB",          "write_MBps", "read_MBps", "slc_valid_GB",
    "slc_used_GB", "slc_limit_GB", "free_superblocks", "waf_window", "fold_MBps", "gc_MBps",
    "temp_C",      "controller_C", "nand_C",           "power_W"};

// Where each wanted column sits in the file; kNoCell if the header does not name it.
struct CellIndex {
  std::array<std::size_t, kColumnCount> column{};
  std::size_t phase = kNoCell;
  std::size_t cells_per_row = 0;
};

CellIndex index_header(std::string_view line) {
  CellIndex index;
  index.column.fill(kNoCell);
  const std::vector<std::string> names = split_csv(line);
  index.cells_per_row = names.size();
  for (std::size_t cell = 0; cell < names.size(); ++cell) {
    if (names[cell] == "phase") index.phase = cell;
    for (std::size_t column = 0; column < kColumnCount; ++column) {
      if (names[cell] == kColumnNames[column]) index.column[column] = cell;
    }
  }
  return index;
}

bool append_row(const CellIndex& index, std::vector<std::string> cells, TimeSeries& series) {
  if (cells.size() < index.cells_per_row) return false;
  std::array<double, kColumnCount> row{};
  for (std::size_t column = 0; column < kColumnCount; ++column) {
    const std::size_t cell = index.column[column];
    row[column] = cell == kNoCell ? kNoNumber : parse_number(cells[cell]);
  }
  // Time, volumes and rates are what everything is derived from; the others may be absent.
  for (std::size_t column = 0; column <= static_cast<std::size_t>(Column::kReadMbps); ++column) {
    if (!(row[column] >= 0.0)) return false;
  }
  const double now = row[0];
  const bool in_order = series.size() == 0 || now >= series[Column::kTime].back();
  if (!in_order) return false;
  for (std::size_t column = 0; column < kColumnCount; ++column) {
    series.values[column].push_back(row[column]);
  }
  series.phase.push_back(index.phase == kNoCell ? std::string() : std::move(cells[index.phase]));
  return true;
}

}  // namespace

std::string_view column_name(Column column) {
  return kColumnNames[static_cast<std::size_t>(column)];
}

TimeSeries parse_time_series(std::string_view csv) {
  TimeSeries series;
  std::optional<CellIndex> index;
  while (!csv.empty()) {
    const std::size_t end = csv.find('\n');
    const std::string_view line = csv.substr(0, end);
    csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
    if (line.empty()) continue;
    if (!index) {
      index = index_header(line);
    } else if (!append_row(*index, split_csv(line), series)) {
      ++series.skipped_rows;
    }
  }
  return series;
}

bool load_run(const std::string& dir, RunData& out, std::string& error) {
  const std::string summary_path = dir + "/summary.json";
  const std::optional<std::string> summary = read_text_file(summary_path);
  if (!summary) {
    error = fmt::format("{}: cannot be read; is '{}' a run directory?", summary_path, dir);
    return false;
  }
  out.summary = nlohmann::ordered_json::parse(*summary, nullptr, /*allow_exceptions=*/false);
  if (!out.summary.is_object()) {
    error = fmt::format("{}: is not a JSON object", summary_path);
    return false;
  }
  out.series = parse_time_series(read_text_file(dir + "/timeseries.csv").value_or(""));
  out.speed_map = parse_speed_map(read_text_file(dir + "/speed_map.csv").value_or(""));
  out.effective_yaml = read_text_file(dir + "/effective.yaml").value_or("");
  const std::string measured = dir + "/" + kMeasuredFile;
  out.measured.reset();
  if (!read_text_file(measured)) return true;
  out.measured = load_measured(measured, error);
  return out.measured.has_value();
}

}  // namespace ftlsim
