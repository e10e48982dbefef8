// The part of a job thread that keeps a pace: when it may issue, and what it does while it may not.
#include <algorithm>
#include <utility>

#include "workloads/job_thread.h"

namespace ftlsim {

void JobThread::on_wake() {
  if (!begun_) return begin();
  sleeping_ = false;
  free_at_ = free_from_now();
  if (s_.paced) return pump();
  if (in_flight_ == 0) end();
}

// Another member may be in the middle of its own work: asks again in an event.
void JobThread::on_flow() {
  if (!ended_ && !wake_.pending()) sleep_until(s_.sim->now());
}

void JobThread::sleep_until(Time at) {
  sleeping_ = true;
  s_.sim->schedule(wake_, max(at, s_.sim->now()));
}

// Issues what may be issued now; whoever calls has changed what that depends on.
void JobThread::pump() {
  while (fetch() && may_issue()) issue_held();
  commit();
  if (exhausted_ && in_flight_ == 0) end();
}

// Has a request in `request_`, if there is one to come.
bool JobThread::fetch() {
  if (exhausted_ || sleeping_ || full_) return false;
  if (free_at_ >= s_.deadline || depth_control_.finished()) {
    exhausted_ = true;
    return false;
  }
  if (held_) return true;
  if (thinking_) return true;  // the pause comes first
  request_ = IoRequest{};
  held_ = s_.source->next_paced(free_at_ - base_, request_);
  exhausted_ = !held_;
  return held_;
}

// Whether `request_` may go now. If not, either something in flight has to complete first, or the
// thread sleeps, or it waits for its flow.
bool JobThread::may_issue() {
  if (thinking_) {
    if (in_flight_ > 0) return false;
    thinking_ = false;
    if (s_.pace.rate_ignores_think) base_ += s_.pace.think;
    last_think_ = free_at_ + s_.pace.think;
    sleep_until(min(last_think_, s_.deadline));
    return false;
  }
  if (request_.barrier && in_flight_ > 0) return false;
  const Time due = base_ + request_.due;
  if (due > free_at_) {
    // As fio does: without an open loop, everything in flight is waited for before a sleep.
    if (in_flight_ > 0 && !s_.pace.open_loop) return false;
    sleep_until(min(due, s_.deadline));
    return false;
  }
  if (free_ == nullptr) return false;
  return s_.flow == nullptr || s_.flow->issue(*this);
}

void JobThread::issue_held() {
  Part& head = *free_;
  free_ = head.next;
  held_ = false;
  const bool timed = s_.pace.open_loop && !s_.pace.from_issue && request_.due > Duration{};
  head.called = timed ? min(base_ + request_.due, free_at_) : free_at_;
  issue(head, request_);
  full_ = in_flight_ >= depth_;
  if (s_.batch.submit > 1 && ++staged_requests_ >= s_.batch.submit) commit();
  if (s_.pace.think_on_issue) think();
}

// Counts a request and decides whether a pause is due.
void JobThread::think() {
  if (s_.pace.think <= Duration{} || ++think_count_ < s_.pace.think_blocks) return;
  if (free_at_ - last_think_ < s_.pace.think_iotime) return;
  think_count_ = 0;
  thinking_ = true;
}

// Hands over what is staged.
void JobThread::commit() {
  staged_requests_ = 0;
  while (staged_ != nullptr) {
    Part& part = *staged_;
    staged_ = part.next;
    part.ready = free_at_;
    part.head->issued = free_at_;
    s_.queue->send(part);
  }
}

// Handles the completions, once there are enough of them.
void JobThread::reap() {
  if (full_ && !exhausted_ && done_count_ < std::min(s_.batch.complete, in_flight_)) return;
  Part* oldest = nullptr;
  while (done_ != nullptr) {
    Part& head = *std::exchange(done_, done_->next);
    head.next = oldest;
    oldest = &head;
  }
  done_count_ = 0;
  while (oldest != nullptr) {
    Part& head = *std::exchange(oldest, oldest->next);
    spend_on_completion();
    finish_request(head);
    if (depth_control_.active()) depth_control_.add(free_at_ - head.called, free_at_);
    head.next = free_;
    free_ = &head;
    if (!s_.pace.think_on_issue) think();
  }
  if (depth_control_.active()) depth_ = depth_control_.depth();
  const uint32_t low = s_.batch.low == 0 ? depth_ - 1 : s_.batch.low;
  if (in_flight_ <= low) full_ = false;
}

}  // namespace ftlsim
