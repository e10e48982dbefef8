// Watches the job threads of a run and keeps what fio's results and log files need.
//
// To be set as the runner's IoObserver only if somebody wants fio's formats: without it a request
// costs nothing. Requests that complete during a job's ramp time do not count, unless the job ends
// in it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "tools/fio/fio_logs.h"
#include "tools/fio/fio_result.h"
#include "workloads/io_observer.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// Gives every job that asks for no logs all of them, in windows of `window`, with the names that
// fio-plot looks for: RW-iodepth-DEPTH-numjobs-JOBS_KIND.N.log. To be called before the run.
void add_fio_plot_logs(Workload& workload, Duration window);
// Whether any job asks for a log file.
bool wants_fio_logs(const Workload& workload);

class FioRecorder final : public IoObserver {
 public:
  // Log files go into `log_folder`; none are written without one. The workload must outlive the
  // recorder.
  FioRecorder(const Workload& workload, std::optional<std::filesystem::path> log_folder);

  void on_thread_begin(uint32_t thread, const JobSpec& job, uint32_t clone, Time at) override;
  void on_request(const IoEvent& event) override;
  void on_thread_error(uint32_t thread, const ThreadError& error) override;
  void on_thread_end(uint32_t thread, Time at) override;
  void on_job_steady(const JobSpec& job, const SteadyState& steady) override;

  // One result per thread, or per group with group_reporting; in the order of the job file.
  FioReport report() const;

 private:
  struct Place {
    uint32_t first_thread = 0;  // counted over the run, from 0
    uint32_t group = 0;
  };
  // Bytes and requests of the running averaging window.
  struct Average {
    Duration end;
    PerDirection<uint64_t> amount{};
  };
  struct Thread {
    FioResult result;
    Time start;  // from when on it counts
    Time ramp_end;
    bool ramping = false;
    Average bw;
    Average iops;
    FioThreadLogs logs;
    std::optional<uint64_t> flush;  // latency of the last one, if nothing has followed it
    bool begun = false;
  };

  static constexpr uint32_t kUnreported = UINT32_MAX;

  static void count_from(Thread& thread, Time start);
  static void end_ramp(Thread& thread);
  static void count_flush(Thread& thread);
  void average(Average& average, Duration length, Duration at, bool of_bytes, Thread& thread);

  const Workload& workload_;
  std::optional<std::filesystem::path> log_folder_;
  std::map<const JobSpec*, Place> places_;
  std::vector<Thread> threads_;     // of the run
  std::vector<uint32_t> of_phase_;  // thread number in the phase -> in threads_, or kUnreported
  Time end_;
};

}  // namespace ftlsim
