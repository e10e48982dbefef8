#include "tools/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/report/assets.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxMeasuredPoints = 4000;

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
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

// A column of the curve with every `width` neighbours as their mean.
void append_thinned(std::string& out, std::string_view name, const std::vector<double>& values,
                    std::size_t width) {
  constexpr int kDigits = 7;
  fmt::format_to(std::back_inserter(out), ",\"{}\":[", name);
  for (std::size_t first = 0; first < values.size(); first += width) {
    const std::size_t end = std::min(first + width, values.size());
    double sum = 0.0;
    for (std::size_t i = first; i < end; ++i) sum += values[i];
    if (first > 0) out += ',';
    out += number(sum / static_cast<double>(end - first), kDigits);
  }
  out += ']';
}

}  // namespace

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

// With these three as escapes no tag or comment can start in it.
std::string escape_json(std::string json) {
  replace_all(json, "<", "\\u003c");
  replace_all(json, ">", "\\u003e");
  replace_all(json, "&", "\\u0026");
  return json;
}

std::string dump_json(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

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

nlohmann::ordered_json spans_json(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
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

nlohmann::ordered_json segments_json(const std::vector<SlcSegment>& segments) {
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

std::string measured_json(const std::optional<MeasuredCurve>& curve) {
  if (!curve) return "null";
  const std::size_t width = (curve->t_s.size() + kMaxMeasuredPoints - 1) / kMaxMeasuredPoints;
  std::string out = fmt::format("{{\"name\":{}", dump_json(curve->name));
  append_thinned(out, "t_s", curve->t_s, width);
  append_thinned(out, "written_GB", curve->written_GB, width);
  append_thinned(out, "write_MBps", curve->write_MBps, width);
  return out + "}";
}

std::string fill_template(std::string_view page, const PageParts& parts) {
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

PageParts with_common_parts(const std::string& title, PageParts parts) {
  parts.emplace_back("@HEAD@",
                     fill_template(report_assets::kHeadHtml,
                                   {{"@TITLE@", title},
                                    {"@DYGRAPH_CSS@", inline_code(report_assets::kDygraphCss)},
                                    {"@REPORT_CSS@", inline_code(report_assets::kReportCss)}}));
  parts.emplace_back("@CONTROLS@", report_assets::kControlsHtml);
  std::string scripts;
  for (const std::string_view script : {report_assets::kDygraphJs, report_assets::kChartsJs,
                                        report_assets::kPageJs, report_assets::kLinesJs})
    scripts += "<script>" + inline_code(script) + "</script>\n";
  parts.emplace_back("@SCRIPTS@", std::move(scripts));
  return parts;
}

}  // namespace ftlsim
