// The page that lays several runs over each other.
#include <fmt/format.h>

#include "tools/report/assets.h"
#include "tools/report/comparison.h"
#include "tools/report/course.h"
#include "tools/report/page.h"

namespace ftlsim {
namespace {

// Rows drawn of all runs together: the page resamples each run on all of them.
constexpr std::size_t kMaxRows = 9000;
constexpr std::size_t kLeastRows = 1000;

std::string run_json(const RunData& run, std::size_t max_rows) {
  const std::vector<PhaseSpan> spans = find_phases(run.series, run.summary);
  const std::vector<std::size_t> rows = rows_to_draw(run.series, spans, max_rows);
  return fmt::format(R"({{"summary":{},"spans":{},"segments":{},"series":{}}})",
                     dump_json(without_wall_clock(run.summary)),
                     dump_json(spans_json(run.series, spans, rows)),
                     dump_json(segments_json(find_slc_segments(run.series, spans))),
                     series_json(run.series, spans, rows));
}

std::string page_data(const Comparison& comparison) {
  const std::size_t max_rows = std::max(kLeastRows, kMaxRows / comparison.runs.size());
  std::string runs;
  for (const RunData& run : comparison.runs)
    runs += (runs.empty() ? "" : ",") + run_json(run, max_rows);
  return escape_json(fmt::format(R"({{"comparison":{},"measured":{},"runs":[{}]}})",
                                 dump_json(comparison_json(comparison)),
                                 measured_json(comparison.measured), runs));
}

std::string title_of(const Comparison& comparison) {
  std::string labels;
  for (const RunFigures& run : comparison.figures)
    labels += (labels.empty() ? "" : ", ") + run.label;
  return escape_html(labels + " – ftlsim comparison");
}

}  // namespace

std::string render_comparison(const Comparison& comparison) {
  return fill_template(
      report_assets::kCompareHtml,
      with_common_parts(title_of(comparison),
                        {{"@COMPARE_TABLES_JS@", inline_code(report_assets::kCompareTablesJs)},
                         {"@COMPARE_JS@", inline_code(report_assets::kCompareJs)},
                         {"@DATA@", page_data(comparison)}}));
}

}  // namespace ftlsim
