// The steady-state rule of the SNIA Solid State Storage Performance Test Specification: over a
// window of rounds the values stay within a band of the mean, and so do the ends of the
// least-squares line through them.
#pragma once

#include <cstdint>
#include <span>

namespace ftlsim {

enum class RoundMeasure : uint8_t { kIops, kBandwidth };

struct SteadyRule {
  RoundMeasure measure = RoundMeasure::kIops;
  uint32_t window = 5;
  double range = 0.20;  // largest less smallest value, of the mean
  double slope = 0.10;  // rise or fall of the line over the window, of the mean
};

struct SteadyWindow {
  bool full = false;  // as many values as the window takes
  bool steady = false;
  double mean = 0;
  double range = 0;  // largest less smallest value
  double slope = 0;  // of the line, per round
};

// Judges the last `rule.window` values, oldest first; all values if there are fewer, which are not
// steady.
constexpr SteadyWindow judge_window(std::span<const double> values, const SteadyRule& rule) {
  SteadyWindow out;
  out.full = values.size() >= rule.window;
  if (out.full) values = values.last(rule.window);
  if (values.empty()) return out;
  const auto n = static_cast<double>(values.size());
  double low = values[0];
  double high = values[0];
  double sum = 0;
  double weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    low = values[i] < low ? values[i] : low;
    high = values[i] > high ? values[i] : high;
    sum += values[i];
    weighted += values[i] * static_cast<double>(i);
  }
  out.mean = sum / n;
  out.range = high - low;
  const double spread = n * (n * n - 1) / 12;  // of 0 .. n-1 about their mean
  out.slope = spread > 0 ? (weighted - (n - 1) / 2 * sum) / spread : 0;
  const double rise = (out.slope < 0 ? -out.slope : out.slope) * (n - 1);
  out.steady = out.full && out.range <= rule.range * out.mean && rise <= rule.slope * out.mean;
  return out;
}

}  // namespace ftlsim
