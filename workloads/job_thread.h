// One thread of a job: keeps `iodepth` requests in flight in a closed loop.
//
// The thread is a serial server. Handling a completion and submitting a command each take CPU time,
// and what it does next begins when it is free; that moment is arithmetic (`free_at_`), not an
// event. A pace (rate, think time, trace time stamps) would delay start_request() and wake the
// thread with an event of its own; everything behind it stays.
#pragma once

#include <cstdint>
#include <span>

#include "ftl/host/host_interface.h"
#include "sim/simulator.h"
#include "workloads/block_layer.h"
#include "workloads/phase_result.h"
#include "workloads/request_source.h"

namespace ftlsim {

class ThreadOwner {
 public:
  // The thread has nothing in flight and submits no more; its CPU is free at `at` (>= now).
  virtual void on_thread_done(Time at) = 0;

 protected:
  ~ThreadOwner() = default;
};

class JobThread final : public CompletionSink {
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
    Time deadline;  // submits nothing at or after it
  };

  explicit JobThread(const Setup& setup);

  // Submits the first `iodepth` requests; to be called once, at the start of the phase.
  void start();

  // Submits no more. What is in flight, or waits for room, still completes.
  void stop() { exhausted_ = true; }

  const RequestSource& source() const { return *s_.source; }
  Time deadline() const { return s_.deadline; }

  void on_completion(Command& command) override;

 private:
  // Takes the next request from the source into the slot of `head`. False: there is none.
  bool start_request(Part& head);
  void send_part(Part& part, Part& head, uint64_t offset, uint64_t bytes);
  void finish_request(Part& head);

  Setup s_;
  uint32_t lba_shift_;
  uint32_t in_flight_ = 0;  // requests
  bool exhausted_ = false;
  Time free_at_;
};

}  // namespace ftlsim
