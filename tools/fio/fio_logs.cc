#include "tools/fio/fio_logs.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ftlsim {
namespace {

uint64_t rate_per_second(uint64_t count, Duration span) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide{count} * 1'000'000'000 /
                               static_cast<uint64_t>(std::max<int64_t>(span.to_ns(), 1)));
}

uint64_t to_ns(Duration d) { return static_cast<uint64_t>(std::max<int64_t>(d.to_ns(), 0)); }

}  // namespace

void LogFile::flush(bool all) {
  constexpr size_t kMuch = size_t{1} << 16;
  if (text_.size() < kMuch && !all) return;
  std::ofstream out(path_, created_ ? std::ios::binary | std::ios::app : std::ios::binary);
  out << text_;
  out.close();
  if (!out) throw std::runtime_error(fmt::format("cannot write {}", path_.string()));
  created_ = true;
  text_.clear();
}

FioThreadLogs::FioThreadLogs(const JobSpec& job, uint32_t number,
                             const std::filesystem::path& folder)
    : job_(&job), window_end_(job.report.window), hist_end_(job.report.hist_window) {
  const JobReport& report = job.report;
  const auto open = [&](const std::string& prefix, const char* kind) {
    files_.emplace_back(folder / fmt::format("{}_{}.{}.log", prefix, kind, number));
    return static_cast<int>(files_.size()) - 1;
  };
  if (report.bw_log) file_[kBw] = open(*report.bw_log, "bw");
  if (report.iops_log) file_[kIops] = open(*report.iops_log, "iops");
  if (report.lat_log) {
    file_[kLat] = open(*report.lat_log, "lat");
    file_[kSlat] = open(*report.lat_log, "slat");
    file_[kClat] = open(*report.lat_log, "clat");
  }
  if (report.hist_log && report.hist_window > Duration{}) {
    hist_file_ = open(*report.hist_log, "clat_hist");
    hist_.resize(kDirections);
  }
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
  const auto put = [&](Kind kind, uint64_t value) {
    row(kind, at, value, d, event.bytes, event.offset);
  };
  put(kBw, event.bytes * 1'000'000 / clat);  // decimal kB/s of this one request
  put(kIops, 1);
  put(kLat, to_ns(event.completed - event.called));
  put(kSlat, to_ns(event.issued - event.called));
  put(kClat, clat);
  flush(false);
}

void FioThreadLogs::row(Kind kind, Duration at, uint64_t value, size_t direction, uint64_t block,
                        uint64_t offset) {
  if (file_[kind] < 0) return;
  auto out = std::back_inserter(files_[static_cast<size_t>(file_[kind])].text());
  fmt::format_to(out, "{}, {}, {}, {}, ", at / Duration::ms(1), value, direction, block);
  if (job_->report.with_offset) fmt::format_to(out, "{}, ", offset);
  fmt::format_to(out, "{}\n", job_->report.with_priority ? "0x0000" : "0");
}

void FioThreadLogs::end_window() {
  const Duration span = job_->report.window;
  for (size_t d = 0; d < kDirections; ++d) {
    const Window& window = window_[d];
    if (window.requests == 0) continue;
    row(kBw, window_end_, rate_per_second(window.bytes, span) / 1024, d, 0, 0);
    row(kIops, window_end_, rate_per_second(window.requests, span), d, 0, 0);
    for (const Kind kind : {kLat, kSlat, kClat})
      row(kind, window_end_,
          job_->report.window_max ? window.most[kind] : window.sum[kind] / window.requests, d, 0,
          0);
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
