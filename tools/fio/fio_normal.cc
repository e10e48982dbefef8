// fio's normal output: text for people.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "tools/fio/fio_output.h"

namespace ftlsim {
namespace {

using Out = std::back_insert_iterator<std::string>;

// "11.7MiB", "299kB": at most four digits.
std::string amount(double value, double base, std::array<const char*, 6> units) {
  size_t unit = 0;
  while (value >= (base > 1000 ? 10'000 : 9'999) && unit + 1 < units.size()) {
    value /= base;
    ++unit;
  }
  const bool small = unit > 0 && value < 99.95;
  return fmt::format("{:.{}f}{}", value, small ? 1 : 0, units[unit]);
}
std::string binary(double bytes) {
  return amount(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB"});
}
std::string decimal(double bytes) {
  return amount(bytes, 1000, {"B", "kB", "MB", "GB", "TB", "PB"});
}
std::string count(double value) { return amount(value, 1000, {"", "k", "M", "G", "T", "P"}); }

struct Unit {
  const char* name;
  double ns;
};

Unit unit_of(const FioMoments& m) {
  if (m.min() > 2'000'000 && m.max() > 99'999'000) return {"msec", 1e6};
  if (m.min() > 2'000 && m.max() > 99'999) return {"usec", 1e3};
  return {"nsec", 1};
}

void append_latency(Out out, const char* name, const FioMoments& m) {
  if (m.count() == 0) return;
  const Unit unit = unit_of(m);
  fmt::format_to(out, "    {} ({}): min={}, max={}, avg={:5.2f}, stdev={:5.2f}\n", name, unit.name,
                 count(static_cast<double>(m.min()) / unit.ns),
                 count(static_cast<double>(m.max()) / unit.ns), m.mean() / unit.ns,
                 m.deviation() / unit.ns);
}

void append_percentiles(Out out, const char* name, const FioLatency& latency,
                        const JobReport& report) {
  if (latency.bins.count() == 0) return;
  const Unit unit = unit_of(latency.moments);
  const std::vector<double> list = fio_percentiles(report);
  fmt::format_to(out, "    {} percentiles ({}):\n", name, unit.name);
  for (size_t i = 0; i < list.size(); ++i) {
    const auto value =
        static_cast<uint64_t>(static_cast<double>(latency.bins.percentile(list[i])) / unit.ns);
    const bool last = i + 1 == list.size();
    fmt::format_to(out, "{} {:5.2f}th=[{:5}]{}", i % 4 == 0 ? "     |" : "", list[i], value,
                   last || i % 4 == 3 ? (last ? "\n" : ",\n") : ",");
  }
}

// `group` is the rate of the whole group in the same direction, in bytes per second.
void append_block(Out out, std::string_view name, const FioResult& result,
                  const FioDirectionResult& d, double group) {
  if (d.requests == 0) return;
  const double rate = fio_rate(d.bytes, result.span());
  fmt::format_to(out, "  {}: IOPS={}, BW={}/s ({}/s)({}/{}msec){}\n", name,
                 count(fio_rate(d.requests, result.span())), binary(rate), decimal(rate),
                 binary(static_cast<double>(d.bytes)), fio_milliseconds(result.span()),
                 name == name_of(Direction::kWrite) ? "; 0 zone resets" : "");
  append_latency(out, "slat", d.slat.moments);
  append_latency(out, "clat", d.clat.moments);
  append_latency(out, " lat", d.lat.moments);
  append_percentiles(out, "clat", d.clat, result.job->report);
  append_percentiles(out, " lat", d.lat, result.job->report);
  if (d.bw.count() == 0) return;
  const double mean = d.bw.mean() * result.threads;
  fmt::format_to(out,
                 "   bw (  KiB/s): min={:5}, max={:5}, per={:3.2f}%, avg={:5.2f}, stdev={:5.2f}, "
                 "samples={}\n",
                 d.bw.min(), d.bw.max(), group > 0 ? std::min(100.0, 102400 * mean / group) : 0.0,
                 mean, d.bw.deviation(), d.bw.count());
  fmt::format_to(out,
                 "   iops        : min={:5}, max={:5}, avg={:5.2f}, stdev={:5.2f}, samples={}\n",
                 d.iops.min(), d.iops.max(), d.iops.mean() * result.threads, d.iops.deviation(),
                 d.iops.count());
}

template <class Counts>
void append_buckets(Out out, const char* unit, const Counts& counts, uint64_t whole) {
  std::string line;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] == 0) continue;
    const std::string edge = i < FioShares::kEdges.size() ? std::to_string(FioShares::kEdges[i])
                             : i == 10                    ? "2000"
                                                          : ">=2000";
    fmt::format_to(std::back_inserter(line), "{}{}={:3.2f}%", line.empty() ? "" : ", ", edge,
                   fio_percent(counts[i], whole));
  }
  if (!line.empty()) fmt::format_to(out, "  lat ({})   : {}\n", unit, line);
}

// The decimal rate of fio 3.33 is the one in KiB/s with a decimal unit, as here.
void append_steady(Out out, const FioResult& result) {
  if (!result.steady) return;
  const SteadySpec& spec = result.job->steady;
  const auto rate = static_cast<double>(FioSteady::mean(result.steady->bw));
  fmt::format_to(out, "  steadystate  : attained={}, bw={}/s ({}/s), iops={}, {}{}={:.3f}{}\n",
                 result.steady->attained ? "yes" : "no", binary(rate), decimal(rate / 1024 * 1000),
                 FioSteady::mean(result.steady->iops), fio_name(spec.measure),
                 spec.slope ? " slope" : " mean dev", result.steady->criterion,
                 spec.percent ? "%" : "");
}

void append_directions(Out out, const FioReport& report, const FioResult& result) {
  const JobReport& settings = result.job->report;
  if (!settings.unified)
    for (const Direction d : kAllDirections)
      append_block(out, name_of(d), result, result.directions[index_of(d)],
                   fio_group_rate(report, result.group, index_of(d)));
  if (settings.unified || settings.unified_both)
    append_block(out, "mixed", result, result.mixed(), fio_group_rate(report, result.group));
}

void append_result(Out out, const FioReport& report, const FioResult& result) {
  const JobError error = result.error_number();
  const std::string what =
      error == JobError::kNone
          ? ""
          : fmt::format(" (func={}, error={})", result.error_cause(), fio_error_text(error));
  fmt::format_to(out, "{}: (groupid={}, jobs={}): err={:2}{}: pid=0: {}\n", result.job->name,
                 result.group, result.threads, static_cast<int>(error), what,
                 fio_date((report.end - Time()) / Duration::s(1)));
  append_directions(out, report, result);
  const FioShares& s = result.shares;
  append_buckets(out, "nsec", s.ns, s.requests);
  append_buckets(out, "usec", s.us, s.requests);
  append_buckets(out, "msec", s.ms, s.requests);
  if (result.sync.moments.count() != 0) {
    fmt::format_to(out, "  fsync/fdatasync/sync_file_range:\n");
    append_latency(out, "sync", result.sync.moments);
    append_percentiles(out, "sync", result.sync, result.job->report);
  }
  constexpr const char* kDepths[] = {"1", "2", "4", "8", "16", "32", ">=64"};
  fmt::format_to(out, "  IO depths    : ");
  for (size_t i = 0; i < s.depth.size(); ++i)
    fmt::format_to(out, "{}{}={:.1f}%", i == 0 ? "" : ", ", kDepths[i],
                   fio_percent(s.depth[i], s.requests));
  // fio counts what it reports as one as reads.
  PerDirection<uint64_t> counts{};
  for (const Direction d : kAllDirections)
    counts[result.job->report.unified ? 0 : index_of(d)] += result.directions[index_of(d)].requests;
  fmt::format_to(out, "\n     issued rwts: total={},{},{},{} short=0,0,0,0 dropped=0,0,0,0\n",
                 counts[0], counts[1], counts[2], result.sync.moments.count());
  if (result.job->report.counts_errors) {
    const JobError first = result.errors > 0 ? JobError::kIo : JobError::kNone;
    fmt::format_to(out, "     errors    : total={}, first_error={}/<{}>\n", result.errors,
                   static_cast<int>(first), fio_error_text(first));
  }
  append_steady(out, result);
}

// One line of a group: what its results reached in a direction, each and together.
class GroupLine {
 public:
  void add(const FioResult& result, uint64_t bytes) {
    if (bytes == 0) return;
    const double rate = fio_rate(bytes, result.span());
    const int64_t run = fio_milliseconds(result.span());
    low_ = bytes_ == 0 ? rate : std::min(low_, rate);
    high_ = std::max(high_, rate);
    shortest_ = bytes_ == 0 ? run : std::min(shortest_, run);
    longest_ = std::max(longest_, run);
    sum_ += rate;
    bytes_ += bytes;
  }

  void append(Out out, std::string_view name) const {
    if (bytes_ == 0) return;
    const auto total = static_cast<double>(bytes_);
    fmt::format_to(out, "{:>7}: bw={}/s ({}/s), {}/s-{}/s ({}/s-{}/s), io={} ({}), run={}-{}msec\n",
                   name, binary(sum_), decimal(sum_), binary(low_), binary(high_), decimal(low_),
                   decimal(high_), binary(total), decimal(total), shortest_, longest_);
  }

 private:
  double low_ = 0;
  double high_ = 0;
  double sum_ = 0;
  uint64_t bytes_ = 0;
  int64_t shortest_ = 0;
  int64_t longest_ = 0;
};

void append_group(Out out, const FioReport& report, uint32_t group) {
  fmt::format_to(out, "\nRun status group {} (all jobs):\n", group);
  PerDirection<GroupLine> lines;
  GroupLine mixed;
  for (const FioResult& result : report.results) {
    if (result.group != group) continue;
    const JobReport& settings = result.job->report;
    if (settings.unified) mixed.add(result, result.mixed().bytes);
    for (size_t i = 0; i < kDirections && !settings.unified; ++i) {
      lines[i].add(result, result.directions[i].bytes);
      if (settings.unified_both) mixed.add(result, result.directions[i].bytes);
    }
  }
  constexpr const char* kNames[] = {"READ", "WRITE", "TRIM"};
  for (size_t i = 0; i < kDirections; ++i) lines[i].append(out, kNames[i]);
  mixed.append(out, "MIXED");
}

}  // namespace

std::string render_fio_normal(const FioReport& report) {
  std::string text;
  const Out out = std::back_inserter(text);
  for (const FioResult& result : report.results) append_result(out, report, result);
  for (size_t i = 0; i < report.results.size(); ++i)
    if (i == 0 || report.results[i].group != report.results[i - 1].group)
      append_group(out, report, report.results[i].group);
  return text;
}

}  // namespace ftlsim
