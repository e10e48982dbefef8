// The replay of one trace as a phase of a workload: one host thread that issues its requests.
//
// When the next request is due later than the thread is busy, an event wakes it; when all slots are
// in use, a completion does. Memory does not depend on the
// length of the trace; while it runs, it is allocated only for devices that the trace names for the
// first time, and for the records of one second of traces that tell whole seconds only.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ftl/host/host_interface.h"
#include "sim/event.h"
#include "sim/simulator.h"
#include "workloads/block_layer.h"
#include "workloads/host_thread.h"
#include "workloads/io_observer.h"
#include "workloads/phase_result.h"
#include "workloads/trace/replay_report.h"
#include "workloads/trace/replay_spec.h"
#include "workloads/trace/replay_stream.h"

namespace ftlsim {

class ReplayOwner {
 public:
  // Nothing is in flight and nothing more will be submitted; the CPU is free at `at` (>= now). The
  // report is complete.
  virtual void on_replay_done(Time at) = 0;

 protected:
  ~ReplayOwner() = default;
};

class Replay final : private HostThread {
 public:
  struct Setup {
    Simulator* sim = nullptr;
    HostInterface* host = nullptr;
    const HostModel* cpu = nullptr;
    SubmissionQueue* queue = nullptr;
    PhaseResult* result = nullptr;
    ReplayOwner* owner = nullptr;
    const ReplaySpec* spec = nullptr;
    // Told of every request if it is not null, as of the only thread of `job`.
    IoObserver* observer = nullptr;
    const JobSpec* job = nullptr;
  };

  explicit Replay(const Setup& setup);

  // Issues what is due; to be called once, at the start of the phase.
  void start();
  // Submits no more; what is in flight still completes.
  void stop();

  double fraction() const { return trace_ == nullptr ? 1 : trace_->input().fraction(); }
  const ReplayReport& report() const { return report_; }

 private:
  void on_completion(Command& command) override;
  void pump();
  Time due() const;
  void issue();
  void finish_request(Part& head);
  void observe(const Part& head) const;
  DirectionResult& result_of(const ReplayRequest& request) const;
  size_t slot_of(const Part& head) const {
    return static_cast<size_t>(&head - parts_.data()) / kReplayPartsPerRequest;
  }

  Setup s_;
  std::unique_ptr<Trace> trace_;
  std::unique_ptr<ReplayStream> stream_;
  ReplayReport report_;
  std::vector<Part> parts_;
  std::vector<uint32_t> free_;          // slots
  std::vector<ReplayRequest> running_;  // by slot
  ReplayRequest request_;               // the next one, if held_
  bool held_ = false;
  bool exhausted_ = false;
  bool done_ = false;
  uint32_t in_flight_ = 0;
  Time begin_;
  Time deadline_;  // issues nothing at or after it
  Time last_issue_;
  MemberEvent<Replay, &Replay::pump> wake_;
};

}  // namespace ftlsim
