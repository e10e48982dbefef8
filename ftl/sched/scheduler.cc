#include "ftl/sched/scheduler.h"

#include <algorithm>

#include "sim/assert.h"

namespace ftlsim {

DieScheduler::DieScheduler(Simulator& sim, const SchedConfig& config, Flash& flash)
    : sim_(sim),
      config_(config),
      flash_(flash),
      dies_(flash.layout().dies()),
      all_credits_(config.power_credits == 0 ? flash.layout().dies() : config.power_credits),
      credits_(all_credits_) {
  for (uint16_t d = 0; d < dies_.size(); ++d) dies_[d].id = DieId(d);
  flash_.set_listener(*this);
}

DieScheduler::~DieScheduler() {
  credit_waiters_.clear();
  for (DieQueue& q : dies_) {
    q.host_reads.clear();
    q.other_reads.clear();
    q.writes.clear();
  }
}

void DieScheduler::submit(Operation& op) {
  DieQueue& q = dies_[op.die.value()];
  if (outstanding_++ == 0 && activity_ != nullptr) activity_->flash_active(true);
  op.ready = sim_.now();
  if (op.kind == OpKind::kRead) {
    (op.urgent ? q.host_reads : q.other_reads).push_back(op);
  } else {
    ++q.writes_waiting;
    q.writes.push_back(op);
  }
  dispatch(q);
}

void DieScheduler::die_ready(DieId die) { dispatch(dies_[die.value()]); }

void DieScheduler::power_released(DieId die) {
  DieQueue& owner = dies_[die.value()];
  SIM_ASSERT(owner.has_credit, "die {} released a credit that it does not hold", die.value());
  owner.has_credit = false;
  --credits_used_;
  grant_credits();
}

void DieScheduler::limit_credits(double share, bool none) {
  const auto left = static_cast<uint32_t>(share * all_credits_);
  credits_ = none ? 0 : std::max(1u, left);
  grant_credits();
}

void DieScheduler::grant_credits() {
  while (credits_used_ < credits_ && !credit_waiters_.empty()) {
    DieQueue& q = credit_waiters_.front();
    credit_waiters_.pop_front();
    q.waits_for_credit = false;
    dispatch(q);
  }
}

void DieScheduler::read_again(Operation& op) {
  DieQueue& q = dies_[op.die.value()];
  op.ready = sim_.now();
  (op.urgent ? q.host_reads : q.other_reads).push_front(op);
  dispatch(q);
}

bool DieScheduler::take_credit(DieQueue& q) {
  if (q.has_credit) return true;
  if (credits_used_ < credits_ && (credit_waiters_.empty() || !q.waits_for_credit)) {
    ++credits_used_;
    q.has_credit = true;
    return true;
  }
  if (!q.waits_for_credit) {
    q.waits_for_credit = true;
    credit_waiters_.push_back(q);
  }
  return false;
}

// A handler may free something on the same die again: run until nothing is left to start.
void DieScheduler::dispatch(DieQueue& q) {
  if (q.dispatching) {
    q.again = true;
    return;
  }
  q.dispatching = true;
  do {
    q.again = false;
    step(q);
  } while (q.again);
  q.dispatching = false;
}

bool DieScheduler::writes_first(const DieQueue& q) const {
  const Operation* waiting = flash_.loaded(q.id);
  if (waiting == nullptr && !q.writes.empty() && q.writes.front().kind == OpKind::kErase)
    waiting = &q.writes.front();
  const Operation* array = flash_.array(q.id);
  if (array != nullptr) {
    const Duration bound = config_.starvation_bound * 2;
    return array->state == Operation::State::kSuspended && sim_.now() - array->ready > bound;
  }
  if (waiting == nullptr) return false;
  if (sim_.now() - waiting->ready > config_.starvation_bound) return true;
  return !config_.read_priority && !q.host_reads.empty() &&
         waiting->ready < q.host_reads.front().ready;
}

void DieScheduler::step(DieQueue& q) {
  const bool hold_reads = writes_first(q);
  Operation* array = flash_.array(q.id);
  if (!q.host_reads.empty() && !hold_reads) {
    if (array != nullptr && config_.suspend && flash_.can_suspend(q.id)) {
      flash_.suspend(q.id);
    } else {
      start_reads(q, q.host_reads);
    }
  }
  if (array == nullptr && q.host_reads.empty() && !hold_reads) start_reads(q, q.other_reads);
  load(q);
  if (array != nullptr) {
    finish_array(q, *array);
  } else if (q.host_reads.empty() || hold_reads) {
    start_array(q);
  }
}

// A suspended operation goes on when no host read wants the die.
void DieScheduler::finish_array(DieQueue& q, Operation& array) {
  if (array.state != Operation::State::kSuspended || !flash_.can_resume(q.id)) return;
  if (!q.host_reads.empty() && !writes_first(q)) return;
  if (take_credit(q)) flash_.resume(q.id);
}

void DieScheduler::start_reads(DieQueue& q, OperationList& list) {
  uint8_t free = flash_.free_planes(q.id);
  for (auto it = list.begin(); it != list.end() && free != 0;) {
    Operation& op = *it;
    if ((op.plane_mask & ~free) == 0 && flash_.can_sense(op)) {
      it = list.erase(it);
      flash_.start_read(op);
    } else {
      ++it;  // its planes stay reserved: later reads must not overtake it there
    }
    free &= static_cast<uint8_t>(~op.plane_mask);
  }
}

void DieScheduler::load(DieQueue& q) {
  if (q.writes.empty() || q.writes.front().kind != OpKind::kProgram || !flash_.can_load(q.id))
    return;
  Operation& op = q.writes.front();
  q.writes.pop_front();
  --q.writes_waiting;
  flash_.load_program(op);
}

void DieScheduler::start_array(DieQueue& q) {
  if (!flash_.array_free(q.id)) return;
  if (flash_.loaded(q.id) != nullptr) {
    if (take_credit(q)) flash_.start_program(q.id);
    return;
  }
  // A program that is still being loaded was queued before the erase behind it.
  if (q.writes.empty() || q.writes.front().kind != OpKind::kErase || !flash_.can_load(q.id)) return;
  if (!take_credit(q)) return;
  Operation& op = q.writes.front();
  q.writes.pop_front();
  --q.writes_waiting;
  flash_.start_erase(op);
}

}  // namespace ftlsim
