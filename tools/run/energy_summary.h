// The figures of energy and temperature in summary.json.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "ftl/config.h"
#include "ftl/thermal/thermal_control.h"
#include "sim/units.h"
#include "tools/run/numbers.h"
#include "tools/run/recorder.h"

namespace ftlsim {

constexpr double joules(uint64_t nanojoules) { return rounded(nanojoules, 1'000'000'000, 6); }

// nJ per ns are W.
constexpr double mean_watts(uint64_t nanojoules, Duration span) {
  return rounded(nanojoules, static_cast<unsigned __int128>(span.to_ns()), 4);
}

// Per decimal gigabyte read or written by the host; nJ per byte are J per GB.
constexpr double joules_per_gb(uint64_t nanojoules, uint64_t bytes) {
  return rounded(nanojoules, bytes, 4);
}

// The object `energy`, as of the last settle() of the device.
nlohmann::ordered_json energy_json(const ThermalControl& thermal, const DriveConfig& config,
                                   const Recorder& recorder);

}  // namespace ftlsim
