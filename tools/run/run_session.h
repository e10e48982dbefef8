// One run from checked inputs to the files of a run directory.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/report/holds.h"
#include "tools/run/inputs.h"
#include "tools/run/output_dir.h"
#include "tools/run/progress.h"
#include "tools/run/recorder.h"
#include "tools/run/sampler.h"
#include "tools/run/speed_map.h"
#include "tools/run/summary.h"
#include "workloads/job_spec.h"

namespace ftlsim {

class RunSession final : private SampleListener, private PhaseObserver {
 public:
  // The inputs are free of errors; the workload outlives the session; `out` has been created. A
  // value other than 0 of `interrupted` ends the workload at the next sample.
  RunSession(const DriveInput& drive, const Workload& workload, uint64_t seed, OutputDir& out,
             const volatile std::sig_atomic_t& interrupted, bool terminal);

  // Somebody who sees every request; before run().
  void observe_requests(IoObserver* observer) { requests_ = observer; }

  // For those who look on; they are set before run().
  const Simulator& simulator() const { return sim_; }
  Device& device() { return device_; }

  // Runs the workload and writes all files but the copies of the inputs into the partial directory.
  // Throws std::runtime_error if it stalls or a file cannot be written.
  void run();
  const RunFacts& facts() const { return facts_; }
  const Recorder& recorder() const { return recorder_; }
  // The short table of the finished run.
  const std::string& table() const { return table_; }

 private:
  void on_sample(const Sample& before, const Sample& now) override;
  void on_phase_begin(const PhaseResult& result) override;
  void on_phase_end(const PhaseResult& result) override;
  void finish(double wall_s);
  std::vector<HoldSeries> holds_of(const nlohmann::ordered_json& summary) const;

  OutputDir& out_;
  const volatile std::sig_atomic_t& interrupted_;
  ProgressLine progress_;
  Simulator sim_;
  Device device_;
  Recorder recorder_;
  SpeedMap speed_map_;
  IoObserver* requests_ = nullptr;
  WorkloadRunner runner_;
  Sampler sampler_;
  RunFacts facts_;
  std::string table_;
};

}  // namespace ftlsim
