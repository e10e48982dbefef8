#include "workloads/job_thread.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {

JobThread::JobThread(const Setup& setup)
    : s_(setup),
      lba_shift_(static_cast<uint32_t>(std::countr_zero(setup.host->lba_size().count()))),
      free_at_(setup.sim->now()) {
  for (Part& part : s_.parts) {
    part.sink = this;
    part.queue = s_.queue->id();
  }
}

void JobThread::start() {
  for (size_t slot = 0; slot < s_.parts.size(); slot += s_.parts_per_request)
    if (!start_request(s_.parts[slot])) break;
  if (in_flight_ == 0) s_.owner->on_thread_done(free_at_);
}

void JobThread::on_completion(Command& command) {
  auto& part = static_cast<Part&>(command);
  Part& head = *part.head;
  free_at_ = max(s_.sim->now(), free_at_) + s_.cpu->complete_cpu;
  s_.queue->on_room(s_.sim->now());
  if (part.status != Status::kSuccess) [[unlikely]]
    ++(*s_.result)[head.direction].errors;
  if (--head.parts_left != 0) return;
  finish_request(head);
  if (!start_request(head) && in_flight_ == 0) s_.owner->on_thread_done(free_at_);
}

bool JobThread::start_request(Part& head) {
  IoRequest request;
  if (exhausted_ || free_at_ >= s_.deadline || !s_.source->next(request)) {
    exhausted_ = true;
    return false;
  }
  ++in_flight_;
  DirectionResult& result = (*s_.result)[request.direction];
  ++result.issued;
  head.called = free_at_;
  head.direction = request.direction;
  head.bytes = request.bytes;
  const uint64_t limit = split_limit(request.direction, s_.host->mdts());
  if (request.bytes <= limit) {
    head.parts_left = 1;
    ++result.nvme_commands;
    send_part(head, head, request.offset, request.bytes);
    return true;
  }
  head.parts_left = static_cast<uint32_t>((request.bytes + limit - 1) / limit);
  SIM_ASSERT(head.parts_left <= s_.parts_per_request, "{} parts in a slot of {}", head.parts_left,
             s_.parts_per_request);
  result.nvme_commands += head.parts_left;
  Part* part = &head;
  for (uint64_t done = 0; done < request.bytes; done += limit, ++part)
    send_part(*part, head, request.offset + done, std::min(limit, request.bytes - done));
  return true;
}

void JobThread::send_part(Part& part, Part& head, uint64_t offset, uint64_t bytes) {
  free_at_ += s_.cpu->submit_cpu;
  part.head = &head;
  part.ready = free_at_;
  part.opcode = opcode_of(head.direction);
  part.lba = Lba(offset >> lba_shift_);
  part.blocks = static_cast<uint32_t>(bytes >> lba_shift_);
  part.status = Status::kSuccess;
  s_.queue->send(part);
}

void JobThread::finish_request(Part& head) {
  DirectionResult& result = (*s_.result)[head.direction];
  ++result.completed;
  result.bytes += head.bytes;
  result.latency.add(free_at_ - head.called);
  --in_flight_;
}

}  // namespace ftlsim
