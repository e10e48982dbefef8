#include "tools/report/run_figures.h"

#include <cmath>

#include "tools/report/course.h"
#include "tools/report/csv.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kWindowS = 1.0;
constexpr double kSlackS = 0.01;  // sample times are rounded in the file

// The member at a path of names, null if it or one before it is missing.
const Json& member(const Json& object, std::initializer_list<const char*> path) {
  static const Json kNull;
  const Json* at = &object;
  for (const char* name : path) {
    if (!at->is_object() || !at->contains(name)) return kNull;
    at = &(*at)[name];
  }
  return *at;
}

double number_at(const Json& object, std::initializer_list<const char*> path) {
  const Json& value = member(object, path);
  return value.is_number() ? value.get<double>() : kNoNumber;
}

std::optional<double> optional_at(const Json& object, std::initializer_list<const char*> path) {
  const Json& value = member(object, path);
  return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
}

std::string text_at(const Json& object, const char* name) {
  const Json& value = member(object, {name});
  return value.is_string() ? value.get<std::string>() : "";
}

std::optional<EraseFigures> erases_at(const Json& summary, const char* mode) {
  if (!member(summary, {"erase_cycles", mode, "mean"}).is_number()) return std::nullopt;
  return EraseFigures{number_at(summary, {"erase_cycles", mode, "min"}),
                      number_at(summary, {"erase_cycles", mode, "mean"}),
                      number_at(summary, {"erase_cycles", mode, "max"})};
}

double worst_second(const TimeSeries& series, const PhaseSpan& span, Column volume) {
  const std::vector<double>& time = series[Column::kTime];
  const std::vector<double>& moved = series[volume];
  double worst = kNoNumber;
  std::size_t low = span.first;
  for (std::size_t i = span.first; i + 1 < span.end; ++i) {
    while (low + 1 < i && time[i] - time[low + 1] >= kWindowS - kSlackS) ++low;
    const double length = time[i] - time[low];
    if (length < kWindowS - kSlackS) continue;
    const double rate = (moved[i] - moved[low]) * 1000.0 / length;
    if (!(worst <= rate)) worst = rate;
  }
  return worst;
}

void add_direction(const RunData& run, const std::vector<PhaseSpan>& spans,
                   const std::vector<SlcSegment>& segments, int index, const char* direction,
                   RunFigures& figures) {
  const Json& phase = run.summary["phases"][static_cast<std::size_t>(index)];
  if (!(number_at(phase, {direction, "bytes"}) > 0.0)) return;
  const bool writes = std::string_view(direction) == "write";
  PhaseFigures p;
  p.index = index;
  p.name = text_at(phase, "name");
  p.direction = direction;
  p.mean_MBps = number_at(phase, {direction, "MBps"});
  p.iops = number_at(phase, {direction, "iops"});
  p.p50_us = number_at(phase, {direction, "latency_us", "p50"});
  p.p99_us = number_at(phase, {direction, "latency_us", "p99"});
  p.p99_9_us = number_at(phase, {direction, "latency_us", "p99_9"});
  p.joules_per_GB = number_at(phase, {"J_per_GB"});
  p.worst_MBps = p.cliff_GB = p.before_MBps = p.after_MBps = kNoNumber;
  for (std::size_t s = 0; s < spans.size(); ++s) {
    if (spans[s].summary_index != index) continue;
    p.worst_MBps =
        worst_second(run.series, spans[s], writes ? Column::kWrittenGb : Column::kReadGb);
    for (const SlcSegment& segment : segments) {
      if (!writes || segment.span != s || !segment.has_drop) continue;
      p.cliff_GB = segment.written_GB;
      p.before_MBps = segment.rate_MBps;
      if (segment.after_MBps > 0.0) p.after_MBps = segment.after_MBps;
    }
    break;
  }
  figures.phases.push_back(std::move(p));
}

}  // namespace

RunFigures run_figures(const RunData& run, std::string label) {
  const Json& summary = run.summary;
  RunFigures figures;
  figures.label = std::move(label);
  figures.drive = text_at(summary, "drive");
  figures.workload = text_at(summary, "workload");
  figures.waf = optional_at(summary, {"waf"});
  const Json& causes = member(summary, {"waf_by_cause"});
  if (causes.is_object())
    for (const auto& [cause, value] : causes.items())
      if (value.is_number()) figures.waf_by_cause.emplace_back(cause, value.get<double>());
  figures.slc_erases = erases_at(summary, "slc");
  figures.tlc_erases = erases_at(summary, "tlc");
  figures.joules_per_GB = optional_at(summary, {"energy", "J_per_GB"});
  const std::vector<PhaseSpan> spans = find_phases(run.series, summary);
  const std::vector<SlcSegment> segments = find_slc_segments(run.series, spans);
  const Json& phases = member(summary, {"phases"});
  for (int i = 0; phases.is_array() && i < static_cast<int>(phases.size()); ++i)
    for (const char* direction : {"write", "read"})
      add_direction(run, spans, segments, i, direction, figures);
  return figures;
}

Json figures_json(const RunFigures& figures) {
  const auto known = [](double value) { return std::isnan(value) ? Json() : Json(value); };
  const auto optional = [](std::optional<double> value) { return value ? Json(*value) : Json(); };
  Json causes = Json::object();
  for (const auto& [cause, value] : figures.waf_by_cause) causes[cause] = value;
  Json phases = Json::array();
  for (const PhaseFigures& p : figures.phases) {
    phases.push_back({{"index", p.index},
                      {"name", p.name},
                      {"direction", p.direction},
                      {"mean_MBps", known(p.mean_MBps)},
                      {"worst_MBps", known(p.worst_MBps)},
                      {"iops", known(p.iops)},
                      {"cliff_GB", known(p.cliff_GB)},
                      {"before_MBps", known(p.before_MBps)},
                      {"after_MBps", known(p.after_MBps)},
                      {"joules_per_GB", known(p.joules_per_GB)},
                      {"p50_us", known(p.p50_us)},
                      {"p99_us", known(p.p99_us)},
                      {"p99_9_us", known(p.p99_9_us)}});
  }
  const auto erases = [&known](const std::optional<EraseFigures>& e) {
    if (!e) return Json();
    return Json{{"min", known(e->min)}, {"mean", known(e->mean)}, {"max", known(e->max)}};
  };
  return {
      {"label", figures.label},
      {"drive", figures.drive},
      {"workload", figures.workload},
      {"waf", optional(figures.waf)},
      {"waf_by_cause", causes},
      {"erase_cycles", {{"slc", erases(figures.slc_erases)}, {"tlc", erases(figures.tlc_erases)}}},
      {"joules_per_GB", optional(figures.joules_per_GB)},
      {"phases", phases}};
}

}  // namespace ftlsim
