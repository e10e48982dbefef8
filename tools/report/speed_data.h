// The speed map of a run (speed_map.csv) as the report draws it.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

namespace ftlsim {

// Regions of a phase in rising order.
struct PhaseSpeeds {
  std::size_t phase = 0;  // index in summary.json
  std::vector<double> begin_GB;
  std::vector<double> MBps;
};

// Parses the text of a speed_map.csv; rows that are cut off or not numeric are left out.
std::vector<PhaseSpeeds> parse_speed_map(std::string_view csv);

// For the page, one object per phase: {"phase", "regions", "GB": [], "low": [], "high": [], "bins":
// []}. At most `most` points stand for the regions, each with the slowest and the fastest of
// neighbours; bins count regions in steps of 1/kSpeedBins of `top_MBps`, which is of all phases.
inline constexpr std::size_t kSpeedBins = 60;
nlohmann::ordered_json speed_map_json(const std::vector<PhaseSpeeds>& phases, std::size_t most);

}  // namespace ftlsim
