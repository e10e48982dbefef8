#include "workloads/job_thread.h"

#include "sim/assert.h"

namespace ftlsim {

bool needs_pace(const JobSpec& job) {
  return job.pace != PaceSpec{} || job.batch != BatchSpec{} || job.flow != FlowSpec{} ||
         job.verify.enabled || job.sync.at_end || job.latency_target.target > Duration{} ||
         job.access.rate_milli != 0 || job.access.rate_share != 0;
}

JobThread::JobThread(const Setup& setup)
    : HostThread(*setup.sim, *setup.host, *setup.cpu, *setup.queue),
      s_(setup),
      guard_(setup.limits),
      wake_(this, Phase::kHost) {
  own(s_.parts);
}

void JobThread::start() {
  if (s_.start_delay > Duration{} && !exhausted_) {  // one that was stopped before has no delay
    s_.sim->schedule_in(wake_, s_.start_delay);
  } else {
    begin();
  }
}

void JobThread::begin() {
  begun_ = true;
  free_at_ = free_from_now();
  begin_ = base_ = last_think_ = free_at_;
  if (s_.observer != nullptr) s_.observer->on_thread_begin(s_.number, *s_.job, s_.clone, free_at_);
  if (!s_.paced) {
    for (size_t slot = 0; slot < s_.parts.size(); slot += s_.parts_per_request)
      if (!start_request(s_.parts[slot])) break;
    if (in_flight_ == 0) end();
    return;
  }
  depth_ = static_cast<uint32_t>(s_.parts.size() / s_.parts_per_request);
  depth_control_ = DepthControl(s_.latency_target, depth_);
  if (depth_control_.active()) depth_ = depth_control_.depth();
  for (size_t slot = s_.parts.size(); slot > 0; slot -= s_.parts_per_request) {
    Part& head = s_.parts[slot - s_.parts_per_request];
    head.next = free_;
    free_ = &head;
  }
  if (s_.flow != nullptr) s_.flow->join(*this, s_.flow_weight);
  pump();
}

void JobThread::end() {
  if (ended_) return;
  ended_ = true;
  s_.sim->cancel(wake_);
  if (s_.paced && s_.flow != nullptr) s_.flow->leave(*this);
  if (s_.observer != nullptr) {
    if (error().error != JobError::kNone) s_.observer->on_thread_error(s_.number, error());
    s_.observer->on_thread_end(s_.number, free_at_);
  }
  s_.owner->on_thread_done(s_.number, free_at_);
}

void JobThread::stop() {
  exhausted_ = true;
  // A thread that sleeps with nothing in flight has no other reason to wake up.
  if (!ended_ && in_flight_ == 0) s_.sim->reschedule(wake_, s_.sim->now());
}

void JobThread::on_completion(Command& command) {
  auto& part = static_cast<Part&>(command);
  Part& head = *part.head;
  s_.queue->on_room(s_.sim->now());
  if (part.status != Status::kSuccess) [[unlikely]] {
    ++(*s_.result)[head.direction].errors;
    head.failed = true;
  }
  if (s_.paced) {
    if (--head.parts_left != 0) return spend_on_completion();
    head.next = done_;
    done_ = &head;
    ++done_count_;
    reap();
    pump();
    return;
  }
  spend_on_completion();
  if (--head.parts_left != 0) return;
  finish_request(head);
  if (!start_request(head) && in_flight_ == 0) end();
}

bool JobThread::start_request(Part& head) {
  IoRequest request;
  if (exhausted_ || free_at_ >= s_.deadline || !s_.source->next(request)) {
    exhausted_ = true;
    return false;
  }
  head.called = free_at_;
  issue(head, request);
  return true;
}

void JobThread::issue(Part& head, const IoRequest& request) {
  ++in_flight_;
  head.direction = request.direction;
  head.bytes = request.bytes;
  head.depth = in_flight_;
  head.failed = false;
  const Opcode opcode = request.flush ? Opcode::kFlush : opcode_of(request.direction);
  DirectionResult& result = request.flush ? s_.result->flushes : (*s_.result)[request.direction];
  const uint32_t parts = issue_parts(head, opcode, request.fua, request.offset, result,
                                     [this](Part& part) { hand_over(part); });
  SIM_ASSERT(parts <= s_.parts_per_request, "{} parts in a slot of {}", parts,
             s_.parts_per_request);
  head.issued = free_at_;
}

// Sends a part, or keeps it until its batch is complete.
void JobThread::hand_over(Part& part) {
  if (s_.paced && s_.batch.submit > 1) {
    part.next = nullptr;
    (staged_ == nullptr ? staged_ : last_staged_->next) = &part;
    last_staged_ = &part;
    return;
  }
  s_.queue->send(part);
}

void JobThread::finish_request(Part& head) {
  --in_flight_;
  if (s_.observer != nullptr) [[unlikely]]
    observe(head);
  if (head.opcode == Opcode::kFlush) [[unlikely]] {
    count_completion(head, s_.result->flushes);
    return;
  }
  count_completion(head, (*s_.result)[head.direction]);
  ++requests_;
  bytes_ += head.bytes;
  completion_latency_ += free_at_ - head.issued;
  if (!guard_.active()) return;
  if (!guard_.add(head.direction, head.bytes, head.failed, free_at_ - head.called,
                  free_at_ - begin_))
    exhausted_ = true;
}

void JobThread::observe(const Part& head) const {
  IoEvent event;
  event.thread = s_.number;
  event.direction = head.direction;
  event.flush = head.opcode == Opcode::kFlush;
  event.depth = head.depth;
  event.offset = head.lba.value() << lba_shift();
  event.bytes = head.bytes;
  event.failed = head.failed;
  event.called = head.called;
  event.issued = head.issued;
  event.completed = free_at_;
  s_.observer->on_request(event);
}

}  // namespace ftlsim
