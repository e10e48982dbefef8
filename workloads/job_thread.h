// One thread of a job: keeps `iodepth` requests in flight, in a closed loop or at a pace.
//
// In a plain closed loop a completion starts the next request in its own slot. A thread with
// a pace (rates, pauses, time stamps, batches, barriers, flows) goes through pump() instead, and
// wakes itself with an event of its own when it has to wait.
#pragma once

#include <cstdint>
#include <span>

#include "ftl/host/host_interface.h"
#include "sim/event.h"
#include "sim/simulator.h"
#include "workloads/block_layer.h"
#include "workloads/host_thread.h"
#include "workloads/io_observer.h"
#include "workloads/job_depth.h"
#include "workloads/job_flow.h"
#include "workloads/job_guard.h"
#include "workloads/phase_result.h"
#include "workloads/request_source.h"

namespace ftlsim {

class ThreadOwner {
 public:
  // Thread `number` has nothing in flight and submits no more; its CPU is free at `at` (>= now).
  virtual void on_thread_done(uint32_t number, Time at) = 0;

 protected:
  ~ThreadOwner() = default;
};

// Whether a job needs more than the plain closed loop.
bool needs_pace(const JobSpec& job);

class JobThread final : public HostThread, private FlowMember {
 public:
  struct Setup {
    Simulator* sim = nullptr;
    HostInterface* host = nullptr;
    const HostModel* cpu = nullptr;
    SubmissionQueue* queue = nullptr;
    RequestSource* source = nullptr;
    PhaseResult* result = nullptr;
    ThreadOwner* owner = nullptr;
    std::span<Part> parts;  // iodepth times parts_per_request, for the life of the thread
    uint32_t parts_per_request = 1;
    Time deadline;         // submits nothing at or after it
    Duration start_delay;  // from start() to the first request
    bool paced = false;    // asks the source with next_paced() and keeps to what it says
    PaceSpec pace;         // and the next two: if paced
    BatchSpec batch;
    LatencyTargetSpec latency_target;
    const LimitSpec* limits = nullptr;  // null: nothing ends the thread early
    FlowGroup* flow = nullptr;          // the thread joins it with this weight
    uint32_t flow_weight = 0;
    uint32_t number = 0;  // of the thread in its phase
    // Told of every request if it is not null; the thread is clone `clone` of `job`.
    IoObserver* observer = nullptr;
    const JobSpec* job = nullptr;
    uint32_t clone = 0;
  };

  explicit JobThread(const Setup& setup);

  // Submits the first requests, or begins to wait for the start; to be called once.
  void start();

  // Submits no more. What is in flight, or waits for room, still completes.
  void stop();

  const RequestSource& source() const { return *s_.source; }
  Time deadline() const { return s_.deadline; }
  // Completed so far.
  uint64_t requests() const { return requests_; }
  uint64_t bytes() const { return bytes_; }
  // Of those, from the end of the submission to that of the completion.
  Duration completion_latency() const { return completion_latency_; }
  const ThreadError& error() const { return guard_.error(); }

  void on_completion(Command& command) override;

 private:
  void begin();
  void end();
  // Takes the next request from the source into the slot of `head`. False: there is none.
  bool start_request(Part& head);
  void issue(Part& head, const IoRequest& request);
  void hand_over(Part& part);
  void finish_request(Part& head);
  void observe(const Part& head) const;

  // With a pace.
  void on_wake();
  void on_flow() override;
  void pump();
  bool fetch();
  bool may_issue();
  void issue_held();
  void think();
  void reap();
  void commit();
  void sleep_until(Time at);

  Setup s_;
  uint32_t in_flight_ = 0;  // requests
  bool exhausted_ = false;
  bool begun_ = false;
  bool ended_ = false;
  uint64_t requests_ = 0;
  uint64_t bytes_ = 0;
  Duration completion_latency_;
  JobGuard guard_;
  Time begin_;

  // With a pace. Heads of slots in lines through Part::next.
  Part* free_ = nullptr;
  Part* done_ = nullptr;  // completed, not yet looked at by the thread; newest first
  uint32_t done_count_ = 0;
  Part* staged_ = nullptr;  // parts not yet handed over, in order
  Part* last_staged_ = nullptr;
  uint32_t staged_requests_ = 0;
  uint32_t depth_ = 0;     // limit of in_flight_
  bool full_ = false;      // the limit was reached; nothing is issued until the queue has drained
  bool sleeping_ = false;  // until wake_
  bool thinking_ = false;  // waits for what is in flight before a pause
  bool held_ = false;      // request_ has been taken from the source and not been issued
  IoRequest request_;
  Time base_;  // what `due` counts from
  uint32_t think_count_ = 0;
  Time last_think_;
  DepthControl depth_control_;
  MemberEvent<JobThread, &JobThread::on_wake> wake_;
};

}  // namespace ftlsim
