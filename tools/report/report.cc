// Assembly of the report page: template, style, scripts and the data of the run in one text.
//
// Three things must hold: the page loads nothing; no text of the run can end a script or become
// markup; and no wall-clock figure gets in, so that two equal runs give equal bytes.
#include "tools/report/report.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/report/assets.h"
#include "tools/report/course.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

// Enough for a line on every pixel at three times the width of the page; more would only cost size.
constexpr std::size_t kMaxRows = 8000;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// Inlined script or style: `</script`, `</style` and `<!--` make sense only inside string literals
// and comments, where a backslash before the second character changes nothing. (A bare `</` also
// begins the regular expression /</g and stays.) The reference to a source map would point to a
// file that is not there.
std::string inline_code(std::string_view code) {
  std::string text(code);
  replace_all(text, "</script", "<\\/script");
  replace_all(text, "</style", "<\\/style");
  replace_all(text, "<!--", "<\\!--");
  if (const std::size_t map = text.rfind("# sourceMappingURL="); map != std::string::npos) {
    text.erase(map - 2);  // with the comment opener before it; it is the last line
  }
  return text;
}

std::string escape_html(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// JSON for a script element: with these three as escapes no tag or comment can start in it.
std::string escape_json(std::string json) {
  replace_all(json, "<", "\\u003c");
  replace_all(json, ">", "\\u003e");
  replace_all(json, "&", "\\u0026");
  return json;
}

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Removes what differs between two runs of the same input.
Json without_wall_clock(Json json) {
  if (json.is_object()) {
    json.erase("wall_s");
    json.erase("peak_rss_bytes");
  }
  if (json.is_structured()) {
    for (Json& child : json) child = without_wall_clock(std::move(child));
  }
  return json;
}

std::string number(double value, int digits) {
  return value == value ? fmt::format("{:.{}g}", value, digits) : "null";
}

void append_column(std::string& out, std::string_view name, const std::vector<double>& values,
                   const std::vector<std::size_t>& rows, int digits) {
  fmt::format_to(std::back_inserter(out), "{}\"{}\":[", out.back() == '{' ? "" : ",", name);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) out += ',';
    out += number(values[rows[i]], digits);
  }
  out += ']';
}

std::string series_json(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                        const std::vector<std::size_t>& rows) {
  constexpr int kTimeDigits = 9;
  constexpr int kGigabyteDigits = 6;
  constexpr int kRateDigits = 5;
  std::string out = "{";
  for (std::size_t column = 0; column < kColumnCount; ++column) {
    const Column id = static_cast<Column>(column);
    const std::string_view name = column_name(id);
    const int digits = id == Column::kTime     ? kTimeDigits
                       : name.ends_with("_GB") ? kGigabyteDigits
                                               : kRateDigits;
    append_column(out, name, series[id], rows, digits);
  }
  append_column(out, "write_mean_MBps", one_second_mean(series, spans, Column::kWriteMbps), rows,
                kRateDigits);
  append_column(out, "read_mean_MBps", one_second_mean(series, spans, Column::kReadMbps), rows,
                kRateDigits);
  return out + "}";
}

// Phases with their range in the drawn rows.
Json spans_json(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                const std::vector<std::size_t>& rows) {
  Json out = Json::array();
  std::size_t row = 0;
  for (const PhaseSpan& span : spans) {
    const std::size_t first = row;
    while (row < rows.size() && rows[row] < span.end) ++row;
    const std::vector<double>& written = series[Column::kWrittenGb];
    out.push_back({{"name", span.name},
                   {"kind", span.kind},
                   {"index", span.summary_index},
                   {"first", first},
                   {"end", row},
                   {"begin_s", span.begin_s},
                   {"end_s", span.end_s},
                   {"begin_GB", span.first == 0 ? 0.0 : written[span.first - 1]},
                   {"end_GB", written[span.end - 1]},
                   {"writes", span.writes},
                   {"reads", span.reads}});
  }
  return out;
}

Json segments_json(const std::vector<SlcSegment>& segments) {
  Json out = Json::array();
  for (const SlcSegment& segment : segments) {
    out.push_back({{"span", segment.span},
                   {"has_drop", segment.has_drop},
                   {"written_GB", segment.written_GB},
                   {"duration_s", segment.duration_s},
                   {"rate_MBps", segment.rate_MBps},
                   {"after_MBps", segment.after_MBps},
                   {"mean_MBps", segment.mean_MBps},
                   {"slc_limit_GB", segment.slc_limit_GB}});
  }
  return out;
}

std::string page_data(const RunData& run) {
  const std::vector<PhaseSpan> spans = find_phases(run.series, run.summary);
  const std::vector<std::size_t> rows = rows_to_draw(run.series, spans, kMaxRows);
  const std::string text = fmt::format(
      R"({{"summary":{},"samples":{},"skipped_rows":{},"spans":{},"segments":{},"series":{}}})",
      dump(without_wall_clock(run.summary)), run.series.size(), run.series.skipped_rows,
      dump(spans_json(run.series, spans, rows)),
      dump(segments_json(find_slc_segments(run.series, spans))),
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

// One pass over the template, so that a `@NAME@` inside inserted text stays what it is.
std::string fill_template(std::string_view page,
                          const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string out;
  while (!page.empty()) {
    std::size_t best = std::string_view::npos;
    const std::pair<std::string_view, std::string>* part = nullptr;
    for (const auto& candidate : parts) {
      const std::size_t at = page.find(candidate.first);
      if (at < best) {
        best = at;
        part = &candidate;
      }
    }
    out += page.substr(0, best);
    if (part == nullptr) break;
    out += part->second;
    page.remove_prefix(best + part->first.size());
  }
  return out;
}

}  // namespace

std::string render_report(const RunData& run) {
  return fill_template(report_assets::kTemplateHtml,
                       {{"@TITLE@", title_of(run.summary)},
                        {"@DYGRAPH_CSS@", inline_code(report_assets::kDygraphCss)},
                        {"@REPORT_CSS@", inline_code(report_assets::kReportCss)},
                        {"@DYGRAPH_JS@", inline_code(report_assets::kDygraphJs)},
                        {"@CHARTS_JS@", inline_code(report_assets::kChartsJs)},
                        {"@TABLES_JS@", inline_code(report_assets::kTablesJs)},
                        {"@LOADS_JS@", inline_code(report_assets::kLoadsJs)},
                        {"@REPORT_JS@", inline_code(report_assets::kReportJs)},
                        {"@DATA@", page_data(run)},
                        {"@CONFIG@", escape_html(run.effective_yaml)}});
}

}  // namespace ftlsim
