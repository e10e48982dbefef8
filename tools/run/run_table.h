// The short table at the end of a run.
#pragma once

#include <string>
#include <vector>

#include "tools/report/holds.h"
#include "tools/report/run_data.h"
#include "tools/run/recorder.h"
#include "tools/run/summary.h"

namespace ftlsim {

// Phases with their rates and latencies, load ramps, SLC segments, steady rounds, write
// amplification and cost of the run.
// `run` is the run directory as it was written.
std::string run_table(const RunFacts& facts, const Recorder& recorder, const RunData& run,
                      const std::vector<HoldSeries>& holds);

}  // namespace ftlsim
