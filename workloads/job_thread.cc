#include "workloads/job_thread.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {

bool needs_pace(const JobSpec& job) {
  return job.pace != PaceSpec{} || job.batch != BatchSpec{} || job.flow != FlowSpec{} ||
         job.verify.enabled || job.sync.at_end || job.latency_target.target > Duration{} ||
         job.access.rate_milli != 0 || job.access.rate_share != 0;
}

JobThread::JobThread(const Setup& setup)
    : s_(setup),
      lba_shift_(static_cast<uint32_t>(std::countr_zero(setup.host->lba_size().count()))),
      free_at_(setup.sim->now()),
      wake_(this, Phase::kHost) {
  for (Part& part : s_.parts) {
    part.sink = this;
    part.queue = s_.queue->id();
  }
}

void JobThread::start() {
  if (s_.start_delay > Duration{}) {
    s_.sim->schedule_in(wake_, s_.start_delay);
  } else {
    begin();
  }
}

void JobThread::begin() {
  begun_ = true;
  free_at_ = max(free_at_, s_.sim->now());
  base_ = last_think_ = free_at_;
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
  if (s_.observer != nullptr) s_.observer->on_thread_end(s_.number, free_at_);
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
  if (part.status != Status::kSuccess) [[unlikely]]
    ++(*s_.result)[head.direction].errors;
  if (s_.paced) {
    if (--head.parts_left != 0) {
      free_at_ = max(s_.sim->now(), free_at_) + s_.cpu->complete_cpu;
      return;
    }
    head.next = done_;
    done_ = &head;
    ++done_count_;
    reap();
    pump();
    return;
  }
  free_at_ = max(s_.sim->now(), free_at_) + s_.cpu->complete_cpu;
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
  head.opcode = opcode_of(request.direction);
  head.fua = request.fua;
  head.direction = request.direction;
  head.bytes = request.bytes;
  head.depth = in_flight_;
  DirectionResult& result = (*s_.result)[request.direction];
  const uint64_t limit = split_limit(request.direction, s_.host->mdts());
  if (request.flush) [[unlikely]] {
    head.opcode = Opcode::kFlush;
    head.parts_left = 1;
    ++s_.result->flushes.issued;
    ++s_.result->flushes.nvme_commands;
    send_part(head, head, 0, 0);
  } else if (request.bytes <= limit) {
    head.parts_left = 1;
    ++result.issued;
    ++result.nvme_commands;
    send_part(head, head, request.offset, request.bytes);
  } else {
    head.parts_left = static_cast<uint32_t>((request.bytes + limit - 1) / limit);
    SIM_ASSERT(head.parts_left <= s_.parts_per_request, "{} parts in a slot of {}", head.parts_left,
               s_.parts_per_request);
    ++result.issued;
    result.nvme_commands += head.parts_left;
    Part* part = &head;
    for (uint64_t done = 0; done < request.bytes; done += limit, ++part)
      send_part(*part, head, request.offset + done, std::min(limit, request.bytes - done));
  }
  head.issued = free_at_;
}

void JobThread::send_part(Part& part, Part& head, uint64_t offset, uint64_t bytes) {
  free_at_ += s_.cpu->submit_cpu;
  part.head = &head;
  part.ready = free_at_;
  part.opcode = head.opcode;
  part.fua = head.fua;
  part.lba = Lba(offset >> lba_shift_);
  part.blocks = static_cast<uint32_t>(bytes >> lba_shift_);
  part.status = Status::kSuccess;
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
    ++s_.result->flushes.completed;
    s_.result->flushes.latency.add(free_at_ - head.called);
    return;
  }
  DirectionResult& result = (*s_.result)[head.direction];
  ++result.completed;
  result.bytes += head.bytes;
  result.latency.add(free_at_ - head.called);
  ++requests_;
  bytes_ += head.bytes;
}

void JobThread::observe(const Part& head) const {
  IoEvent event;
  event.thread = s_.number;
  event.direction = head.direction;
  event.flush = head.opcode == Opcode::kFlush;
  event.depth = head.depth;
  event.offset = head.lba.value() << lba_shift_;
  event.bytes = head.bytes;
  event.called = head.called;
  event.issued = head.issued;
  event.completed = free_at_;
  s_.observer->on_request(event);
}

}  // namespace ftlsim
