// fio's log files of one thread: bw, iops, lat, slat, clat and the histogram of clat, with the
// columns, units and windows of fio 3.33.
//
// With a window a row is the mean (or largest value) of the requests that completed in it; a window
// without any has no row, and neither has an unfinished one at the end. Without a window every
// request has a row. Time counts from the start of the thread, after its ramp.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tools/fio/fio_stat.h"
#include "workloads/io_observer.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// A file that is written in pieces and holds no descriptor between them.
class LogFile {
 public:
  explicit LogFile(std::filesystem::path path) : path_(std::move(path)) {}
  std::string& text() { return text_; }
  // Writes what has gathered if that is much, or `all`. Throws std::runtime_error.
  void flush(bool all);

 private:
  std::filesystem::path path_;
  std::string text_;
  bool created_ = false;
};

class FioThreadLogs {
 public:
  FioThreadLogs() = default;
  // Files go into `folder`, with `number` (counted from 1 over the run) in their names.
  FioThreadLogs(const JobSpec& job, uint32_t number, const std::filesystem::path& folder);

  // `at`: completion, counted from the thread's start.
  void add(const IoEvent& event, Duration at);
  // The thread ended at `at`.
  void close(Duration at);

 private:
  enum Kind : size_t { kBw, kIops, kLat, kSlat, kClat, kKinds };
  struct Window {
    uint64_t bytes = 0;
    uint64_t requests = 0;
    std::array<uint64_t, kKinds> sum{};
    std::array<uint64_t, kKinds> most{};
  };

  void row(Kind kind, Duration at, uint64_t value, size_t direction, uint64_t block,
           uint64_t offset);
  void per_request(const IoEvent& event, Duration at);
  void end_window();
  void end_hist_window();
  void flush(bool all);

  const JobSpec* job_ = nullptr;
  std::array<int, kKinds> file_{-1, -1, -1, -1, -1};  // in files_
  int hist_file_ = -1;
  std::vector<LogFile> files_;
  std::array<Window, kDirections> window_;
  Duration window_end_;
  std::vector<FioBins> hist_;  // per direction, if there is a log
  Duration hist_end_;
};

}  // namespace ftlsim
