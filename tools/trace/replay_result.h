// A replay's accounts in the results of a run.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "workloads/trace/replay_report.h"

namespace ftlsim {

// For summary.json: file, format, records (read, issued, completed, left out and rejected by
// reason, the first rejected ones), what was changed, and lateness in microseconds.
nlohmann::ordered_json replay_json(const ReplayReport& report);

// The same in a few lines for the terminal.
std::string replay_text(const ReplayReport& report);

}  // namespace ftlsim
