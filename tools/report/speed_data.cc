#include "tools/report/speed_data.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kCells = 6;  // phase, region, begin_GB, read_MB, time_ms, MBps

bool parse_row(std::string_view line, std::array<double, kCells>& row) {
  for (std::size_t cell = 0; cell < kCells; ++cell) {
    const std::size_t end = std::min(line.find(','), line.size());
    const char* last = line.data() + end;
    const auto [rest, status] = std::from_chars(line.data(), last, row[cell]);
    if (status != std::errc() || rest != last || !(row[cell] >= 0 && row[cell] < 1e12))
      return false;
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return line.empty();
}

Json speeds_json(const PhaseSpeeds& speeds, std::size_t most, double top) {
  const std::size_t count = speeds.MBps.size();
  const std::size_t group = (count + most - 1) / most;
  Json out = {{"phase", speeds.phase}, {"regions", count}, {"GB", Json::array()}};
  Json low = Json::array();
  Json high = Json::array();
  for (std::size_t i = 0; i < count; i += group) {
    const auto begin = speeds.MBps.begin() + static_cast<std::ptrdiff_t>(i);
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(group, count - i));
    out["GB"].push_back(speeds.begin_GB[i]);
    low.push_back(static_cast<long>(*std::min_element(begin, end) + 0.5));
    high.push_back(static_cast<long>(*std::max_element(begin, end) + 0.5));
  }
  std::array<std::size_t, kSpeedBins> bins{};
  for (const double rate : speeds.MBps)
    ++bins[std::min(static_cast<std::size_t>(rate / top * kSpeedBins), kSpeedBins - 1)];
  out["low"] = std::move(low);
  out["high"] = std::move(high);
  out["bins"] = bins;
  return out;
}

}  // namespace

std::vector<PhaseSpeeds> parse_speed_map(std::string_view csv) {
  std::vector<PhaseSpeeds> phases;
  bool header = true;
  while (!csv.empty()) {
    const std::size_t end = csv.find('\n');
    const std::string_view line = csv.substr(0, end);
    csv.remove_prefix(end == std::string_view::npos ? csv.size() : end + 1);
    std::array<double, kCells> row{};
    if (header || !parse_row(line, row)) {
      header = false;
      continue;
    }
    const auto phase = static_cast<std::size_t>(row[0]);
    if (phases.empty() || phases.back().phase != phase) phases.push_back({phase, {}, {}});
    phases.back().begin_GB.push_back(row[2]);
    phases.back().MBps.push_back(row[5]);
  }
  return phases;
}

Json speed_map_json(const std::vector<PhaseSpeeds>& phases, std::size_t most) {
  double top = 1;
  for (const PhaseSpeeds& p : phases)
    for (const double rate : p.MBps) top = std::max(top, rate);
  Json out = Json::object();
  out["top_MBps"] = static_cast<long>(top + 0.5);
  out["phases"] = Json::array();
  for (const PhaseSpeeds& p : phases) out["phases"].push_back(speeds_json(p, most, top));
  return out;
}

}  // namespace ftlsim
