// What the report derives from the samples of a run: phases on the time axis, the one-second mean,
// the rows worth drawing, and the SLC segment of every write phase.
//
// Everything here is a pure function of the samples with + - * / and comparisons only, so that the
// report is the same on every machine and compiler.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/report/run_data.h"

namespace ftlsim {

// A contiguous stretch of samples of one phase. Its time reaches from the last sample of the phase
// before it (or 0) to its own last sample, since a sample speaks for the 100 ms before it.
struct PhaseSpan {
  std::size_t first = 0;  // rows [first, end)
  std::size_t end = 0;
  double begin_s = 0.0;
  double end_s = 0.0;
  int summary_index = -1;  // into summary.phases; -1 if it has no entry there
  std::string name;
  std::string kind;     // "" if unknown
  bool writes = false;  // some sample has a write rate above zero
  bool reads = false;
};

// Cuts the samples where the phase cell changes and finds the entry of `summary.phases` by index
// (the cell is a number) or by name (the first entry with that name not before the last one used).
std::vector<PhaseSpan> find_phases(const TimeSeries& series, const nlohmann::ordered_json& summary);

// Mean of `column` over the second around each sample, not reaching across a phase boundary.
std::vector<double> one_second_mean(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                                    Column column);

// Rows to draw, in order: all of them up to `max_rows`, otherwise of each bucket of neighbours the
// first row, the last and those with the extremes of either rate. Buckets end with a phase and at a
// gap in time. Where one rate is constant the result has at most `max_rows` rows, else 1.5 times as
// many, and four more for every phase and gap.
std::vector<std::size_t> rows_to_draw(const TimeSeries& series, const std::vector<PhaseSpan>& spans,
                                      std::size_t max_rows);

// The SLC segment of a write phase: from its start to the first sustained drop.
//
// Reference rate: median of the samples of the first half second, so that a short segment is seen;
// with it the first row is sought from which every sample of two seconds is below 70 % of it. The
// median of the segment so found is then the reference of a second and final pass. A phase that ends
// within the two seconds after a drop has not shown one.
struct SlcSegment {
  std::size_t span = 0;  // index of the phase span
  bool has_drop = false;
  double written_GB = 0.0;  // until the drop, or in the whole phase
  double duration_s = 0.0;
  double rate_MBps = 0.0;     // written_GB over duration_s
  double after_MBps = 0.0;    // mean from 5 s after the drop to the end of the phase; 0 if none
  double mean_MBps = 0.0;     // whole phase
  double slc_limit_GB = 0.0;  // at the start of the phase; NaN if not sampled
};

std::vector<SlcSegment> find_slc_segments(const TimeSeries& series,
                                          const std::vector<PhaseSpan>& spans);

}  // namespace ftlsim
