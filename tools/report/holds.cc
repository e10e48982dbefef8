#include "tools/report/holds.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kReferenceS = 0.5;  // stretch at the start of a phase that gives its level
constexpr double kDropRatio = 0.7;   // below this share of the level it is a drop ...
constexpr double kSustainedS = 2.0;  // ... if it lasts this long
constexpr double kTimeSlackS = 1e-6;

// A series with the spans of its runs.
struct Runs {
  HoldSeries series;
  std::vector<const PhaseSpan*> spans;
};

double rate_of(const TimeSeries& series, std::size_t row) {
  return series[Column::kWriteMbps][row] + series[Column::kReadMbps][row];
}

double level_of(const TimeSeries& series, const PhaseSpan& span) {
  std::vector<double> rates;
  for (std::size_t i = span.first; i < span.end; ++i)
    if (series[Column::kTime][i] <= span.begin_s + kReferenceS + kTimeSlackS)
      rates.push_back(rate_of(series, i));
  if (rates.empty()) return 0.0;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

// Seconds of the phase before the drop.
double held_of(const TimeSeries& series, const PhaseSpan& span, double level) {
  const std::vector<double>& time = series[Column::kTime];
  std::size_t start = span.end;
  for (std::size_t i = span.first; i < span.end; ++i) {
    if (!(rate_of(series, i) < kDropRatio * level)) {
      start = span.end;
      continue;
    }
    if (start == span.end) start = i;
    if (time[i] - time[start] < kSustainedS - kTimeSlackS) continue;
    return start == span.first ? 0.0 : time[start - 1] - span.begin_s;
  }
  return span.end_s - span.begin_s;
}

std::vector<Runs> runs_of(const std::vector<PhaseSpan>& spans, const Json& summary) {
  std::vector<Runs> all;
  if (!summary.is_object() || !summary.contains("phases")) return all;
  const Json& phases = summary["phases"];
  for (const PhaseSpan& span : spans) {
    if (span.summary_index < 0) continue;
    const Json& phase = phases[static_cast<std::size_t>(span.summary_index)];
    if (!phase.contains("hold_s") || !phase["hold_s"].is_number()) continue;
    if (!phase.value("complete", true)) continue;  // a burst that was cut short says nothing
    const std::string name = phase.value("series", span.name);
    auto runs =
        std::find_if(all.begin(), all.end(), [&](const Runs& r) { return r.series.name == name; });
    if (runs == all.end()) {
      runs = all.insert(all.end(), Runs{});
      runs->series.name = name;
      runs->series.wanted_s = phase["hold_s"].get<double>();
    }
    runs->spans.push_back(&span);
  }
  return all;
}

// Two decimals are more than samples of 100 ms can tell.
double to_hundredths(double value) {
  return static_cast<double>(static_cast<long long>(value * 100.0 + 0.5)) / 100.0;
}

}  // namespace

std::vector<HoldSeries> find_holds(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                                   const Json& summary) {
  std::vector<HoldSeries> out;
  for (Runs& runs : runs_of(spans, summary)) {
    HoldSeries& s = runs.series;
    for (const PhaseSpan* span : runs.spans)
      s.level_MBps = std::max(s.level_MBps, level_of(series, *span));
    double sum = 0.0;
    for (const PhaseSpan* span : runs.spans) {
      s.seconds.push_back(to_hundredths(held_of(series, *span, s.level_MBps)));
      sum += s.seconds.back();
      if (s.seconds.back() >= s.wanted_s) ++s.held;
    }
    s.mean_s = to_hundredths(sum / static_cast<double>(s.seconds.size()));
    out.push_back(std::move(s));
  }
  return out;
}

Json holds_json(const std::vector<HoldSeries>& holds) {
  Json out = Json::array();
  for (const HoldSeries& s : holds)
    out.push_back({{"series", s.name},
                   {"runs", s.seconds.size()},
                   {"level_MBps", s.level_MBps},
                   {"mean_hold_s", s.mean_s},
                   {"wanted_hold_s", s.wanted_s},
                   {"held_runs", s.held},
                   {"hold_s", s.seconds}});
  return out;
}

std::string holds_text(const std::vector<HoldSeries>& holds) {
  std::string out;
  for (const HoldSeries& s : holds)
    fmt::format_to(std::back_inserter(out),
                   "{}: {} runs hold {:.0f} MB/s for {:.2f} s on average; {} of them for {:g} s or "
                   "longer\n",
                   s.name, s.seconds.size(), s.level_MBps, s.mean_s, s.held, s.wanted_s);
  return out;
}

}  // namespace ftlsim
