#include "workloads/trace/replay.h"

#include "sim/assert.h"

namespace ftlsim {

Replay::Replay(const Setup& setup)
    : HostThread(*setup.sim, *setup.host, *setup.cpu, *setup.queue),
      s_(setup),
      parts_(size_t{setup.spec->iodepth} * kReplayPartsPerRequest),
      running_(setup.spec->iodepth),
      begin_(setup.sim->now()),
      deadline_(setup.spec->runtime > Duration{} ? begin_ + setup.spec->runtime : Time::never()),
      last_issue_(begin_),
      wake_(this, Phase::kHost) {
  own(parts_);
  for (uint32_t slot = setup.spec->iodepth; slot > 0; --slot) free_.push_back(slot - 1);
  report_.file = s_.spec->file;
  trace_ = Trace::open(s_.spec->file, s_.spec->format, s_.spec->options, report_.error);
  if (trace_ == nullptr) return;
  const DriveLimits limits{s_.host->capacity(), s_.host->lba_size(), s_.host->mdts()};
  stream_ = std::make_unique<ReplayStream>(*trace_, *s_.spec, limits);
}

void Replay::start() {
  if (stream_ == nullptr) exhausted_ = true;
  if (s_.observer != nullptr) s_.observer->on_thread_begin(0, *s_.job, 0, free_from_now());
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
    if (free_from_now() >= deadline_) {
      stop();
      s_.sim->cancel(wake_);  // what is left to do comes below
      break;
    }
    const Time at = min(due(), deadline_);
    if (at > free_from_now()) {
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
  if (s_.observer != nullptr) s_.observer->on_thread_end(0, free_from_now());
  s_.owner->on_replay_done(free_from_now());
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
  head.called = last_issue_ = free_at_ = free_from_now();
  if (s_.spec->mode != ReplayMode::kClosed)
    report_.lateness.add(max(head.called, begin_ + request_.due) - (begin_ + request_.due));
  head.direction = request_.direction;
  head.bytes = request_.bytes;
  head.depth = in_flight_;
  head.failed = false;
  const Opcode opcode = request_.flush ? Opcode::kFlush : opcode_of(request_.direction);
  const bool fua = request_.fua && opcode == Opcode::kWrite;
  const uint32_t parts = issue_parts(head, opcode, fua, request_.offset, result_of(request_),
                                     [this](Part& part) { s_.queue->send(part); });
  SIM_ASSERT(parts <= kReplayPartsPerRequest, "{} parts", parts);
  head.issued = free_at_;
}

DirectionResult& Replay::result_of(const ReplayRequest& request) const {
  return request.flush ? s_.result->flushes : (*s_.result)[request.direction];
}

void Replay::on_completion(Command& command) {
  auto& part = static_cast<Part&>(command);
  Part& head = *part.head;
  spend_on_completion();
  s_.queue->on_room(s_.sim->now());
  if (part.status != Status::kSuccess) [[unlikely]] {
    ++result_of(running_[slot_of(head)]).errors;
    head.failed = true;
  }
  if (--head.parts_left != 0) return;
  finish_request(head);
  pump();
}

void Replay::finish_request(Part& head) {
  const size_t slot = slot_of(head);
  const ReplayRequest& request = running_[slot];
  count_completion(head, result_of(request));
  if (s_.observer != nullptr) [[unlikely]]
    observe(head);
  if (request.last) ++report_.completed;
  free_.push_back(static_cast<uint32_t>(slot));
  --in_flight_;
}

void Replay::observe(const Part& head) const {
  IoEvent event;
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
