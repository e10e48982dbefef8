// What a fio job file asks of fio's reports: log files, percentiles, grouping. The engine does not
// look at it; the tool that writes fio's formats does.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/units.h"

namespace ftlsim {

// Name and value, as written.
using FioOptionText = std::pair<std::string, std::string>;

struct JobReport {
  // Prefixes of the log files; none: no such log.
  std::optional<std::string> bw_log;
  std::optional<std::string> iops_log;
  std::optional<std::string> lat_log;
  std::optional<std::string> hist_log;
  Duration window;                            // log_avg_msec; 0: one row per request
  Duration hist_window;                       // log_hist_msec
  uint32_t hist_coarseness = 0;               // 0 to 6
  bool window_max = false;                    // of a window the largest value, not the mean ...
  bool window_both = false;                   // ... or both, in two columns
  bool with_offset = false;                   // log_offset
  bool with_priority = false;                 // log_prio: priorities as hexadecimal numbers
  bool with_issue_time = false;               // log_issue_time
  bool log_per_job = true;                    // per_job_logs
  Duration bw_average = Duration::ms(500);    // bwavgtime
  Duration iops_average = Duration::ms(500);  // iopsavgtime

  bool counts_errors = false;    // continue_on_error: the number of errors, and the first
  bool group_reporting = false;  // one result for all jobs of the group
  bool new_group = false;        // a group begins here
  bool unified = false;          // unified_rw_reporting: one direction, "mixed" ...
  bool unified_both = false;     // ... or that beside the others
  bool clat_percentiles = true;
  bool lat_percentiles = false;
  bool slat_percentiles = false;
  std::vector<double> percentiles;  // empty: fio's list

  std::vector<FioOptionText> options;  // of the job's own section
};

}  // namespace ftlsim
