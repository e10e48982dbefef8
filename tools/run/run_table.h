// The short table at the end of a run.
#pragma once

#include <string>

#include "tools/report/run_data.h"
#include "tools/run/recorder.h"
#include "tools/run/summary.h"

namespace ftlsim {

// Phases with their rates and latencies, SLC segments, write amplification and cost of the run.
// `run` is the run directory as it was written.
std::string run_table(const RunFacts& facts, const Recorder& recorder, const RunData& run);

}  // namespace ftlsim
