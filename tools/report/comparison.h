// Several runs side by side: their figures, what differs in their configurations, and both as text
// and JSON. The page is made by render_comparison().
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/report/measured.h"
#include "tools/report/run_data.h"
#include "tools/report/run_figures.h"

namespace ftlsim {

// A key whose value is not the same in all runs; a run that does not have it has "".
struct ConfigDifference {
  std::string key;
  std::vector<std::string> values;  // one a run
};

struct Comparison {
  std::vector<RunData> runs;
  std::vector<RunFigures> figures;  // of the same runs
  std::vector<ConfigDifference> differences;
  std::optional<MeasuredCurve> measured;
};

// A line of the table of figures.
struct ComparisonRow {
  std::string group;           // "" for the whole run, or the phase and the direction
  std::string name;            // with its unit
  std::vector<double> values;  // one a run, NaN: not known
  int decimals = 0;
};

// The table: whole-run figures, then those of every phase that some run has. Phases of two runs are
// the same if they have the same name, direction and place among those of that name. A line that is
// empty for all runs is left out.
std::vector<ComparisonRow> comparison_rows(const Comparison& comparison);

// For the terminal. At least 78 columns; more for more than three runs.
std::string comparison_text(const Comparison& comparison);

// {"runs": [figures], "rows": [{"group", "name", "decimals", "values"}], "differences": [{"key",
// "values"}]}
nlohmann::ordered_json comparison_json(const Comparison& comparison);

// One self-contained page.
std::string render_comparison(const Comparison& comparison);

}  // namespace ftlsim
