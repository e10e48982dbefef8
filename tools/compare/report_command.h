// `ftlsim report`: the page of one run again, or several runs laid over each other.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ftlsim {

struct ReportOptions {
  // Run directories, or LABEL=DIRECTORY.
  std::vector<std::string> runs;
  // The page; else RUN/report.html of one run, out/comparison/report.html of several.
  std::optional<std::string> output;
  std::optional<std::string> measured;  // see MeasuredCurve
  bool json = false;                    // the figures as JSON on stdout instead of the table
  bool incomplete = false;              // takes runs that were interrupted
};

// Prints to stdout and stderr. Returns the exit code.
int report_command(const ReportOptions& options);

}  // namespace ftlsim
