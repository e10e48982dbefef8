// fio's JSON.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tools/fio/fio_output.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

std::string percent_key(double percent) { return fmt::format("{:.6f}", percent); }

Json percentiles_json(const FioBins& bins, const JobReport& report) {
  Json out = Json::object();
  for (const double percent : fio_percentiles(report))
    out[percent_key(percent)] = bins.percentile(percent);
  return out;
}

Json latency_json(const FioLatency& latency, const JobReport& report, bool percentiles,
                  bool with_bins) {
  const FioMoments& m = latency.moments;
  Json out = {{"min", m.min()},
              {"max", m.max()},
              {"mean", m.mean()},
              {"stddev", m.deviation()},
              {"N", m.count()}};
  if (!percentiles || m.count() == 0) return out;
  out["percentile"] = percentiles_json(latency.bins, report);
  if (!with_bins) return out;
  Json bins = Json::object();
  for (size_t i = 0; i < FioBins::kBins; ++i)
    if (latency.bins[i] != 0) bins[std::to_string(FioBins::value_of(i))] = latency.bins[i];
  out["bins"] = std::move(bins);
  return out;
}

class JobJson {
 public:
  JobJson(const FioReport& report, const FioResult& result, bool with_bins)
      : report_(report), result_(result), settings_(result.job->report), with_bins_(with_bins) {}

  Json render() const {
    Json out = Json::object();
    out["jobname"] = result_.job->name;
    out["groupid"] = result_.group;
    out["error"] = static_cast<int>(result_.error_number());
    out["eta"] = 0;
    out["elapsed"] = (report_.end - Time() + Duration::ns(999'999'999)) / Duration::s(1);
    Json options = Json::object();
    for (const auto& [name, value] : settings_.options) options[name] = value;
    out["job options"] = std::move(options);
    if (!settings_.unified) add_directions(out);
    if (settings_.unified || settings_.unified_both) add_mixed(out);
    out["job_runtime"] = fio_milliseconds(result_.runtime);
    out["usr_cpu"] = 0.0;
    out["sys_cpu"] = 0.0;
    out["ctx"] = 0;
    out["majf"] = 0;
    out["minf"] = 0;
    add_shares(out);
    if (settings_.counts_errors) {
      out["total_err"] = result_.errors;
      out["first_error"] = static_cast<int>(result_.errors > 0 ? JobError::kIo : JobError::kNone);
    }
    add_latency_target(out);
    if (result_.steady) out["steadystate"] = steady_json(*result_.steady);
    return out;
  }

 private:
  void add_mixed(Json& out) const {
    out["mixed"] = direction_json(result_.mixed(), fio_group_rate(report_, result_.group));
  }

  void add_directions(Json& out) const {
    for (const Direction d : kAllDirections) {
      const size_t i = index_of(d);
      out[std::string(name_of(d))] =
          direction_json(result_.directions[i], fio_group_rate(report_, result_.group, i));
    }
    out["sync"] = sync_json();
  }

  Json direction_json(const FioDirectionResult& d, double group_rate) const {
    const Duration span = result_.span();
    const auto rate = static_cast<uint64_t>(fio_rate(d.bytes, span));
    Json out = Json::object();
    out["io_bytes"] = d.bytes;
    out["io_kbytes"] = d.bytes / 1024;
    out["bw_bytes"] = rate;
    out["bw"] = rate / 1024;
    out["iops"] = d.requests == 0 ? 0.0 : fio_rate(d.requests, span);
    out["runtime"] = d.requests == 0 ? 0 : fio_milliseconds(span);
    out["total_ios"] = d.requests;
    out["short_ios"] = 0;
    out["drop_ios"] = 0;
    out["slat_ns"] = latency_json(d.slat, settings_, settings_.slat_percentiles, with_bins_);
    out["clat_ns"] = latency_json(d.clat, settings_, settings_.clat_percentiles, with_bins_);
    out["lat_ns"] = latency_json(d.lat, settings_, settings_.lat_percentiles, with_bins_);
    // Samples of the threads of a group are not of one moment: their mean counts per thread.
    const double mean = d.bw.mean() * result_.threads;
    out["bw_min"] = d.bw.min();
    out["bw_max"] = d.bw.max();
    out["bw_agg"] = group_rate > 0 ? std::min(100.0, 100 * mean * 1024 / group_rate) : 0.0;
    out["bw_mean"] = mean;
    out["bw_dev"] = d.bw.deviation();
    out["bw_samples"] = d.bw.count();
    out["iops_min"] = d.iops.min();
    out["iops_max"] = d.iops.max();
    out["iops_mean"] = d.iops.mean() * result_.threads;
    out["iops_stddev"] = d.iops.deviation();
    out["iops_samples"] = d.iops.count();
    return out;
  }

  Json sync_json() const {
    Json out = Json::object();
    out["total_ios"] = result_.sync.moments.count();
    out["lat_ns"] = latency_json(result_.sync, settings_, true, with_bins_);
    return out;
  }

  void add_shares(Json& out) const {
    const FioShares& shares = result_.shares;
    const auto percent = [&](uint64_t n) { return fio_percent(n, shares.requests); };
    constexpr const char* kDepths[] = {"1", "2", "4", "8", "16", "32", ">=64"};
    Json depth = Json::object();
    for (size_t i = 0; i < shares.depth.size(); ++i) depth[kDepths[i]] = percent(shares.depth[i]);
    out["iodepth_level"] = std::move(depth);
    // Every request is submitted and reaped by a call of its own, which counts as "up to 4".
    constexpr const char* kCalls[] = {"0", "4", "8", "16", "32", "64", ">=64"};
    for (const char* name : {"iodepth_submit", "iodepth_complete"}) {
      Json calls = Json::object();
      for (const char* key : kCalls) calls[key] = 0.0;
      if (shares.requests != 0) calls["4"] = 100.0;
      out[name] = std::move(calls);
    }
    const auto latencies = [&](const auto& counts, bool milliseconds) {
      Json buckets = Json::object();
      for (size_t i = 0; i < FioShares::kEdges.size(); ++i)
        buckets[std::to_string(FioShares::kEdges[i])] = percent(counts[i]);
      if (milliseconds) buckets["2000"] = percent(shares.ms[10]);
      if (milliseconds) buckets[">=2000"] = percent(shares.ms[11]);
      return buckets;
    };
    out["latency_ns"] = latencies(shares.ns, false);
    out["latency_us"] = latencies(shares.us, false);
    out["latency_ms"] = latencies(shares.ms, true);
  }

  Json steady_json(const FioSteady& steady) const {
    const SteadySpec& spec = result_.job->steady;
    Json out = Json::object();
    out["ss"] = fio_steady_name(spec);
    out["duration"] = spec.duration / Duration::s(1);
    out["attained"] = steady.attained ? 1 : 0;
    out["criterion"] = fmt::format("{:f}{}", steady.criterion, spec.percent ? "%" : "");
    out["max_deviation"] = spec.slope ? 0.0 : steady.deviation;
    out["slope"] = spec.slope ? steady.deviation : 0.0;
    Json data = {{"bw_mean", FioSteady::mean(steady.bw)},
                 {"iops_mean", FioSteady::mean(steady.iops)}};
    if (spec.measure == SteadyMeasure::kLatency) {  // as in versions after 3.41
      data["lat_mean"] = FioSteady::mean(steady.lat);
      data["lat_ns"] = steady.lat;
    }
    data["iops"] = steady.iops;
    data["bw"] = steady.bw;
    out["data"] = std::move(data);
    return out;
  }

  void add_latency_target(Json& out) const {
    const LatencyTargetSpec& target = result_.job->latency_target;
    out["latency_depth"] = result_.job->iodepth;
    out["latency_target"] = target.target / Duration::us(1);
    out["latency_percentile"] = target.percentile;
    out["latency_window"] = target.window / Duration::us(1);
  }

  const FioReport& report_;
  const FioResult& result_;
  const JobReport& settings_;
  bool with_bins_;
};

}  // namespace

std::string render_fio_json(const FioReport& report, bool with_bins) {
  const int64_t seconds = (report.end - Time()) / Duration::s(1);
  Json out = Json::object();
  out["fio version"] = kFioVersion;
  out["timestamp"] = seconds;
  out["timestamp_ms"] = (report.end - Time()) / Duration::ms(1);
  out["time"] = fio_date(seconds);
  if (!report.global_options.empty()) {
    Json options = Json::object();
    for (const auto& [name, value] : report.global_options) options[name] = value;
    out["global options"] = std::move(options);
  }
  Json jobs = Json::array();
  for (const FioResult& result : report.results)
    jobs.push_back(JobJson(report, result, with_bins).render());
  out["jobs"] = std::move(jobs);
  return out.dump(2) + "\n";
}

}  // namespace ftlsim
