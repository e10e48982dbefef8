// The options that say what fio's results and log files contain.
#include <fmt/format.h>

#include <algorithm>

#include "workloads/fio_draft.h"

namespace ftlsim {

bool FioOptionReader::apply_report(FioKey key, const FioOption& option, FioDraft& draft) {
  JobReport& report = draft.spec.report;
  switch (key) {
    case FioKey::kWriteBwLog:
      return read_log(option, draft, report.bw_log), true;
    case FioKey::kWriteIopsLog:
      return read_log(option, draft, report.iops_log), true;
    case FioKey::kWriteLatLog:
      return read_log(option, draft, report.lat_log), true;
    case FioKey::kWriteHistLog:
      return read_log(option, draft, report.hist_log), true;
    case FioKey::kLogAvgMsec:
      return read_milliseconds(option, draft, report.window), true;
    case FioKey::kLogHistMsec:
      return read_milliseconds(option, draft, report.hist_window), true;
    case FioKey::kLogHistCoarseness:
      return read_integer(option, draft, report.hist_coarseness, 0, 6), true;
    case FioKey::kLogWindowMax: {
      if (!option.value) return report.window_max = true;
      const std::optional<size_t> word =
          read_word(option, {"avg", "average", "0", "max", "maximum", "1", "both"});
      report.window_max = word && *word >= 3;
      report.window_both = word == 6;
      return true;
    }
    case FioKey::kLogOffset:
      return read_bool(option, report.with_offset), true;
    case FioKey::kLogPrio:
      return read_bool(option, report.with_priority), true;
    case FioKey::kLogIssueTime:
      return read_bool(option, report.with_issue_time), true;
    case FioKey::kPerJobLogs:
      return read_bool(option, report.log_per_job), true;
    case FioKey::kBwAverage:
      return read_milliseconds(option, draft, report.bw_average), true;
    case FioKey::kIopsAverage:
      return read_milliseconds(option, draft, report.iops_average), true;
    case FioKey::kGroupReporting:
      return read_bool(option, report.group_reporting), true;
    case FioKey::kNewGroup:
      return read_bool(option, report.new_group), true;
    case FioKey::kUnified: {
      const std::optional<size_t> word =
          read_word(option, {"none", "0", "mixed", "1", "both", "2"});
      report.unified = word && (*word == 2 || *word == 3);
      report.unified_both = word && *word >= 4;
      return true;
    }
    case FioKey::kClatPercentiles:
      return read_bool(option, report.clat_percentiles), true;
    case FioKey::kLatPercentiles:
      return read_bool(option, report.lat_percentiles), true;
    case FioKey::kSlatPercentiles:
      return read_bool(option, report.slat_percentiles), true;
    case FioKey::kPercentileList:
      return read_percentiles(option, draft), true;
    default:
      return false;
  }
}

// The prefix of the file names; the job's name if there is no value.
void FioOptionReader::read_log(const FioOption& option, const FioDraft& draft,
                               std::optional<std::string>& prefix) {
  prefix = text_of(option).empty() ? draft.spec.name : std::string(text_of(option));
  if (prefix->find('/') != std::string::npos) {
    note_once(option.key, option.origin,
              fmt::format("{}: log files go into the run directory; the folder in {} is left out",
                          option.key, quote(*prefix)));
    prefix = prefix->substr(prefix->rfind('/') + 1);
  }
}

void FioOptionReader::read_milliseconds(const FioOption& option, const FioDraft& draft,
                                        Duration& target) {
  constexpr uint32_t kDay = 86'400'000;
  uint32_t value = 0;
  read_integer(option, draft, value, 0, kDay);
  target = Duration::ms(value);
}

void FioOptionReader::read_percentiles(const FioOption& option, FioDraft& draft) {
  constexpr size_t kMost = 20;
  std::vector<double>& list = draft.spec.report.percentiles;
  list.clear();
  for (const std::string_view piece : split_text(text_of(option), ":")) {
    read_number({option.key, std::string(piece), option.origin}, list.emplace_back());
    if (list.back() > 100)
      return refuse(option, fmt::format("{} is not a percentage", quote(piece)));
  }
  if (list.size() > kMost) refuse(option, fmt::format("more than {} percentiles", kMost));
  std::sort(list.begin(), list.end());
}

}  // namespace ftlsim
