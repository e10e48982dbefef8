// The figures by which runs are compared, from the files of one run directory.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/report/run_data.h"

namespace ftlsim {

// One direction of one phase.
struct PhaseFigures {
  int index = 0;  // into summary.phases
  std::string name;
  std::string direction;  // "read" or "write"
  double mean_MBps = 0.0;
  double iops = 0.0;
  // The least mean over a second of the phase, from the samples: of the windows of one second that
  // lie within it, its first and last sample left out since they may speak for a neighbour too. NaN
  // for a phase that is too short for one.
  double worst_MBps = 0.0;
  double p50_us = 0.0;
  double p99_us = 0.0;
  double p99_9_us = 0.0;
  double joules_per_GB = 0.0;  // of the whole phase; NaN without an energy model
  // Writes: the SLC segment (see SlcSegment); NaN where the rate does not leave the cache level.
  double cliff_GB = 0.0;
  double before_MBps = 0.0;
  double after_MBps = 0.0;
};

struct EraseFigures {
  double min = 0.0;
  double mean = 0.0;
  double max = 0.0;
};

struct RunFigures {
  std::string label;
  std::string drive;
  std::string workload;
  std::optional<double> waf;
  std::vector<std::pair<std::string, double>> waf_by_cause;
  std::optional<EraseFigures> slc_erases;  // per superblock, in SLC mode
  std::optional<EraseFigures> tlc_erases;
  std::optional<double> joules_per_GB;  // moved by the host, if the run has an energy model
  std::vector<PhaseFigures> phases;     // directions that moved data, in order
};

RunFigures run_figures(const RunData& run, std::string label);

// The same for a page or a file; numbers that are not known are null.
nlohmann::ordered_json figures_json(const RunFigures& figures);

}  // namespace ftlsim
