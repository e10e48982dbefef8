// Reading of a run directory: tolerant of what an interrupt leaves behind, never of a wrong
// summary.
#include "tools/report/run_data.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

namespace ftlsim {
namespace {

constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kNoCell = std::numeric_limits<std::size_t>::max();

constexpr std::array<std::string_view, kColumnCount> kColumnNames = {
    "t_s",         "written_GB",   "read_GB",          "write_MBps", "read_MBps", "slc_valid_GB",
    "slc_used_GB", "slc_limit_GB", "free_superblocks", "waf_window", "fold_MBps", "gc_MBps",
    "temp_C",      "controller_C", "nand_C",           "power_W"};

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return std::nullopt;
  return text;
}

// Splits one CSV line. A cell may be quoted, with "" for a quote inside (a phase name with a
// comma).
std::vector<std::string> split_csv(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

double parse_number(const std::string& cell) {
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  const auto [rest, status] = std::from_chars(cell.data(), end, value);
  const bool whole = status == std::errc() && rest == end;
  const bool finite = value - value == 0.0;  // false for inf and nan
  return whole && finite ? value : kAbsent;
}

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
    row[column] = cell == kNoCell ? kAbsent : parse_number(cells[cell]);
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
  const std::optional<std::string> summary = read_file(summary_path);
  if (!summary) {
    error = fmt::format("{}: cannot be read; is '{}' a run directory?", summary_path, dir);
    return false;
  }
  out.summary = nlohmann::ordered_json::parse(*summary, nullptr, /*allow_exceptions=*/false);
  if (!out.summary.is_object()) {
    error = fmt::format("{}: is not a JSON object", summary_path);
    return false;
  }
  out.series = parse_time_series(read_file(dir + "/timeseries.csv").value_or(""));
  out.effective_yaml = read_file(dir + "/effective.yaml").value_or("");
  return true;
}

}  // namespace ftlsim
