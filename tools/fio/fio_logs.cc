#include "tools/fio/fio_logs.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace ftlsim {
namespace {

uint64_t rate_per_second(uint64_t count, Duration span) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide{count} * 1'000'000'000 /
                               static_cast<uint64_t>(std::max<int64_t>(span.to_ns(), 1)));
}

// The files that the options of a job ask for: prefix, and what follows it.
std::vector<std::pair<std::string, const char*>> file_names(const JobReport& report) {
  std::vector<std::pair<std::string, const char*>> names;
  if (report.bw_log) names.emplace_back(*report.bw_log, "bw");
  if (report.iops_log) names.emplace_back(*report.iops_log, "iops");
  if (report.lat_log)
    for (const char* kind : {"lat", "slat", "clat"}) names.emplace_back(*report.lat_log, kind);
  if (report.hist_log && report.hist_window > Duration{})
    names.emplace_back(*report.hist_log, "clat_hist");
  return names;
}

uint64_t to_ns(Duration d) { return static_cast<uint64_t>(std::max<int64_t>(d.to_ns(), 0)); }

}  // namespace

void LogFile::flush(bool all) {
  constexpr size_t kMuch = size_t{1} << 16;
  if ((text_.size() < kMuch || shared_) && !all) return;
  const bool append = created_ || shared_;
  std::ofstream out(path_, append ? std::ios::binary | std::ios::app : std::ios::binary);
  out << text_;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", path_.string()));
  created_ = true;
  text_.clear();
}

FioThreadLogs::FioThreadLogs(const JobSpec& job, uint32_t number,
                             const std::filesystem::path& folder)
    : job_(&job), window_end_(job.report.window), hist_end_(job.report.hist_window) {
  constexpr std::array<std::string_view, kKinds> kNames{"bw", "iops", "lat", "slat", "clat"};
  for (const auto& [prefix, kind] : file_names(job.report)) {
    const auto place = static_cast<int>(files_.size());
    const auto* known = std::find(kNames.begin(), kNames.end(), kind);
    (known == kNames.end() ? hist_file_ : file_[static_cast<size_t>(known - kNames.begin())]) =
        place;
    const bool shared = !job.report.log_per_job;
    files_.emplace_back(folder / (shared ? fmt::format("{}_{}.log", prefix, kind)
                                         : fmt::format("{}_{}.{}.log", prefix, kind, number)),
                        shared);
  }
  if (hist_file_ >= 0) hist_.resize(kDirections);
}

void FioThreadLogs::remove_shared(const JobSpec& job, const std::filesystem::path& folder) {
  if (job.report.log_per_job) return;
  for (const auto& [prefix, kind] : file_names(job.report))
    std::filesystem::remove(folder / fmt::format("{}_{}.log", prefix, kind));
}

void FioThreadLogs::add(const IoEvent& event, Duration at) {
  if (files_.empty() || event.flush) return;
  if (hist_file_ >= 0) {
    while (at >= hist_end_) end_hist_window();
    hist_[index_of(event.direction)].add(to_ns(event.completed - event.issued));
  }
  if (job_->report.window <= Duration{}) return per_request(event, at);
  while (at >= window_end_) end_window();
  Window& window = window_[index_of(event.direction)];
  window.bytes += event.bytes;
  ++window.requests;
  const std::array<uint64_t, kKinds> values{0, 0, to_ns(event.completed - event.called),
                                            to_ns(event.issued - event.called),
                                            to_ns(event.completed - event.issued)};
  for (size_t k = kLat; k < kKinds; ++k) {
    window.sum[k] += values[k];
    window.most[k] = std::max(window.most[k], values[k]);
  }
}

void FioThreadLogs::per_request(const IoEvent& event, Duration at) {
  const size_t d = index_of(event.direction);
  const uint64_t clat = std::max<uint64_t>(to_ns(event.completed - event.issued), 1);
  const auto add = [&](Kind kind, uint64_t value, uint64_t issued_ns) {
    put(kind, {at, value, value, d, event.bytes, event.offset, issued_ns});
  };
  const uint64_t issued_ns = to_ns(at - (event.completed - event.called));
  add(kBw, event.bytes * 1'000'000 / clat, 0);  // decimal kB/s of this one request
  add(kIops, 1, 0);
  add(kLat, to_ns(event.completed - event.called), issued_ns);
  add(kSlat, to_ns(event.issued - event.called), issued_ns);
  add(kClat, clat, issued_ns);
  flush(false);
}

void FioThreadLogs::put(Kind kind, const Row& row) {
  if (file_[kind] < 0) return;
  const JobReport& report = job_->report;
  auto out = std::back_inserter(files_[static_cast<size_t>(file_[kind])].text());
  fmt::format_to(out, "{}, {}, ", row.at / Duration::ms(1), row.value);
  if (report.window_both && report.window > Duration{}) fmt::format_to(out, "{}, ", row.most);
  fmt::format_to(out, "{}, {}, ", row.direction, row.block);
  if (report.with_offset) fmt::format_to(out, "{}, ", row.offset);
  fmt::format_to(out, "{}", report.with_priority ? "0x0000" : "0");
  if (report.with_issue_time) fmt::format_to(out, ", {}", row.issued_ns);
  fmt::format_to(out, "\n");
}

void FioThreadLogs::end_window() {
  const Duration span = job_->report.window;
  for (size_t d = 0; d < kDirections; ++d) {
    const Window& window = window_[d];
    if (window.requests == 0) continue;
    const auto add = [&](Kind kind, uint64_t mean, uint64_t most) {
      const bool max_only = job_->report.window_max && !job_->report.window_both;
      put(kind, {window_end_, max_only ? most : mean, most, d, 0, 0, 0});
    };
    const uint64_t bw = rate_per_second(window.bytes, span) / 1024;
    const uint64_t iops = rate_per_second(window.requests, span);
    add(kBw, bw, bw);
    add(kIops, iops, iops);
    for (const Kind kind : {kLat, kSlat, kClat})
      add(kind, window.sum[kind] / window.requests, window.most[kind]);
  }
  window_ = {};
  window_end_ += span;
  flush(false);
}

void FioThreadLogs::end_hist_window() {
  const uint32_t coarse = job_->report.hist_coarseness;
  std::string& text = files_[static_cast<size_t>(hist_file_)].text();
  for (size_t d = 0; d < kDirections; ++d) {
    FioBins& bins = hist_[d];
    if (bins.count() == 0) continue;
    fmt::format_to(std::back_inserter(text), "{}, {}, {}", hist_end_ / Duration::ms(1), d,
                   job_->block_size[d].count());
    for (size_t i = 0; i < FioBins::kBins; i += size_t{1} << coarse) {
      uint64_t sum = 0;
      for (size_t k = i; k < std::min(FioBins::kBins, i + (size_t{1} << coarse)); ++k)
        sum += bins[k];
      fmt::format_to(std::back_inserter(text), ", {}", sum);
    }
    text += '\n';
    bins.clear();
  }
  hist_end_ += job_->report.hist_window;
  flush(false);
}

void FioThreadLogs::flush(bool all) {
  for (LogFile& file : files_) file.flush(all);
}

void FioThreadLogs::close(Duration at) {
  if (files_.empty()) return;
  while (hist_file_ >= 0 && at >= hist_end_) end_hist_window();
  while (job_->report.window > Duration{} && at >= window_end_) end_window();
  flush(true);
}

}  // namespace ftlsim
