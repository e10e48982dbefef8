// Writes timeseries.csv and fingerprints.csv while a simulation runs.
//
// One event every 100 ms of simulated time, in the statistics phase; nothing in the path of a
// command. Rates are means of the 100 ms before a row. While no command is outstanding, of rows
// that differ in t_s alone only the first and the last are written, and stretches in which nothing
// happens at all are skipped. The sampler ends the run loop at the first sample after the end of
// the workload, and when nothing but itself is left to happen (a stall).
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "ftl/device.h"
#include "sim/event.h"
#include "sim/simulator.h"
#include "sim/units.h"
#include "tools/run/recorder.h"
#include "workloads/workload_runner.h"

namespace ftlsim {

// The state at a sample, all counts since the start.
struct Sample {
  size_t phase = 0;            // that moved most of the bytes since the last sample, or else runs
  uint64_t written_bytes = 0;  // of completed requests
  uint64_t read_bytes = 0;
  uint64_t programmed_slots = 0;
  uint64_t folded_slots = 0;     // moved out of SLC superblocks
  uint64_t collected_slots = 0;  // moved out of TLC superblocks
  uint64_t slc_valid_slots = 0;
  uint64_t slc_used_slots = 0;
  uint64_t slc_limit_slots = 0;
  uint32_t free_superblocks = 0;
  Temperatures temperatures{25'000, 25'000, 25'000};
  uint64_t energy_nj = 0;  // since the start
  Time time;
};

// A row of timeseries.csv without its t_s: the state `now` and the rates since `before`, 100 ms
// ago. temp_C is the composite temperature; power_W is the mean since `before`, however long that
// is.
std::string format_row(const Sample& before, const Sample& now);

class SampleListener {
 public:
  // After every sample that does not end the run.
  virtual void on_sample(const Sample& before, const Sample& now) = 0;

 protected:
  ~SampleListener() = default;
};

class Sampler {
 public:
  static constexpr Duration kInterval = Duration::ms(100);

  // Opens the files; throws std::runtime_error if it cannot. Everything must outlive the sampler.
  Sampler(Simulator& sim, Device& device, const WorkloadRunner& runner, const Recorder& recorder,
          SampleListener& listener, const std::filesystem::path& timeseries,
          const std::filesystem::path& fingerprints);

  void start() { sim_.schedule_in(event_, kInterval); }
  // The run ended because nothing was left to happen although the workload had not finished.
  bool stalled() const { return stalled_; }
  // Writes what is left and closes the files; throws std::runtime_error if any write failed.
  void close();

 private:
  void sample();
  void schedule_next(bool unchanged);
  Sample take() const;
  size_t busiest_phase() const;
  void write_row(std::string text);
  void checkpoint();

  Simulator& sim_;
  Device& device_;
  const WorkloadRunner& runner_;
  const Recorder& recorder_;
  SampleListener& listener_;
  std::ofstream rows_;
  std::ofstream checkpoints_;
  Sample last_;
  size_t last_running_ = 0;  // phase that ran at the last sample, and its bytes then
  uint64_t last_running_bytes_ = 0;
  std::string last_text_;  // of the newest row, written or held
  bool held_ = false;      // that row has not been written
  Time last_time_;
  uint64_t last_fingerprint_ = 0;
  bool stalled_ = false;
  MemberEvent<Sampler, &Sampler::sample> event_;
};

}  // namespace ftlsim
