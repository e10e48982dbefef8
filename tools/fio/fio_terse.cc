// fio's terse format, version 3: one line per result, fields separated by ';', latencies in us.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tools/fio/fio_output.h"

namespace ftlsim {
namespace {

constexpr size_t kPercentileFields = 20;

void append_moments(std::string& out, const FioMoments& m) {
  fmt::format_to(std::back_inserter(out), ";{};{};{:.6f};{:.6f}", m.min() / 1000, m.max() / 1000,
                 m.mean() / 1000, m.deviation() / 1000);
}

// `group` is the rate of the whole group in the same direction, in bytes per second.
void append_terse(std::string& out, const FioResult& result, const FioDirectionResult& d,
                  double group) {
  const auto rate = static_cast<uint64_t>(fio_rate(d.bytes, result.span()));
  fmt::format_to(std::back_inserter(out), ";{};{};{};{}", d.bytes / 1024, rate / 1024,
                 static_cast<uint64_t>(fio_rate(d.requests, result.span())),
                 d.requests == 0 ? 0 : fio_milliseconds(result.span()));
  append_moments(out, d.slat.moments);
  append_moments(out, d.clat.moments);
  const std::vector<double> list = fio_percentiles(result.job->report);
  for (size_t k = 0; k < kPercentileFields; ++k) {
    if (k < list.size()) {
      fmt::format_to(std::back_inserter(out), ";{:.6f}%={}", list[k],
                     d.clat.bins.percentile(list[k]) / 1000);
    } else {
      out += ";0%=0";
    }
  }
  append_moments(out, d.lat.moments);
  const double mean = d.bw.mean() * result.threads;
  fmt::format_to(std::back_inserter(out), ";{};{};{:.6f}%;{:.6f};{:.6f}", d.bw.min(), d.bw.max(),
                 group > 0 ? std::min(100.0, 100 * mean * 1024 / group) : 0.0, mean,
                 d.bw.deviation());
}

}  // namespace

std::string render_fio_terse(const FioReport& report) {
  std::string out;
  for (const FioResult& result : report.results) {
    fmt::format_to(std::back_inserter(out), "3;{};{};{};{}", kFioVersion, result.job->name,
                   result.group, static_cast<int>(result.error_number()));
    const JobReport& settings = result.job->report;
    if (!settings.unified)
      for (const Direction d : {Direction::kRead, Direction::kWrite})
        append_terse(out, result, result.directions[index_of(d)],
                     fio_group_rate(report, result.group, index_of(d)));
    if (settings.unified || settings.unified_both)
      append_terse(out, result, result.mixed(), fio_group_rate(report, result.group));
    out += ";0.000000%;0.000000%;0;0;0";  // CPU time, context switches, page faults
    const FioShares& shares = result.shares;
    for (const uint64_t n : shares.depth)
      fmt::format_to(std::back_inserter(out), ";{:.1f}%", fio_percent(n, shares.requests));
    uint64_t below = 0;  // there is no field for less than 1 us: it counts with the first
    for (const uint64_t n : shares.ns) below += n;
    for (size_t i = 0; i < shares.us.size(); ++i)
      fmt::format_to(std::back_inserter(out), ";{:.2f}%",
                     fio_percent(shares.us[i] + (i == 0 ? below : 0), shares.requests));
    for (const uint64_t n : shares.ms)
      fmt::format_to(std::back_inserter(out), ";{:.2f}%", fio_percent(n, shares.requests));
    if (result.job->report.counts_errors)
      fmt::format_to(std::back_inserter(out), ";{};{}", result.errors,
                     static_cast<int>(result.errors > 0 ? JobError::kIo : JobError::kNone));
    out += '\n';
  }
  return out;
}

}  // namespace ftlsim
