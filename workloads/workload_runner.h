// Runs a workload against a device inside the event loop: phase after phase, the jobs of a phase
// side by side, one submission queue per thread (thread number modulo queue count).
//
// Memory is allocated by the constructor and when a phase begins or ends. The workload and the
// observer must outlive the runner; the runner must not be destroyed while it has commands
// in the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "ftl/host/host_interface.h"
#include "sim/event.h"
#include "sim/simulator.h"
#include "workloads/access_source.h"
#include "workloads/block_layer.h"
#include "workloads/io_observer.h"
#include "workloads/job_flow.h"
#include "workloads/job_spec.h"
#include "workloads/job_steady.h"
#include "workloads/job_thread.h"
#include "workloads/phase_result.h"
#include "workloads/synthetic_source.h"
#include "workloads/trace/replay.h"

namespace ftlsim {

// Called in the host phase. The result is valid during the call only: copy what is needed.
class PhaseObserver {
 public:
  virtual void on_phase_begin(const PhaseResult& result) = 0;
  virtual void on_phase_end(const PhaseResult& result) = 0;
  // After the last phase, or after the phase that request_stop() cut short; the last call.
  virtual void on_workload_end() {}

 protected:
  ~PhaseObserver() = default;
};

class WorkloadRunner final : private CompletionSink, private ThreadOwner, private ReplayOwner {
 public:
  WorkloadRunner(Simulator& sim, HostInterface& host, const Workload& workload, uint64_t seed,
                 PhaseObserver& observer);

  // Somebody who sees every request of the job threads; before start(), or from on_phase_begin()
  // for the phase that begins. Null: nobody.
  void set_io_observer(IoObserver* observer) { io_observer_ = observer; }

  // Schedules the first phase for now. Once only.
  void start();
  // All phases have run, or the stop has taken effect. Nothing is in flight.
  bool finished() const { return finished_; }
  // All phases ran to their ends.
  bool complete() const { return finished_ && !stopping_; }
  // Submits no more, lets what is in flight complete and ends the phase as incomplete; later phases
  // do not run. May be called at any time outside the observer's calls.
  void request_stop();

  // The phase that runs, or the last one that ran. Counters are live.
  const PhaseResult& current() const { return result_; }
  size_t phase_count() const { return workload_->phases.size(); }
  // The steady-state detector of a job of the phase that runs, or has just ended.
  const SteadyState& steady(size_t job) const { return jobs_[job].steady; }
  // Bytes of completed requests since start().
  uint64_t completed_bytes(Direction d) const {
    return earlier_bytes_[index_of(d)] + (running_ ? result_[d].bytes : 0);
  }
  uint64_t completed_requests() const {
    return earlier_requests_ + (running_ ? result_.completed() : 0);
  }
  // An estimate for a progress line, 0 to 1: by bytes, or by time where a phase is limited by it.
  double fraction_done() const;

 private:
  struct Thread {
    std::optional<SyntheticSource> source;  // none: the job's access source
    std::optional<JobThread> thread;        // none: the job has not begun
  };
  // A job of the running phase.
  struct Job {
    const JobSpec* spec = nullptr;
    size_t first_thread = 0;
    size_t first_part = 0;
    uint32_t threads_running = 0;
    Time begin;
    bool terminated = false;  // by the end of another
    SteadyState steady;
    std::optional<AccessSource> access;  // of all its threads
  };

  void on_completion(Command& command) override;  // of format, flush and power off
  void on_thread_done(uint32_t number, Time at) override;
  void on_replay_done(Time at) override;
  void on_phase_event();
  void on_steady_event();
  void on_warmup_event();
  void begin_phase();
  void begin_jobs(const PhaseSpec& phase);
  void begin_replay(const PhaseSpec& phase);
  void begin_age(const PhaseSpec& phase);
  void begin_job(Job& job);
  uint64_t rate_of_phase(const PhaseSpec& phase) const;
  void end_with(const Job& job);
  void skip_phases(size_t count);
  void judge_round(const RoundEnd& round);
  const PhaseSpec& spec() const { return workload_->phases[phase_]; }
  JobThread::Setup setup_of(Job& job, uint32_t clone);
  FlowGroup* flow_of(const JobSpec& job);
  void submit_control(Opcode opcode);
  void end_phase();
  void finish();
  double phase_fraction() const;

  Simulator& sim_;
  HostInterface& host_;
  const Workload* workload_;
  uint64_t seed_;
  PhaseObserver& observer_;
  IoObserver* io_observer_ = nullptr;

  std::vector<Part> parts_;      // of all threads of the running phase
  std::vector<Thread> threads_;  // the first thread_count_ are in use
  std::vector<Job> jobs_;
  std::map<uint64_t, FlowGroup> flows_;  // of the running phase
  std::vector<SubmissionQueue> queues_;
  std::vector<double> weights_;  // of the phases in fraction_done()
  size_t thread_count_ = 0;
  size_t threads_running_ = 0;
  Command control_;
  int64_t ambient_before_ = 0;      // a phase that ages with power on
  std::unique_ptr<Replay> replay_;  // of the running phase, if that is one

  PhaseResult result_;
  // What the phases of the workload reached, by their number there; 0 of those that did not run.
  struct Figures {
    double iops = 0;
    double bytes_per_second = 0;
  };
  std::vector<Figures> figures_;
  size_t phase_ = 0;  // in the workload; the one that runs, or ran last
  size_t next_phase_ = 0;
  size_t phases_run_ = 0;
  Time phase_end_;
  size_t phases_to_skip_ = 0;  // when the running one has ended
  bool started_ = false;
  bool running_ = false;  // a phase has begun and not ended
  bool stopping_ = false;
  bool finished_ = false;
  std::array<uint64_t, kDirections> earlier_bytes_{};
  uint64_t earlier_requests_ = 0;
  double earlier_weight_ = 0;
  double total_weight_ = 0;
  MemberEvent<WorkloadRunner, &WorkloadRunner::on_phase_event> phase_event_;
  MemberEvent<WorkloadRunner, &WorkloadRunner::on_steady_event> steady_event_;
  MemberEvent<WorkloadRunner, &WorkloadRunner::on_warmup_event> warmup_event_;
};

}  // namespace ftlsim
