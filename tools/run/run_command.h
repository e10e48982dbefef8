// `ftlsim run`: from the command line to a run directory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ftlsim {

// Exit codes of the tool.
enum ExitCode : int {
  kExitOk = 0,
  kExitInternal = 1,  // a conservation law does not hold, a write failed: a defect or the machine
  kExitInput = 2,     // the input is wrong; every problem has been printed
  kExitInterrupted = 3,  // SIGINT or SIGTERM; the run directory is valid and says "complete": false
};

struct RunOptions {
  std::string drive;
  std::string workload;
  std::optional<std::string> prepare;  // a workload that runs first
  std::optional<std::string> output;   // else out/<drive>-<workload>
  std::vector<std::string> overrides;
  uint64_t seed = 1;
  // One of fio's formats (normal, json, json+, terse) on stdout instead of the table.
  std::optional<std::string> output_format;
  // Writes fio's logs of every job in windows of so many ms, and fio.json, into the run directory.
  std::optional<uint32_t> fio_logs_ms;
  // File of the timeline, empty for timeline.json in the run directory; and its window.
  std::optional<std::string> timeline;
  std::optional<std::string> timeline_window;
  // Kinds for decisions/*.csv in the run directory, see parse_decision_kinds().
  std::optional<std::string> decision_log;
  std::optional<std::string> measured;  // file of a curve for the report, see MeasuredCurve
};

// Prints to stdout and stderr. Returns the exit code.
int run_command(const RunOptions& options);

}  // namespace ftlsim
