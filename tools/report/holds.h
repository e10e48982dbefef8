// How long repeated phases stay at the rate of the SLC cache: the figures of the burst reviews,
// from the samples of 100 ms.
//
// The level of a series is the highest rate that any of its phases has over its first half second
// (the median of the samples, reads and writes together). A phase holds it until the first sample
// from which every sample of two seconds is below 70 % of the level; a phase that never drops so
// holds it to its end.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/report/course.h"
#include "tools/report/run_data.h"

namespace ftlsim {

struct HoldSeries {
  std::string name;
  double wanted_s = 0.0;  // a run that holds the level for so long counts as held
  double level_MBps = 0.0;
  double mean_s = 0.0;          // over all runs
  std::size_t held = 0;         // runs
  std::vector<double> seconds;  // of each run, in order
};

// The series of the phases of `summary` that have a `hold_s`, in the order of their first runs.
std::vector<HoldSeries> find_holds(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                                   const nlohmann::ordered_json& summary);

// summary.json's `holds`, and lines for the terminal.
nlohmann::ordered_json holds_json(const std::vector<HoldSeries>& holds);
std::string holds_text(const std::vector<HoldSeries>& holds);

}  // namespace ftlsim
