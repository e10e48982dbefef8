// The HTML report of a run: one self-contained file that opens from disk without network.
#pragma once

#include <string>

#include "tools/report/run_data.h"

namespace ftlsim {

// Renders the report of a loaded run. The result depends on `run` alone: wall-clock time and memory
// of the run are left out, so that equal runs give equal files. Text from the run (names, the
// configuration) is escaped; it cannot become markup or script.
std::string render_report(const RunData& run);

}  // namespace ftlsim
