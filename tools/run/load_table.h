// Load ramps: latency against load, one table per curve, from the phases that are points of one.
//
// Figures are of what completed after the warm-up of a phase, reads, writes and trims together.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/histogram.h"
#include "sim/units.h"
#include "workloads/phase_result.h"

namespace ftlsim {

struct LoadRecord {
  LoadPoint point;
  uint64_t rate_milli = 0;  // asked for, in thousandths of a request per second; 0: none
  Duration span;
  std::array<uint64_t, kDirections> requests{};
  uint64_t bytes = 0;
  // In nanoseconds.
  uint64_t sum = 0;
  int64_t p50 = 0;
  int64_t p99 = 0;
  int64_t p99_9 = 0;
  int64_t max = 0;

  uint64_t all_requests() const { return requests[0] + requests[1] + requests[2]; }
};

// What the table says of a phase that is a point of a ramp.
LoadRecord load_record(const PhaseResult& result);

struct NamedLoad {
  std::string phase;
  LoadRecord record;
};

// summary.json's `load_tables`: tables in the order of their first points.
nlohmann::ordered_json load_tables_json(const std::vector<NamedLoad>& loads);

// The same for the terminal; empty without any. A table of one point says nothing that the table of
// phases does not, and is left out.
std::string load_tables_text(const std::vector<NamedLoad>& loads);

}  // namespace ftlsim
