// The files of one run directory as the report and other readers of results see them.
//
// `summary.json`, `timeseries.csv`, `speed_map.csv` and `effective.yaml` are read as they were
// written; a run that was interrupted, has no samples or ends in a half-written line loads all the
// same. Only a missing or unreadable `summary.json` is an error, since nothing can be said about
// such a run, and a `measured.csv` that cannot be understood.
#pragma once

#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/report/measured.h"
#include "tools/report/speed_data.h"

namespace ftlsim {

// Numeric columns of timeseries.csv. The order is that of the file, without `phase`.
enum class Column : std::size_t {
  kTime,
  kWrittenGb,
  kReadGb,
  kWriteMbps,
  kReadMbps,
  kSlcValidGb,
  kSlcUsedGb,
  kSlcLimitGb,
  kFreeSuperblocks,
  kWafWindow,
  kFoldMbps,
  kGcMbps,
  kTempC,
  kControllerC,
  kNandC,
  kPowerW,
  kCount
};

inline constexpr std::size_t kColumnCount = static_cast<std::size_t>(Column::kCount);

// Name of a column in the header line, for example "slc_used_GB".
std::string_view column_name(Column column);

// The sampled course of a run, one vector per column, all of the same length.
struct TimeSeries {
  std::array<std::vector<double>, kColumnCount> values;  // NaN where the cell is empty or absent
  std::vector<std::string> phase;                        // the phase cell as written
  std::size_t skipped_rows = 0;                          // rows that were cut off or not numeric

  std::size_t size() const { return phase.size(); }
  const std::vector<double>& operator[](Column column) const {
    return values[static_cast<std::size_t>(column)];
  }
};

struct RunData {
  nlohmann::ordered_json summary;  // always an object after a successful load
  TimeSeries series;
  std::vector<PhaseSpeeds> speed_map;     // empty if the file is absent
  std::string effective_yaml;             // empty if the file is absent
  std::optional<MeasuredCurve> measured;  // of measured.csv, if there is one
};

// Parses the text of a timeseries.csv. Columns are found by header name, in any order; rows without
// a readable time, volume or rate, with too few cells or going back in time are skipped and
// counted.
TimeSeries parse_time_series(std::string_view csv);

// Reads a run directory. Returns false and sets `error` (one sentence naming the file) if
// `summary.json` cannot be read or is not a JSON object, or `measured.csv` is there and wrong;
// other missing files leave their part empty.
bool load_run(const std::string& dir, RunData& out, std::string& error);

}  // namespace ftlsim
