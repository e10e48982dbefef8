#include "tools/fio/fio_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace ftlsim {

void FioDirectionResult::merge(const FioDirectionResult& other) {
  bytes += other.bytes;
  requests += other.requests;
  slat.merge(other.slat);
  clat.merge(other.clat);
  lat.merge(other.lat);
  bw.merge(other.bw);
  iops.merge(other.iops);
}

void FioShares::add(uint32_t queue_depth, uint64_t latency_ns) {
  ++requests;
  ++depth[std::min<size_t>(static_cast<size_t>(std::bit_width(queue_depth | 1u)) - 1, 6)];
  const auto bucket = [](uint64_t value) {
    const auto* edge = std::upper_bound(kEdges.begin(), kEdges.end(), value);
    return static_cast<size_t>(edge - kEdges.begin());
  };
  if (latency_ns < 1000) {
    ++ns[bucket(latency_ns)];
  } else if (latency_ns < 1'000'000) {
    ++us[bucket(latency_ns / 1000)];
  } else {
    const uint64_t value = latency_ns / 1'000'000;
    ++ms[value < 1000 ? bucket(value) : value < 2000 ? 10 : 11];
  }
}

void FioShares::merge(const FioShares& other) {
  const auto sum = [](auto& mine, const auto& theirs) {
    for (size_t i = 0; i < mine.size(); ++i) mine[i] += theirs[i];
  };
  sum(depth, other.depth);
  sum(ns, other.ns);
  sum(us, other.us);
  sum(ms, other.ms);
  requests += other.requests;
}

void FioResult::merge(const FioResult& other) {
  begin = min(begin, other.begin);
  end = max(end, other.end);
  threads += other.threads;
  runtime += other.runtime;
  for (size_t i = 0; i < kDirections; ++i) directions[i].merge(other.directions[i]);
  sync.merge(other.sync);
  shares.merge(other.shares);
  if (!steady) steady = other.steady;
  if (error.error == JobError::kNone) error = other.error;
  errors += other.errors;
}

FioDirectionResult FioResult::mixed() const {
  FioDirectionResult all;
  for (const FioDirectionResult& d : directions) all.merge(d);
  return all;
}

// A job that goes on after errors reports the first of them, which here is always the same.
JobError FioResult::error_number() const {
  if (error.error != JobError::kNone) return error.error;
  return job->report.counts_errors && errors > 0 ? JobError::kIo : JobError::kNone;
}

std::string_view FioResult::error_cause() const {
  return error.error != JobError::kNone ? error.cause : "io_u error";
}

std::string_view fio_error_text(JobError error) {
  switch (error) {
    case JobError::kNone:
      return "Success";
    case JobError::kIo:
      return "Input/output error";
    case JobError::kTimedOut:
      break;
  }
  return "Connection timed out";
}

uint64_t FioSteady::mean(const std::vector<uint64_t>& window) {
  uint64_t sum = 0;
  for (const uint64_t value : window) sum += value;
  return window.empty() ? 0 : sum / window.size();
}

std::string fio_steady_name(const SteadySpec& spec) {
  return fmt::format("{}{}:{:f}{}", fio_name(spec.measure), spec.slope ? "_slope" : "", spec.limit,
                     spec.percent ? "%" : "");
}

std::string_view fio_name(SteadyMeasure measure) {
  return measure == SteadyMeasure::kIops      ? "iops"
         : measure == SteadyMeasure::kLatency ? "lat"
                                              : "bw";
}

std::string_view fio_name(RwKind rw) {
  constexpr std::string_view kNames[] = {"read",      "write",        "trim",      "rw",
                                         "trimwrite", "randread",     "randwrite", "randtrim",
                                         "randrw",    "randtrimwrite"};
  return kNames[static_cast<size_t>(rw)];
}

std::vector<double> fio_percentiles(const JobReport& report) {
  if (!report.percentiles.empty()) return report.percentiles;
  return {1, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
}

}  // namespace ftlsim
