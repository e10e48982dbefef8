#include "tools/run/speed_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tools/run/numbers.h"

namespace ftlsim {
namespace {

uint64_t kilobytes_per_s(uint64_t bytes, int64_t ns) {
  return quotient(static_cast<unsigned __int128>(bytes) * 1'000'000,
                  static_cast<unsigned __int128>(ns), 0);
}

void check_rows(const std::ofstream& file) {
  if (!file) throw std::runtime_error("cannot write speed_map.csv");
}

}  // namespace

SpeedMap::SpeedMap(Bytes capacity, const std::filesystem::path& file)
    : file_(file, std::ios::binary),
      regions_((capacity.count() + kRegion.count() - 1) / kRegion.count()) {
  file_ << "phase,region,begin_GB,read_MB,time_ms,MBps\n";
  check_rows(file_);
}

bool SpeedMap::maps(const PhaseSpec& phase) {
  uint64_t depth = 0;
  bool in_order = true;
  for (const JobSpec& job : phase.jobs) {
    if (uses(job.rw, Direction::kWrite) || uses(job.rw, Direction::kTrim)) return false;
    in_order = in_order && !is_random(job.rw);
    depth += uint64_t{job.iodepth} * job.numjobs;
  }
  return !phase.jobs.empty() && (in_order || depth == 1);
}

bool SpeedMap::begin(const PhaseResult& phase) {
  mapping_ = maps(*phase.spec);
  if (!mapping_) return false;
  std::fill(regions_.begin(), regions_.end(), Region{});
  phase_ = phase.index;
  last_ = phase.begin;
  return true;
}

std::optional<SpeedSummary> SpeedMap::end() {
  if (!mapping_) return std::nullopt;
  mapping_ = false;
  std::vector<uint64_t> rates;
  for (const Region& r : regions_)
    if (r.bytes != 0) rates.push_back(kilobytes_per_s(r.bytes, r.ns));
  if (rates.empty()) return std::nullopt;
  std::sort(rates.begin(), rates.end());
  const auto at = [&rates](uint32_t percent) { return rates[(rates.size() - 1) * percent / 100]; };
  SpeedSummary summary;
  summary.regions = static_cast<uint32_t>(rates.size());
  summary.slowest = rates.front();
  summary.p10 = at(10);
  summary.median = at(50);
  summary.p90 = at(90);
  summary.fastest = rates.back();
  summary.rows = rows_ + rates.size() <= kMaxRows;
  if (summary.rows) write_rows();
  return summary;
}

void SpeedMap::write_rows() {
  for (size_t i = 0; i < regions_.size(); ++i) {
    const Region& r = regions_[i];
    if (r.bytes == 0) continue;
    ++rows_;
    file_ << fmt::format("{},{},{},{},{},{}\n", phase_, i,
                         fixed(quotient(i * kRegion.count(), 1'000'000, 0), 3),
                         fixed(quotient(r.bytes, 1'000, 0), 3),
                         fixed(quotient(static_cast<uint64_t>(r.ns), 1'000, 0), 3),
                         fixed(kilobytes_per_s(r.bytes, r.ns), 3));
  }
}

void SpeedMap::close() {
  file_.close();
  check_rows(file_);
}

void SpeedMap::on_thread_begin(uint32_t thread, const JobSpec& job, uint32_t clone, Time at) {
  if (next_ != nullptr) next_->on_thread_begin(thread, job, clone, at);
}

void SpeedMap::on_request(const IoEvent& event) {
  if (next_ != nullptr) next_->on_request(event);
  if (event.flush || !mapping_) return;
  // Threads finish with their CPUs' own clocks: a completion may be noted a little late.
  const Time at = max(event.completed, last_);
  Region& region = regions_[event.offset / kRegion.count()];
  region.bytes += event.bytes;
  region.ns += (at - last_).to_ns();
  last_ = at;
}

void SpeedMap::on_thread_end(uint32_t thread, Time at) {
  if (next_ != nullptr) next_->on_thread_end(thread, at);
}

}  // namespace ftlsim
