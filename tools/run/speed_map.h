// How fast each region of the logical space is read: 32 MiB pieces, one row each in speed_map.csv.
//
// Time is shared out by completions: each read gets the time since the completion before it (the
// first one that since the begin of the phase), and gives it with its bytes to the region in which
// it begins. At depth 1 that is the request's own latency and the host's CPU time. At a greater
// depth it is the time in which the region's data came in while its neighbours were in flight: at
// the edge of a region a queue's worth of requests blurs. Either way the times of all regions sum
// to that of the phase, so its rate is the mean of theirs, weighted by time.
//
// Phases are mapped in which every job reads in order, or all of them together keep one request in
// flight: with random reads at depth the gaps say nothing of the region. Memory is one record per
// region; rows are written when a phase ends, at most kMaxRows in all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <vector>

#include "sim/units.h"
#include "workloads/io_observer.h"
#include "workloads/phase_result.h"

namespace ftlsim {

// What the map of a phase says in a line: rates in kB/s over its regions.
struct SpeedSummary {
  uint32_t regions = 0;  // that were read
  uint64_t slowest = 0;
  uint64_t p10 = 0;
  uint64_t median = 0;
  uint64_t p90 = 0;
  uint64_t fastest = 0;
  bool rows = false;  // they are in speed_map.csv
};

class SpeedMap final : public IoObserver {
 public:
  static constexpr Bytes kRegion = Bytes::mib(32);
  static constexpr uint64_t kMaxRows = 500'000;

  // Opens `file`; throws std::runtime_error if it cannot.
  SpeedMap(Bytes capacity, const std::filesystem::path& file);

  // Whether a phase is mapped.
  static bool maps(const PhaseSpec& phase);
  // A phase begins. True: the map wants to see its requests.
  bool begin(const PhaseResult& phase);
  // It has ended; nothing if it was not mapped or nothing was read.
  std::optional<SpeedSummary> end();
  // Somebody else who wants to see every request of mapped phases too. Null: nobody.
  void set_next(IoObserver* next) { next_ = next; }
  // Throws std::runtime_error if any write failed.
  void close();

  void on_thread_begin(uint32_t thread, const JobSpec& job, uint32_t clone, Time at) override;
  void on_request(const IoEvent& event) override;
  void on_thread_error(uint32_t thread, const ThreadError& error) override {
    if (next_ != nullptr) next_->on_thread_error(thread, error);
  }
  void on_thread_end(uint32_t thread, Time at) override;
  void on_job_steady(const JobSpec& job, const SteadyState& steady) override {
    if (next_ != nullptr) next_->on_job_steady(job, steady);
  }

 private:
  struct Region {
    uint64_t bytes = 0;
    int64_t ns = 0;
  };

  void write_rows();

  std::ofstream file_;
  std::vector<Region> regions_;
  IoObserver* next_ = nullptr;
  size_t phase_ = 0;
  Time last_;  // completion
  bool mapping_ = false;
  uint64_t rows_ = 0;
};

}  // namespace ftlsim
