// From definitions to phases: names resolved, loops written out, rates spread.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "workloads/access_source.h"
#include "workloads/block_layer.h"
#include "workloads/job_check.h"
#include "workloads/vdbench/vdbench.h"

namespace ftlsim {
namespace {

constexpr size_t kMostRuns = 20'000;
constexpr double kMostBytes = 1e15;

uint64_t whole(double value) { return static_cast<uint64_t>(std::clamp(value, 0.0, kMostBytes)); }
uint32_t ppm_of(double percent) { return static_cast<uint32_t>(percent * 10'000 + 0.5); }

// "4k" rather than 4096.
std::string size_text(double bytes) {
  constexpr std::array<const char*, 4> kUnits{"", "k", "m", "g"};
  size_t unit = 0;
  while (unit + 1 < kUnits.size() && bytes >= 1024 && whole(bytes) % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{}{}", whole(bytes), kUnits[unit]);
}

// The values that the `for` loops give one run.
struct Overrides {
  std::optional<double> xfersize;
  std::optional<double> threads;
  std::optional<double> rdpct;
  std::optional<double> seekpct;
  std::string label;  // " threads=8 xfersize=4k"
  std::string without_threads;
  Origin threads_origin;
  Origin xfersize_origin;
};

class VdbPlaces final : public JobPlaces {
 public:
  VdbPlaces(const VdbSd& sd, const VdbRd& rd, Origin size, Origin threads)
      : sd_(sd), rd_(rd), size_(std::move(size)), threads_(std::move(threads)) {}

  std::string_view word(JobKey key) const override {
    constexpr std::array<std::string_view, 9> kWords{"xfersize", "offset",  "size",
                                                     "maxdata",  "threads", "threads",
                                                     "elapsed",  "elapsed", "rdpct"};
    return kWords[static_cast<size_t>(key)];
  }
  Origin where(JobKey key) const override {
    switch (key) {
      case JobKey::kBlockSize:
        return size_;
      case JobKey::kOffset:
      case JobKey::kSize:
        return sd_.size_origin.file.empty() ? sd_.origin : sd_.size_origin;
      case JobKey::kIodepth:
      case JobKey::kNumjobs:
        return threads_;
      default:
        return rd_.elapsed_origin.file.empty() ? rd_.origin : rd_.elapsed_origin;
    }
  }

 private:
  const VdbSd& sd_;
  const VdbRd& rd_;
  Origin size_;
  Origin threads_;
};

// A workload of a run with its part of the rate.
struct UsedWd {
  const VdbWd* wd = nullptr;
  double skew = 0;  // percent
  std::vector<const VdbSd*> sds;
};

class VdbBuilder {
 public:
  VdbBuilder(const VdbDefinitions& definitions, std::string workload, const DriveLimits& drive,
             Diagnostics& diagnostics)
      : definitions_(definitions),
        workload_(std::move(workload)),
        drive_(drive),
        diagnostics_(diagnostics) {}

  std::vector<PhaseSpec> run() {
    check_luns();
    for (const VdbRd& rd : definitions_.rds) {
      if (!check_run(rd)) continue;
      const std::optional<std::vector<UsedWd>> wds = used_wds(rd);
      if (!wds) continue;
      Overrides none;
      add_runs(rd, *wds, 0, none);
      if (phases_.size() > kMostRuns) {
        diagnostics_.error(rd.origin, fmt::format("more than {} runs", kMostRuns));
        break;
      }
    }
    return std::move(phases_);
  }

 private:
  // All storage lies on the one drive.
  void check_luns() {
    const VdbSd* first = nullptr;
    for (const VdbSd& sd : definitions_.sds) {
      if (sd.lun.empty()) continue;
      if (first == nullptr) first = &sd;
      if (sd.lun != first->lun)
        diagnostics_.error(sd.lun_origin,
                           fmt::format("lun: {} besides {}: several drives are not modelled; use "
                                       "parts of one (range, size, offset)",
                                       quote(sd.lun), quote(first->lun)));
      if (!sd.sync.direct && !std::exchange(direct_noted_, true))
        diagnostics_.note(sd.lun_origin,
                          "without openflags=o_direct vdbench goes through the page cache of the "
                          "host, which is not modelled: it works on the drive directly");
    }
  }

  bool check_run(const VdbRd& rd) {
    const size_t errors = diagnostics_.error_count();
    const Origin where = rd.elapsed_origin.file.empty() ? rd.origin : rd.elapsed_origin;
    if (!rd.curve && rd.rates.empty())
      diagnostics_.error(rd.origin, fmt::format("rd={} has no iorate", rd.name));
    if (rd.wds.empty()) diagnostics_.error(rd.origin, fmt::format("rd={} has no wd", rd.name));
    if (rd.interval < 0.001) diagnostics_.error(where, "interval: must be above 0");
    if (rd.elapsed < 2 * rd.interval)
      diagnostics_.error(where, "elapsed: must be at least twice the interval");
    return diagnostics_.error_count() == errors;
  }

  // The workloads of a run, in the order of their definitions, with skews that sum to 100.
  std::optional<std::vector<UsedWd>> used_wds(const VdbRd& rd) {
    std::vector<UsedWd> used;
    if (!check_names(rd.wds, definitions_.wds, "wd", rd.origin)) return std::nullopt;
    double sum = 0;
    size_t open = 0;
    for (const VdbWd& wd : definitions_.wds) {
      if (!matches_any(rd.wds, wd.name)) continue;
      UsedWd& u = used.emplace_back();
      u.wd = &wd;
      u.skew = wd.skew;
      sum += wd.skew;
      if (wd.skew == 0) ++open;
      const std::vector<std::string>& names = rd.sds.empty() ? wd.sds : rd.sds;
      if (names.empty()) {
        diagnostics_.error(wd.origin, fmt::format("wd={} has no sd", wd.name));
        return std::nullopt;
      }
      if (!check_names(names, definitions_.sds, "sd", wd.origin)) return std::nullopt;
      for (const VdbSd& sd : definitions_.sds)
        if (matches_any(names, sd.name)) u.sds.push_back(&sd);
    }
    constexpr double kSlack = 0.0001;  // vdbench's
    for (UsedWd& u : used)
      if (u.skew == 0) u.skew = (100 - sum) / static_cast<double>(open);
    const bool complete = open > 0 ? sum < 100 : sum > 100 - kSlack && sum < 100 + kSlack;
    if (!complete) {
      diagnostics_.error(rd.origin, fmt::format("the skews of the workloads of rd={} do not sum to "
                                                "100",
                                                rd.name));
      return std::nullopt;
    }
    return used;
  }

  static bool matches_any(const std::vector<std::string>& patterns, const std::string& name) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](const std::string& pattern) { return matches_vdb_name(pattern, name); });
  }

  template <class T>
  bool check_names(const std::vector<std::string>& patterns, const std::vector<T>& all,
                   std::string_view key, const Origin& where) {
    for (const std::string& pattern : patterns) {
      if (std::any_of(all.begin(), all.end(),
                      [&](const T& t) { return matches_vdb_name(pattern, t.name); }))
        continue;
      diagnostics_.error(where, fmt::format("{}={} is not defined", key, pattern));
      return false;
    }
    return true;
  }

  // One level of the loops; the rates are the innermost.
  void add_runs(const VdbRd& rd, const std::vector<UsedWd>& wds, size_t depth,
                const Overrides& overrides) {
    if (depth == rd.loops.size()) return add_rates(rd, wds, overrides);
    const VdbLoop& loop = rd.loops[depth];
    for (const double value : loop.values) {
      if (phases_.size() > kMostRuns) return;
      Overrides next = overrides;
      const bool size = loop.key == VdbLoopKey::kXfersize;
      const std::string text = fmt::format(" {}={}", name_of(loop.key),
                                           size ? size_text(value) : fmt::format("{}", value));
      next.label += text;
      if (loop.key != VdbLoopKey::kThreads) next.without_threads += text;
      if (loop.key == VdbLoopKey::kThreads) next.threads_origin = loop.origin;
      if (size) next.xfersize_origin = loop.origin;
      target_of(loop.key, next) = value;
      add_runs(rd, wds, depth + 1, next);
    }
  }

  static std::optional<double>& target_of(VdbLoopKey key, Overrides& overrides) {
    switch (key) {
      case VdbLoopKey::kXfersize:
        return overrides.xfersize;
      case VdbLoopKey::kThreads:
        return overrides.threads;
      case VdbLoopKey::kRdpct:
        return overrides.rdpct;
      case VdbLoopKey::kSeekpct:
        break;
    }
    return overrides.seekpct;
  }

  void add_rates(const VdbRd& rd, const std::vector<UsedWd>& wds, const Overrides& overrides) {
    const bool ramp = rd.curve || rd.rates.size() > 1;
    LoadPoint point;
    point.table = rd.name + (ramp ? overrides.label : overrides.without_threads);
    if (rd.curve) {
      point.load = "max";
      add_phase(rd, wds, overrides, point);
      const size_t max = phases_.size();
      for (const double percent : rd.curve_points) {
        point.load = fmt::format("{} %", percent);
        point.percent = percent;
        add_phase(rd, wds, overrides, point, max);
      }
      return;
    }
    for (const VdbRate& rate : rd.rates) {
      point.rate_milli = 0;
      point.percent = 0;
      size_t base = 0;
      point.load = rate.max ? "max" : fmt::format("{}/s", rate.number.value);
      if (!rate.max && rate.number.percent) {
        point.load = fmt::format("{} %", rate.number.value);
        point.percent = rate.number.value;
        base = last_run_;
        if (base == 0) {
          diagnostics_.error(rd.rates_origin, "iorate: a percentage needs a run before it");
          return;
        }
      } else if (!rate.max) {
        point.rate_milli = static_cast<uint64_t>(rate.number.value * 1000 + 0.5);
      }
      add_phase(rd, wds, overrides, point, base);
    }
  }

  // `base`: the number, from 1, of the phase that a percentage refers to; 0: none.
  void add_phase(const VdbRd& rd, const std::vector<UsedWd>& wds, const Overrides& overrides,
                 LoadPoint point, size_t base = 0) {
    PhaseSpec phase;
    phase.name = fmt::format("{}{} {}", rd.name, overrides.label, point.load);
    const bool rated = point.rate_milli != 0 || base != 0;
    phase.jobs = jobs_of(rd, wds, overrides, phase.name, rated);
    if (phase.jobs.empty()) return;
    phase.kind = kind_of(phase.jobs);
    phase.warmup = time_of(rd.warmup > 0 ? rd.warmup : rd.interval);
    for (const JobSpec& job : phase.jobs) point.outstanding += job.numjobs;
    if (base != 0) point.of_back = static_cast<uint32_t>(phases_.size() + 1 - base);
    if (pause_ > Duration{} && !phases_.empty()) {
      PhaseSpec rest;
      rest.name = rest.kind = "idle";
      rest.action = PhaseAction::kIdle;
      rest.idle = pause_;
      phases_.push_back(std::move(rest));
      if (base != 0) ++point.of_back;
    }
    phase.load = std::move(point);
    pause_ = time_of(rd.pause);
    phases_.push_back(std::move(phase));
    last_run_ = phases_.size();
  }

  static Duration time_of(double seconds) {
    return Duration::ns(static_cast<int64_t>(seconds * 1e9 + 0.5));
  }

  // One job per storage: its threads are shared by the workloads that use it.
  std::vector<JobSpec> jobs_of(const VdbRd& rd, const std::vector<UsedWd>& wds,
                               const Overrides& overrides, const std::string& phase, bool rated) {
    std::vector<JobSpec> jobs;
    const size_t errors = diagnostics_.error_count();
    uint64_t parts = 0;
    for (const VdbSd& sd : definitions_.sds) {
      JobSpec job;
      const VdbWd* last = nullptr;
      double share = 0;
      size_t synced = 0;
      for (const UsedWd& used : wds) {
        if (std::find(used.sds.begin(), used.sds.end(), &sd) == used.sds.end()) continue;
        const double part = used.skew / static_cast<double>(used.sds.size());
        if (used.wd->sync.fua) ++synced;
        add_line(sd, *used.wd, overrides, part, job);
        share += part;
        last = used.wd;
      }
      if (last == nullptr) continue;
      if (synced != 0 && synced != job.access.lines.size())
        diagnostics_.error(last->origin,
                           "openflags: some workloads of a storage with o_sync and "
                           "some without are not modelled");
      if (diagnostics_.error_count() != errors) return {};
      job.name = sd.name;
      job.stream = fmt::format("{}/{}/{}", workload_, phase, sd.name);
      job.sync.fua = sd.sync.fua || rd.sync.fua || synced != 0;
      set_load(rd, sd, overrides, share, rated, job);
      describe_access(job);
      const Origin size = overrides.xfersize                   ? overrides.xfersize_origin
                          : last->xfersize_origin.file.empty() ? last->origin
                                                               : last->xfersize_origin;
      const Origin threads = overrides.threads                ? overrides.threads_origin
                             : sd.threads_origin.file.empty() ? sd.origin
                                                              : sd.threads_origin;
      check_job(job, drive_, VdbPlaces(sd, rd, size, threads), diagnostics_);
      parts += parts_in_flight(job, drive_.mdts);
      jobs.push_back(std::move(job));
    }
    if (parts > kMaxParts)
      diagnostics_.error(rd.origin,
                         fmt::format("{} commands in flight; the limit is {}", parts, kMaxParts));
    if (diagnostics_.error_count() != errors) return {};
    if (!rated) keep_shares(wds, jobs);
    if (rd.maxdata > 0) set_maxdata(rd, jobs);
    return jobs;
  }

  void set_load(const VdbRd& rd, const VdbSd& sd, const Overrides& overrides, double share,
                bool rated, JobSpec& job) {
    const double threads = overrides.threads.value_or(sd.threads);
    job.numjobs = static_cast<uint32_t>(std::clamp(threads, 0.0, 1e6));
    if (overrides.threads) job.numjobs = std::max(job.numjobs, 1u);
    job.runtime = time_of(rd.elapsed + rd.warmup);
    job.time_based = true;
    job.access.arrivals = rd.arrivals;
    if (!rated) return;
    job.access.rate_share = std::max(ppm_of(share), 1u);
    job.pace.open_loop = job.pace.from_issue = true;
  }

  // At full speed storage with skews of its own keeps to them; without skews each goes as fast as
  // it can.
  static void keep_shares(const std::vector<UsedWd>& wds, std::vector<JobSpec>& jobs) {
    const bool skewed =
        std::any_of(wds.begin(), wds.end(), [](const UsedWd& u) { return u.wd->skew > 0; });
    if (!skewed || jobs.size() < 2) return;
    for (JobSpec& job : jobs) {
      uint64_t share = 0;
      for (const AccessLine& line : job.access.lines) share += line.share;
      job.flow.weight = static_cast<uint32_t>(std::max<uint64_t>(share / job.numjobs, 1));
    }
  }

  // Below 100 it counts in sizes of the storage, as in vdbench.
  void set_maxdata(const VdbRd& rd, std::vector<JobSpec>& jobs) {
    if (jobs.size() != 1)
      return diagnostics_.error(rd.origin, "maxdata: not modelled for several storages");
    const double bytes =
        rd.maxdata < 100 ? rd.maxdata * static_cast<double>(jobs[0].size.count()) : rd.maxdata;
    jobs[0].io_size = Bytes(std::max<uint64_t>(whole(bytes), 1));
  }

  void add_line(const VdbSd& sd, const VdbWd& wd, const Overrides& overrides, double percent,
                JobSpec& job) {
    AccessLine line;
    line.share = std::max(ppm_of(percent), 1u);
    line.stream = static_cast<uint32_t>(job.access.lines.size());
    line.reads = ppm_of(overrides.rdpct.value_or(wd.rdpct));
    line.random = ppm_of(overrides.seekpct.value_or(wd.seekpct));
    line.ends = wd.ends && !overrides.seekpct;
    line.align = Bytes(whole(sd.align));
    std::vector<double> sizes = wd.xfersize;
    if (overrides.xfersize) sizes = {*overrides.xfersize};
    const Origin where = overrides.xfersize                ? overrides.xfersize_origin
                         : wd.xfersize_origin.file.empty() ? wd.origin
                                                           : wd.xfersize_origin;
    if (!set_sizes(sizes, where, line) || !set_region(sd, wd, line)) return;
    job.access.lines.push_back(std::move(line));
  }

  bool set_sizes(const std::vector<double>& sizes, const Origin& where, AccessLine& line) {
    if (sizes.size() == 3) {
      line.sizes = {{Bytes(whole(sizes[0]))}};
      line.size_max = Bytes(whole(sizes[1]));
      line.size_step = Bytes(whole(sizes[2]));
    } else if (sizes.size() < 2) {
      line.sizes = {{Bytes(sizes.empty() ? 0 : whole(sizes[0]))}};
    } else {
      double sum = 0;
      for (size_t i = 0; i + 1 < sizes.size(); i += 2) {
        line.sizes.push_back({Bytes(whole(sizes[i])), ppm_of(std::min(sizes[i + 1], 100.0))});
        sum += sizes[i + 1];
      }
      if (sum < 99.5 || sum >= 100.5) {
        diagnostics_.error(where, "xfersize: the percentages do not sum to 100");
        return false;
      }
    }
    std::vector<Bytes> all;
    for (const AccessSize& size : line.sizes) all.push_back(size.size);
    if (line.size_max != Bytes(0)) all.insert(all.end(), {line.size_max, line.size_step});
    for (const Bytes size : all) {
      if (size != Bytes(0) && size.count() % drive_.lba_size.count() == 0) continue;
      diagnostics_.error(where, fmt::format("xfersize: {} B is not a multiple of the drive's {} B "
                                            "logical block",
                                            size.count(), drive_.lba_size.count()));
      return false;
    }
    return true;
  }

  // Whole multiples of the largest request, as in vdbench.
  bool set_region(const VdbSd& sd, const VdbWd& wd, AccessLine& line) {
    uint64_t largest = line.size_max.count();
    for (const AccessSize& size : line.sizes) largest = std::max(largest, size.size.count());
    const uint64_t lba = drive_.lba_size.count();
    const uint64_t offset = whole(sd.offset);
    const auto error = [&](const Origin& where, const std::string& text) {
      diagnostics_.error(where, text);
      return false;
    };
    if (offset % lba != 0 || line.align.count() % lba != 0)
      return error(sd.origin,
                   fmt::format("sd={}: offset and align must be multiples of the drive's "
                               "{} B logical block",
                               sd.name, lba));
    if (offset >= drive_.capacity.count())
      return error(sd.origin, fmt::format("sd={} begins past the end of the drive", sd.name));
    const uint64_t room = drive_.capacity.count() - offset;
    const uint64_t size = sd.size > 0 ? whole(sd.size) : room;
    if (size > room)
      return error(sd.size_origin, fmt::format("size: {} B at {} B are past the end of the drive, "
                                               "which has {} B",
                                               size, offset, drive_.capacity.count()));
    const std::optional<VdbRange>& range = wd.range ? wd.range : sd.range;
    double low = 0;
    auto high = static_cast<double>(size);
    if (range) {
      constexpr double kMostPercent = 200;
      const bool percent = range->high <= kMostPercent;
      if (percent && range->high > 100)
        return error(range->origin, "range: beyond 100 % is not modelled");
      low = percent ? static_cast<double>(size) * range->low / 100 : range->low;
      high = percent ? static_cast<double>(size) * range->high / 100 : range->high;
      if (high > static_cast<double>(size))
        return error(range->origin, fmt::format("range: ends past the {} B of the storage", size));
    }
    const uint64_t begin = whole(low) / largest * largest;
    const uint64_t end = whole(high) / largest * largest;
    if (end < begin + 2 * largest)
      return error(
          range ? range->origin : sd.origin,
          fmt::format("sd={}: the region has no room for two requests of {} B", sd.name, largest));
    line.offset = Bytes(offset + begin);
    line.length = Bytes(end - begin);
    return true;
  }

  const VdbDefinitions& definitions_;
  std::string workload_;
  const DriveLimits& drive_;
  Diagnostics& diagnostics_;
  std::vector<PhaseSpec> phases_;
  size_t last_run_ = 0;  // number of its phase, from 1
  Duration pause_;       // after the last run
  bool direct_noted_ = false;
};

}  // namespace

std::vector<PhaseSpec> build_vdbench(const VdbDefinitions& definitions, const std::string& name,
                                     const DriveLimits& drive, Diagnostics& diagnostics) {
  return VdbBuilder(definitions, name, drive, diagnostics).run();
}

}  // namespace ftlsim
