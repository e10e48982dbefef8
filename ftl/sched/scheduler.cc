#include "ftl/sched/scheduler.h"

#include <algorithm>

#include "sim/assert.h"

namespace ftlsim {

DieScheduler::DieScheduler(Simulator& sim, const SchedConfig& config, Flash& flash)
    : sim_(sim),
      config_(config),
      policy_(config.policy.make({flash.layout().dies()})),
      suspends_(policy_->suspends()),
      accounts_(policy_->accounts()),
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

// The write that could start next: loaded, or an erase.
const Operation* DieScheduler::waiting_write(const DieQueue& q) const {
  const Operation* loaded = flash_.loaded(q.id);
  if (loaded != nullptr || q.writes.empty()) return loaded;
  const Operation& head = q.writes.front();
  return head.kind == OpKind::kErase ? &head : nullptr;
}

bool DieScheduler::starved(const DieQueue& q, const Operation* waiting) const {
  if (const Operation* array = flash_.array(q.id)) {
    const Duration bound = config_.starvation_bound * 2;
    return array->state == Operation::State::kSuspended && sim_.now() - array->ready > bound;
  }
  return waiting != nullptr && sim_.now() - waiting->ready > config_.starvation_bound;
}

// The class to serve first; kWrite only if a write could start or go on.
DieClass DieScheduler::first(const DieQueue& q) const {
  const Operation* waiting = waiting_write(q);
  if (starved(q, waiting)) {
    if (log_ != nullptr) [[unlikely]]
      note_first(q, waiting, true, DieClass::kWrite);
    return DieClass::kWrite;
  }
  DieView view;
  view.die = q.id.value();
  if (!q.host_reads.empty()) {
    view.waiting[0] = true;
    view.since[0] = q.host_reads.front().ready;
  }
  if (!q.other_reads.empty()) {
    view.waiting[1] = true;
    view.since[1] = q.other_reads.front().ready;
  }
  // What is in the array has been chosen already; only starvation takes it before reads again.
  if (waiting != nullptr && flash_.array(q.id) == nullptr) {
    view.waiting[2] = true;
    view.since[2] = waiting->ready;
  }
  if (!view.waiting[0] && !view.waiting[1]) return DieClass::kHostRead;
  const DieClass c = policy_->first(view);
  if (log_ != nullptr) [[unlikely]]
    note_first(q, view.waiting[2] ? waiting : nullptr, false, c);
  return c;
}

// A choice among several classes: how long the oldest of each has waited.
void DieScheduler::note_first(const DieQueue& q, const Operation* waiting, bool starved,
                              DieClass c) const {
  const Operation* oldest[kDieClasses] = {
      q.host_reads.empty() ? nullptr : &q.host_reads.front(),
      q.other_reads.empty() ? nullptr : &q.other_reads.front(),
      waiting != nullptr || !starved ? waiting : flash_.array(q.id)};
  if ((oldest[0] != nullptr) + (oldest[1] != nullptr) + (oldest[2] != nullptr) < 2) return;
  const auto waited = [this](const Operation* op) {
    if (op == nullptr) return DecisionValue("");
    return DecisionValue(static_cast<double>((sim_.now() - op->ready).to_ns()) / 1000.0);
  };
  constexpr const char* kNames[kDieClasses] = {"host_read", "other_read", "write"};
  log_->decided(Decision::kSched, {uint32_t{q.id.value()}, waited(oldest[0]), waited(oldest[1]),
                                   waited(oldest[2]), starved, kNames[static_cast<size_t>(c)]});
}

// Nothing but host reads can start on the die, so that there is no choice. A policy that accounts for
// die time wants to see who waits all the same.
bool DieScheduler::only_host_reads(const DieQueue& q) const {
  return q.other_reads.empty() && q.writes.empty() && flash_.loaded(q.id) == nullptr &&
         flash_.array(q.id) == nullptr && !accounts_;
}

void DieScheduler::step(DieQueue& q) {
  if (only_host_reads(q)) {
    start_reads(q, q.host_reads);
    return;
  }
  DieClass turn = q.host_reads.empty() && q.other_reads.empty() ? DieClass::kHostRead : first(q);
  Operation* array = flash_.array(q.id);
  if (turn == DieClass::kOtherRead && array == nullptr) start_reads(q, q.other_reads);
  if (!q.host_reads.empty() && turn != DieClass::kWrite) {
    if (array != nullptr && suspends_ && flash_.can_suspend(q.id)) {
      flash_.suspend(q.id);
    } else {
      start_reads(q, q.host_reads);
      if (q.host_reads.empty() && !q.other_reads.empty()) turn = first(q);
    }
  }
  if (array == nullptr && q.host_reads.empty() && turn != DieClass::kWrite)
    start_reads(q, q.other_reads);
  load(q);
  if (array != nullptr) {
    finish_array(q, *array);
  } else if (q.host_reads.empty() || turn == DieClass::kWrite) {
    start_array(q);
  }
}

// A suspended operation goes on when no host read wants the die.
void DieScheduler::finish_array(DieQueue& q, Operation& array) {
  if (array.state != Operation::State::kSuspended || !flash_.can_resume(q.id)) return;
  if (!q.host_reads.empty() && !starved(q, nullptr)) return;
  if (take_credit(q)) flash_.resume(q.id);
}

void DieScheduler::start_reads(DieQueue& q, OperationList& list) {
  uint8_t free = flash_.free_planes(q.id);
  for (auto it = list.begin(); it != list.end() && free != 0;) {
    Operation& op = *it;
    if ((op.plane_mask & ~free) == 0 && flash_.can_sense(op)) {
      it = list.erase(it);
      if (accounts_)
        policy_->started(q.id.value(), op.urgent ? DieClass::kHostRead : DieClass::kOtherRead,
                         flash_.sense_time(op.mode, op.slots));
      flash_.start_read(op);
    } else {
      if (!config_.overtake) return;
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

void DieScheduler::account_write(const DieQueue& q, Duration time) {
  if (accounts_) policy_->started(q.id.value(), DieClass::kWrite, time);
}

void DieScheduler::start_array(DieQueue& q) {
  if (!flash_.array_free(q.id)) return;
  if (flash_.loaded(q.id) != nullptr) {
    if (!take_credit(q)) return;
    account_write(q, flash_.program_time(flash_.loaded(q.id)->mode));
    flash_.start_program(q.id);
    return;
  }
  // A program that is still being loaded was queued before the erase behind it.
  if (q.writes.empty() || q.writes.front().kind != OpKind::kErase || !flash_.can_load(q.id)) return;
  if (!take_credit(q)) return;
  Operation& op = q.writes.front();
  q.writes.pop_front();
  --q.writes_waiting;
  account_write(q, flash_.erase_time(flash_.media().die_block(op.superblock, op.die).mode));
  flash_.start_erase(op);
}

}  // namespace ftlsim
