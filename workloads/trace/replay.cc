#include "workloads/trace/replay.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {

Replay::Replay(const Setup& setup)
    : s_(setup),
      lba_shift_(static_cast<uint32_t>(std::countr_zero(setup.host->lba_size().count()))),
      parts_(size_t{setup.spec->iodepth} * kReplayPartsPerRequest),
      running_(setup.spec->iodepth),
      begin_(setup.sim->now()),
      last_issue_(begin_),
      free_at_(begin_),
      wake_(this, Phase::kHost) {
  for (Part& part : parts_) {
    part.sink = this;
    part.queue = s_.queue->id();
  }
  for (uint32_t slot = setup.spec->iodepth; slot > 0; --slot) free_.push_back(slot - 1);
  report_.file = s_.spec->file;
  trace_ = Trace::open(s_.spec->file, s_.spec->format, s_.spec->options, report_.error);
  if (trace_ == nullptr) return;
  const DriveLimits limits{s_.host->capacity(), s_.host->lba_size(), s_.host->mdts()};
  stream_ = std::make_unique<ReplayStream>(*trace_, *s_.spec, limits);
}

void Replay::start() {
  if (stream_ == nullptr) exhausted_ = true;
  pump();
}

void Replay::stop() {
  if (done_) return;
  exhausted_ = true;
  if (held_) {
    // It was counted as issued when the stream handed it out.
    held_ = false;
    TraceTally& tally = trace_->reader().tally();
    if (request_.last) --tally.issued;
    if (request_.last) tally.filtered.add("not reached before the stop");
  }
  if (stream_ != nullptr) stream_->stop();
  s_.sim->cancel(wake_);
  if (in_flight_ == 0) s_.sim->schedule(wake_, s_.sim->now());
}

// Issues every request that is due and has a slot, then waits for whichever comes next: the time of
// a request, or a completion.
void Replay::pump() {
  while (!exhausted_) {
    if (!held_) {
      held_ = stream_->next(request_);
      exhausted_ = !held_;
      continue;
    }
    if (free_.empty()) return;
    const Time at = due();
    if (at > max(free_at_, s_.sim->now())) {
      if (!wake_.pending() || wake_.when() != at) s_.sim->reschedule(wake_, at);
      return;
    }
    issue();
  }
  if (in_flight_ > 0 || done_) return;
  done_ = true;
  if (stream_ != nullptr) stream_->fill(report_);
  SIM_ASSERT(report_.tally.balanced() && report_.completed == report_.tally.issued,
             "{}: {} records read, {} issued, {} completed", report_.file, report_.tally.read,
             report_.tally.issued, report_.completed);
  s_.owner->on_replay_done(max(free_at_, s_.sim->now()));
}

Time Replay::due() const {
  switch (s_.spec->mode) {
    case ReplayMode::kOpen:
      return begin_ + request_.due;
    case ReplayMode::kFioGaps:
      return last_issue_ + request_.gap;
    case ReplayMode::kClosed:
      break;
  }
  return begin_;
}

void Replay::issue() {
  const uint32_t slot = free_.back();
  free_.pop_back();
  held_ = false;
  ++in_flight_;
  running_[slot] = request_;
  Part& head = parts_[size_t{slot} * kReplayPartsPerRequest];
  head.called = max(free_at_, s_.sim->now());
  free_at_ = head.called;
  last_issue_ = head.called;
  if (s_.spec->mode != ReplayMode::kClosed)
    report_.lateness.add(max(head.called, begin_ + request_.due) - (begin_ + request_.due));
  head.direction = request_.direction;
  head.bytes = request_.bytes;
  DirectionResult& result = result_of(request_);
  ++result.issued;
  if (request_.flush) {
    ++result.nvme_commands;
    head.parts_left = 1;
    send_part(head, head, Opcode::kFlush, 0, 0);
    return;
  }
  const uint64_t limit = split_limit(request_.direction, s_.host->mdts());
  head.parts_left = static_cast<uint32_t>((request_.bytes + limit - 1) / limit);
  SIM_ASSERT(head.parts_left <= kReplayPartsPerRequest, "{} parts", head.parts_left);
  result.nvme_commands += head.parts_left;
  Part* part = &head;
  const Opcode opcode = opcode_of(request_.direction);
  for (uint64_t done = 0; done < request_.bytes; done += limit, ++part)
    send_part(*part, head, opcode, request_.offset + done, std::min(limit, request_.bytes - done));
}

DirectionResult& Replay::result_of(const ReplayRequest& request) const {
  return request.flush ? s_.result->flushes : (*s_.result)[request.direction];
}

void Replay::send_part(Part& part, Part& head, Opcode opcode, uint64_t offset, uint64_t bytes) {
  free_at_ += s_.cpu->submit_cpu;
  part.head = &head;
  part.ready = free_at_;
  part.opcode = opcode;
  part.fua = request_.fua && opcode == Opcode::kWrite;
  part.lba = Lba(offset >> lba_shift_);
  part.blocks = static_cast<uint32_t>(bytes >> lba_shift_);
  part.status = Status::kSuccess;
  s_.queue->send(part);
}

void Replay::on_completion(Command& command) {
  auto& part = static_cast<Part&>(command);
  Part& head = *part.head;
  free_at_ = max(s_.sim->now(), free_at_) + s_.cpu->complete_cpu;
  s_.queue->on_room(s_.sim->now());
  if (part.status != Status::kSuccess) [[unlikely]]
    ++result_of(running_[slot_of(head)]).errors;
  if (--head.parts_left != 0) return;
  finish_request(head);
  pump();
}

void Replay::finish_request(Part& head) {
  const size_t slot = slot_of(head);
  const ReplayRequest& request = running_[slot];
  DirectionResult& result = result_of(request);
  ++result.completed;
  result.bytes += head.bytes;
  result.latency.add(free_at_ - head.called);
  if (request.last) ++report_.completed;
  free_.push_back(static_cast<uint32_t>(slot));
  --in_flight_;
}

}  // namespace ftlsim
