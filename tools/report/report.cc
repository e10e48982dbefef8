// The page of one run.
#include "tools/report/report.h"

#include <fmt/format.h>

#include "tools/report/assets.h"
#include "tools/report/course.h"
#include "tools/report/page.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

// Enough for a line on every pixel at three times the width of the page; more would only cost size.
constexpr std::size_t kMaxRows = 8000;
// Points of a phase's speed map: two on every pixel.
constexpr std::size_t kMaxSpeedPoints = 1500;

std::string page_data(const RunData& run) {
  const std::vector<PhaseSpan> spans = find_phases(run.series, run.summary);
  const std::vector<std::size_t> rows = rows_to_draw(run.series, spans, kMaxRows);
  const std::string text = fmt::format(
      R"({{"summary":{},"samples":{},"skipped_rows":{},"spans":{},"segments":{},"measured":{},)"
      R"("speed":{},"series":{}}})",
      dump_json(without_wall_clock(run.summary)), run.series.size(), run.series.skipped_rows,
      dump_json(spans_json(run.series, spans, rows)),
      dump_json(segments_json(find_slc_segments(run.series, spans))), measured_json(run.measured),
      dump_json(speed_map_json(run.speed_map, kMaxSpeedPoints)),
      series_json(run.series, spans, rows));
  return escape_json(text);
}

std::string title_of(const Json& summary) {
  const auto text = [&summary](const char* key) {
    const bool present = summary.is_object() && summary.contains(key) && summary[key].is_string();
    return present ? summary[key].get<std::string>() : std::string("unnamed");
  };
  return escape_html(fmt::format("{} – {} – ftlsim report", text("drive"), text("workload")));
}

}  // namespace

std::string render_report(const RunData& run) {
  return fill_template(report_assets::kTemplateHtml,
                       with_common_parts(title_of(run.summary),
                                         {{"@TABLES_JS@", inline_code(report_assets::kTablesJs)},
                                          {"@LOADS_JS@", inline_code(report_assets::kLoadsJs)},
                                          {"@COLD_JS@", inline_code(report_assets::kColdJs)},
                                          {"@REPORT_JS@", inline_code(report_assets::kReportJs)},
                                          {"@DATA@", page_data(run)},
                                          {"@CONFIG@", escape_html(run.effective_yaml)}}));
}

}  // namespace ftlsim
