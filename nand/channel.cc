#include "nand/channel.h"

namespace ftlsim {

Channel::Channel(Simulator& sim, const BusConfig& config, TransferSink& sink)
    : sim_(sim),
      sink_(sink),
      ps_per_slot_(uint64_t{kSlotBytes} * 1'000'000 / config.transfer_rate),
      overhead_ps_(static_cast<uint64_t>(config.command_overhead.to_ns()) * 1000),
      quantum_(Duration::ceil_ps(config.quantum.count() * 1'000'000 / config.transfer_rate)),
      done_(this, Phase::kMedia) {}

Channel::~Channel() {
  urgent_.clear();
  bulk_.clear();
}

Duration Channel::transfer_time(uint32_t slots) const {
  return Duration::ceil_ps(overhead_ps_ + ps_per_slot_ * slots);
}

void Channel::request(Operation& op) {
  if (active_ == nullptr) {
    start(op, transfer_time(op.bus_slots));
    return;
  }
  (op.urgent ? urgent_ : bulk_).push_back(op);
  if (op.urgent && !active_->urgent && paused_ == nullptr) preempt();
}

void Channel::start(Operation& op, Duration duration) {
  active_ = &op;
  start_ = sim_.now();
  urgent_in_a_row_ = op.urgent ? urgent_in_a_row_ + 1 : 0;
  sim_.schedule(done_, start_ + duration);
}

// The running bulk transfer ends its quantum, then the urgent one goes.
void Channel::preempt() {
  const Time now = sim_.now();
  const Time end = done_.when();
  Time pause = now;
  const Duration into = now - start_;
  const int64_t rest = into.to_ns() % quantum_.to_ns();
  if (rest != 0) pause += Duration::ns(quantum_.to_ns() - rest);
  pause = max(pause, not_before_);
  if (pause + quantum_ >= end) return;  // nearly done: let it end
  paused_ = active_;
  paused_left_ = end - pause;
  active_ = nullptr;
  busy_ns_ += (pause - start_).to_ns();
  if (observer_ != nullptr && pause > start_) [[unlikely]]
    observer_->transferred(self_, *paused_, start_, pause);
  Operation& op = urgent_.front();
  urgent_.pop_front();
  sim_.cancel(done_);
  active_ = &op;
  start_ = pause;
  urgent_in_a_row_ = 1;
  sim_.schedule(done_, pause + transfer_time(op.bus_slots));
}

void Channel::done() {
  Operation& op = *active_;
  active_ = nullptr;
  busy_ns_ += (sim_.now() - start_).to_ns();
  if (observer_ != nullptr) [[unlikely]]
    observer_->transferred(self_, op, start_, sim_.now());
  start_next();
  sink_.transfer_done(op);
}

void Channel::start_next() {
  const bool bulk_waits = paused_ != nullptr || !bulk_.empty();
  const bool bulk_turn = bulk_waits && (urgent_.empty() || urgent_in_a_row_ >= kUrgentBurst);
  if (!urgent_.empty() && !bulk_turn) {
    Operation& op = urgent_.front();
    urgent_.pop_front();
    start(op, transfer_time(op.bus_slots));
    return;
  }
  if (!bulk_waits) return;
  Operation* op = paused_;
  Duration duration = paused_left_;
  if (op == nullptr) {
    op = &bulk_.front();
    bulk_.pop_front();
    duration = transfer_time(op->bus_slots);
  }
  paused_ = nullptr;
  not_before_ = sim_.now() + (urgent_.empty() ? Duration() : quantum_ * kBulkQuanta);
  start(*op, duration);
  if (!urgent_.empty()) preempt();
}

}  // namespace ftlsim
