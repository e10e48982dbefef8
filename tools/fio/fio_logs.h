// fio's log files of one thread: bw, iops, lat, slat, clat and the histogram of clat, with the
// columns, units and windows of fio 3.33.
//
// With a window a row is the mean (or largest value) of the requests that completed in it; a window
// without any has no row, and neither has an unfinished one at the end. Without a window every
// request has a row. Time counts from the start of the thread, after its ramp. Two kinds of columns
// are those of later versions: mean and largest value side by side, and the time of the issue.
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

// A file that is written in pieces and holds no descriptor between them. Of a shared file every
// writer appends all it has at its end; whoever begins the run removes an old one.
class LogFile {
 public:
  LogFile(std::filesystem::path path, bool shared) : path_(std::move(path)), shared_(shared) {}
  std::string& text() { return text_; }
  // Writes what has gathered if that is much, or `all`. Throws std::runtime_error.
  void flush(bool all);

 private:
  std::filesystem::path path_;
  std::string text_;
  bool shared_;
  bool created_ = false;
};

class FioThreadLogs {
 public:
  FioThreadLogs() = default;
  // Files go into `folder`, with `number` (counted from 1 over the run) in their names unless all
  // jobs share them.
  FioThreadLogs(const JobSpec& job, uint32_t number, const std::filesystem::path& folder);

  // Removes the files that all jobs with the options of `job` share, if they do.
  static void remove_shared(const JobSpec& job, const std::filesystem::path& folder);

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

  struct Row {
    Duration at;
    uint64_t value = 0;
    uint64_t most = 0;  // where a row has both
    size_t direction = 0;
    uint64_t block = 0;
    uint64_t offset = 0;
    uint64_t issued_ns = 0;
  };

  void put(Kind kind, const Row& row);
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
