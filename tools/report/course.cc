// Derivation of phases, means, drawn rows and SLC segments from the samples of a run.
#include "tools/report/course.h"

#include <algorithm>
#include <charconv>

namespace ftlsim {
namespace {

constexpr double kHalfWindowS = 0.5;
constexpr double kReferenceS = 0.5;        // stretch that gives the first reference rate
constexpr double kSustainedS = 2.0;        // a drop must last this long
constexpr double kDropRatio = 0.7;         // below this share of the reference it is a drop
constexpr double kSettleS = 5.0;           // left out after a drop
constexpr std::size_t kRowsPerBucket = 4;  // usual yield of a bucket: first, last, low, high
constexpr double kGapS = 1.0;              // longer without a sample: nothing changed in between
constexpr double kTimeSlackS = 1e-6;       // sample times are rounded in the file

int phase_by_index(const std::string& cell, const nlohmann::ordered_json& phases) {
  int index = -1;
  const char* end = cell.data() + cell.size();
  const auto [rest, status] = std::from_chars(cell.data(), end, index);
  const bool number = status == std::errc() && rest == end && !cell.empty();
  return number && index >= 0 && static_cast<std::size_t>(index) < phases.size() ? index : -1;
}

int phase_by_name(const std::string& cell, const nlohmann::ordered_json& phases, int after) {
  for (int i = after + 1; i < static_cast<int>(phases.size()); ++i) {
    const auto& phase = phases[static_cast<std::size_t>(i)];
    if (phase.is_object() && phase.contains("name") && phase["name"] == cell) return i;
  }
  return -1;
}

std::string text_of(const nlohmann::ordered_json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_string()) return "";
  return object[key].get<std::string>();
}

bool any_above_zero(const std::vector<double>& values, const PhaseSpan& span) {
  return std::any_of(values.begin() + static_cast<std::ptrdiff_t>(span.first),
                     values.begin() + static_cast<std::ptrdiff_t>(span.end),
                     [](double v) { return v > 0.0; });
}

double median_of(std::vector<double> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double median_of_rows(const std::vector<double>& rate, std::size_t first, std::size_t end) {
  return median_of({rate.begin() + static_cast<std::ptrdiff_t>(first),
                    rate.begin() + static_cast<std::ptrdiff_t>(end)});
}

// First row from which `rate` stays below `threshold` for kSustainedS; span.end if there is none.
std::size_t find_drop(const std::vector<double>& time, const std::vector<double>& rate,
                      const PhaseSpan& span, double threshold) {
  std::size_t start = span.end;
  for (std::size_t i = span.first; i < span.end; ++i) {
    if (!(rate[i] < threshold)) {
      start = span.end;
      continue;
    }
    if (start == span.end) start = i;
    if (time[i] - time[start] >= kSustainedS - kTimeSlackS) return start;
  }
  return span.end;
}

double rate_MBps(double gigabytes, double seconds) {
  return seconds > 0.0 ? gigabytes * 1000.0 / seconds : 0.0;
}

SlcSegment measure_segment(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                           std::size_t span_index) {
  const PhaseSpan& span = spans[span_index];
  const std::vector<double>& time = series[Column::kTime];
  const std::vector<double>& written = series[Column::kWrittenGb];
  const std::vector<double>& rate = series[Column::kWriteMbps];

  std::size_t reference_end = span.first;
  while (reference_end < span.end && time[reference_end] <= span.begin_s + kReferenceS) {
    ++reference_end;
  }
  reference_end = std::max(reference_end, std::min(span.first + 1, span.end));
  const double first_guess = median_of_rows(rate, span.first, reference_end);
  std::size_t drop = find_drop(time, rate, span, kDropRatio * first_guess);
  if (drop > span.first && drop < span.end) {
    const double reference = median_of_rows(rate, span.first, drop);
    drop = find_drop(time, rate, span, kDropRatio * reference);
  }

  const double start_GB = span.first == 0 ? 0.0 : written[span.first - 1];
  const double end_GB = written[span.end - 1];
  SlcSegment segment;
  segment.span = span_index;
  segment.has_drop = drop > span.first && drop < span.end;
  const std::size_t last = segment.has_drop ? drop - 1 : span.end - 1;
  segment.written_GB = written[last] - start_GB;
  segment.duration_s = time[last] - span.begin_s;
  segment.rate_MBps = rate_MBps(segment.written_GB, segment.duration_s);
  segment.mean_MBps = rate_MBps(end_GB - start_GB, span.end_s - span.begin_s);
  segment.slc_limit_GB = series[Column::kSlcLimitGb][span.first];
  if (segment.has_drop) {
    std::size_t settled = drop;
    while (settled + 1 < span.end && time[settled] < time[last] + kSettleS) ++settled;
    segment.after_MBps = rate_MBps(end_GB - written[settled], span.end_s - time[settled]);
  }
  return segment;
}

}  // namespace

std::vector<PhaseSpan> find_phases(const TimeSeries& series,
                                   const nlohmann::ordered_json& summary) {
  nlohmann::ordered_json phases = nlohmann::ordered_json::array();
  if (summary.is_object() && summary.contains("phases") && summary["phases"].is_array()) {
    phases = summary["phases"];
  }
  std::vector<PhaseSpan> spans;
  int last_index = -1;
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (i > 0 && series.phase[i] == series.phase[i - 1]) continue;
    PhaseSpan span;
    span.first = i;
    span.begin_s = i == 0 ? 0.0 : series[Column::kTime][i - 1];
    span.name = series.phase[i];
    span.summary_index = phase_by_index(span.name, phases);
    if (span.summary_index < 0) {
      span.summary_index = phase_by_name(span.name, phases, last_index);
    }
    if (span.summary_index >= 0) {
      last_index = span.summary_index;
      const auto& phase = phases[static_cast<std::size_t>(span.summary_index)];
      span.kind = text_of(phase, "kind");
      if (const std::string name = text_of(phase, "name"); !name.empty()) span.name = name;
    }
    spans.push_back(std::move(span));
  }
  for (std::size_t k = 0; k < spans.size(); ++k) {
    PhaseSpan& span = spans[k];
    span.end = k + 1 < spans.size() ? spans[k + 1].first : series.size();
    span.end_s = series[Column::kTime][span.end - 1];
    span.writes = any_above_zero(series[Column::kWriteMbps], span);
    span.reads = any_above_zero(series[Column::kReadMbps], span);
  }
  return spans;
}

std::vector<double> one_second_mean(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                                    Column column) {
  const std::vector<double>& time = series[Column::kTime];
  const std::vector<double>& values = series[column];
  std::vector<double> mean(values.size(), 0.0);
  for (const PhaseSpan& span : spans) {
    std::size_t low = span.first;
    std::size_t high = span.first;
    for (std::size_t i = span.first; i < span.end; ++i) {
      while (time[low] <= time[i] - kHalfWindowS + kTimeSlackS && low < i) ++low;
      while (high < span.end && time[high] <= time[i] + kHalfWindowS + kTimeSlackS) ++high;
      // Summed afresh: a running sum would carry the rounding of every sample before it.
      double sum = 0.0;
      for (std::size_t j = low; j < high; ++j) sum += values[j];
      mean[i] = sum / static_cast<double>(high - low);
    }
  }
  return mean;
}

std::vector<std::size_t> rows_to_draw(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                                      std::size_t max_rows) {
  std::vector<std::size_t> rows;
  const std::vector<double>& time = series[Column::kTime];
  const bool all = series.size() <= max_rows;
  const std::size_t buckets = std::max<std::size_t>(1, max_rows / kRowsPerBucket);
  const std::size_t width = all ? 1 : (series.size() + buckets - 1) / buckets;
  for (const PhaseSpan& span : spans) {
    for (std::size_t first = span.first, end = first; first < span.end; first = end) {
      end = std::min(first + 1, span.end);
      while (end < std::min(first + width, span.end) && time[end] - time[end - 1] <= kGapS) ++end;
      rows.push_back(first);
      rows.push_back(end - 1);
      for (const Column column : {Column::kWriteMbps, Column::kReadMbps}) {
        const auto begin = series[column].begin();
        const auto [low, high] = std::minmax_element(begin + static_cast<std::ptrdiff_t>(first),
                                                     begin + static_cast<std::ptrdiff_t>(end));
        rows.push_back(static_cast<std::size_t>(low - begin));
        rows.push_back(static_cast<std::size_t>(high - begin));
      }
    }
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

std::vector<SlcSegment> find_slc_segments(const TimeSeries& series,
                                          const std::vector<PhaseSpan>& spans) {
  std::vector<SlcSegment> segments;
  for (std::size_t k = 0; k < spans.size(); ++k) {
    // The last sample of a write phase may hold the first reads of the next one.
    const bool mixed = spans[k].kind == "idle" || (spans[k].reads && spans[k].kind != "write");
    if (spans[k].writes && !mixed) segments.push_back(measure_segment(series, spans, k));
  }
  return segments;
}

}  // namespace ftlsim
