#include "ftl/host/controller.h"

#include <algorithm>

#include "sim/assert.h"

namespace ftlsim {
namespace {

// Most commands inside the device at once; the host waits beyond that.
constexpr uint32_t kMaxSlots = 65536;

}  // namespace

Controller::Controller(Simulator& sim, const DriveConfig& config, CommandBackend& backend,
                       Fingerprint& fingerprint, FtlStats& stats)
    : sim_(sim),
      config_(config),
      backend_(backend),
      fingerprint_(fingerprint),
      stats_(stats),
      units_per_lba_shift_(config.lba_size.count() == 512 ? 3 : 0),
      queues_(config.queues.count),
      cores_(config.firmware.cores),
      core_event_(this, Phase::kFirmware) {
  const uint32_t n = static_cast<uint32_t>(
      std::min<uint64_t>(kMaxSlots, uint64_t{config.queues.count} * config.queues.depth));
  slots_ = std::make_unique<CommandSlot[]>(n);
  free_slots_.reserve(n);
  for (uint32_t i = n; i-- > 0;) {
    slots_[i].sink = this;
    free_slots_.push_back(&slots_[i]);
  }
}

Controller::~Controller() {
  for (Queue& q : queues_) q.waiting.clear();
}

Status Controller::check(const Command& c) const {
  if (c.opcode == Opcode::kFlush || c.opcode == Opcode::kFormat) return Status::kSuccess;
  const uint64_t blocks = config_.capacity / config_.lba_size;
  if (c.blocks == 0) return Status::kInvalidField;
  if (c.opcode != Opcode::kDeallocate && config_.lba_size * c.blocks > config_.queues.mdts)
    return Status::kInvalidField;
  if (c.lba.value() >= blocks || c.blocks > blocks - c.lba.value()) return Status::kLbaOutOfRange;
  return Status::kSuccess;
}

// The one place that turns a host range into mapping units. A read or write touches every unit that
// it covers in part; a write reads those first and writes them whole. A deallocate takes only units
// that it covers wholly.
void Controller::set_range(CommandSlot& slot) {
  const Command& c = *slot.command;
  const uint32_t shift = units_per_lba_shift_;
  const uint64_t mask = (uint64_t{1} << shift) - 1;
  const uint64_t first = c.lba.value();
  const uint64_t end = first + c.blocks;
  slot.head_partial = (first & mask) != 0;
  slot.tail_partial = (end & mask) != 0;
  if (c.opcode == Opcode::kDeallocate) {
    const uint64_t lo = (first + mask) >> shift;
    const uint64_t hi = end >> shift;
    slot.lpn = Lpn(static_cast<uint32_t>(lo));
    slot.units = hi > lo ? static_cast<uint32_t>(hi - lo) : 0;
    stats_.trim_partial_slots += slot.head_partial + slot.tail_partial;
    return;
  }
  slot.lpn = Lpn(static_cast<uint32_t>(first >> shift));
  slot.units =
      c.blocks == 0 ? 0 : static_cast<uint32_t>(((end + mask) >> shift) - (first >> shift));
}

Duration Controller::occupancy(const CommandSlot& slot) const {
  const bool moves_data =
      slot.command->opcode == Opcode::kRead || slot.command->opcode == Opcode::kWrite;
  return config_.firmware.command_occupancy +
         config_.firmware.slot_occupancy * (moves_data ? slot.units : 0);
}

Duration Controller::latency(const CommandSlot& slot) const {
  return slot.command->opcode == Opcode::kRead ? config_.firmware.read_latency
                                               : config_.firmware.write_latency;
}

void Controller::submit(Command& command, Time at) {
  SIM_ASSERT(command.queue.value() < queues_.size(), "queue {} of {}", command.queue.value(),
             queues_.size());
  Queue& queue = queues_[command.queue.value()];
  SIM_ASSERT(queue.used < config_.queues.depth && !free_slots_.empty(),
             "submission queue {} is full", command.queue.value());
  SIM_ASSERT(command.slot == UINT32_MAX, "the command is outstanding already");
  ++queue.used;
  const bool first = outstanding_++ == 0;
  if (first) backend_.host_idle_changed(false);
  CommandSlot& slot = *free_slots_.back();
  free_slots_.pop_back();
  slot.command = &command;
  slot.failed = false;
  slot.unrecovered = false;
  command.slot = static_cast<uint32_t>(&slot - slots_.get());
  command.submitted = at;
  command.status = check(command);
  if (command.status == Status::kSuccess) {
    set_range(slot);
    if (slot.units != 0) backend_.prefetch(slot.lpn, slot.units);
  }
  const Time arrival = at + config_.link.latency;
  if (first) {
    const Duration wake = backend_.wake_latency();
    if (wake != Duration()) gate_ = max(gate_, arrival + wake);
  }
  // With a core free at the arrival and nobody before it there is nothing to arbitrate: the arrival
  // needs no event of its own.
  const bool in_order = queued_ == 0 && arrival >= last_arrival_;
  last_arrival_ = max(last_arrival_, arrival);
  slot.set_phase(Phase::kFirmware);
  if (in_order && take_core(slot, arrival)) return;
  slot.stage = Stage::kArrival;
  sim_.schedule(slot, arrival);
}

// Time between the fetch of a command and that of the next at the pace in force.
Duration Controller::pause(const CommandSlot& slot) const {
  const Command& c = *slot.command;
  const bool moves_data = c.opcode == Opcode::kRead || c.opcode == Opcode::kWrite;
  if (!moves_data || c.status != Status::kSuccess) return Duration();
  return Duration::ceil_ps(pace_ps_ * slot.units);
}

void Controller::set_pace(uint64_t bytes_per_second, bool halted) {
  pace_ps_ =
      bytes_per_second == 0 ? 0 : uint64_t{kSlotBytes} * 1'000'000'000'000 / bytes_per_second;
  if (halted) {
    gate_ = Time::never();
    sim_.cancel(core_event_);
    return;
  }
  if (gate_ == Time::never()) gate_ = sim_.now();
  if (queued_ != 0) schedule_cores();
}

// Looks again at the queues when a core is free and the gate is open.
void Controller::schedule_cores() {
  if (core_event_.pending() || gate_ == Time::never()) return;
  const Time core = *std::min_element(cores_.begin(), cores_.end());
  sim_.schedule(core_event_, max(sim_.now(), max(gate_, core)));
}

// Takes a core that is free at `at` and schedules the end of the firmware stage.
bool Controller::take_core(CommandSlot& slot, Time at) {
  if (gate_ > at) return false;
  for (Time& core : cores_) {
    if (core > at) continue;
    core = at + occupancy(slot);
    ++stats_.fetched_commands;
    if (pace_ps_ != 0) gate_ = at + pause(slot);
    slot.stage = Stage::kFirmware;
    if (observer_ != nullptr) [[unlikely]]
      observer_->core_taken(static_cast<uint32_t>(&core - cores_.data()), slot, at, core);
    sim_.schedule(slot, core + latency(slot));
    return true;
  }
  return false;
}

void Controller::arrived(CommandSlot& slot) {
  if (queued_ == 0 && take_core(slot, sim_.now())) return;
  slot.stage = Stage::kQueued;
  queues_[slot.command->queue.value()].waiting.push_back(slot);
  ++queued_;
  schedule_cores();
}

void Controller::core_free() {
  while (queued_ != 0) {
    const Time next = max(gate_, *std::min_element(cores_.begin(), cores_.end()));
    if (next > sim_.now()) {
      schedule_cores();
      return;
    }
    CommandSlot* slot = arbitrate();
    --queued_;
    take_core(*slot, sim_.now());
  }
}

CommandSlot* Controller::arbitrate() {
  const bool weighted = config_.queues.arbitration == Arbitration::kWeighted;
  for (;;) {
    Queue& q = queues_[turn_];
    const uint32_t most = weighted && turn_ < config_.queues.high_priority_queues
                              ? config_.queues.high_priority_weight
                              : 1;
    if (!q.waiting.empty() && burst_ < most) {
      ++burst_;
      CommandSlot& slot = q.waiting.front();
      q.waiting.pop_front();
      return &slot;
    }
    burst_ = 0;
    turn_ = (turn_ + 1) % static_cast<uint32_t>(queues_.size());
  }
}

void Controller::stage(CommandSlot& slot) {
  switch (slot.stage) {
    case Stage::kArrival:
      arrived(slot);
      return;
    case Stage::kFirmware:
      translate(slot);
      return;
    case Stage::kTranslation:
      dispatch(slot);
      return;
    case Stage::kTransfer:
      backend_.write_transferred(slot);
      return;
    case Stage::kCompletion:
      complete(slot);
      return;
    default:
      SIM_ASSERT(false, "a command woke in stage {}", static_cast<int>(slot.stage));
  }
}

void Controller::translate(CommandSlot& slot) {
  if (slot.command->status != Status::kSuccess) {
    finish(slot, sim_.now());
    return;
  }
  slot.stage = Stage::kTranslation;
  const Opcode op = slot.command->opcode;
  const bool asks = op != Opcode::kFlush && op != Opcode::kFormat && slot.units != 0;
  if (!asks || backend_.translate(slot)) dispatch(slot);
}

void Controller::dispatch(CommandSlot& slot) {
  switch (slot.command->opcode) {
    case Opcode::kRead:
      backend_.start_read(slot);
      return;
    case Opcode::kWrite:
      if (slot.head_partial || slot.tail_partial)
        backend_.start_modify(slot);
      else
        backend_.start_write(slot);
      return;
    case Opcode::kFlush:
      backend_.start_flush(slot);
      return;
    case Opcode::kDeallocate:
      backend_.start_deallocate(slot);
      return;
    case Opcode::kFormat:
      backend_.start_format(slot);
      return;
  }
}

void Controller::rest_unpowered(Duration span, int64_t millidegrees) {
  SIM_ASSERT(outstanding_ == 0, "power off with {} commands outstanding", outstanding_);
  backend_.rest_unpowered(span, millidegrees);
}

void Controller::finish(CommandSlot& slot, Time when) {
  slot.stage = Stage::kCompletion;
  slot.set_phase(Phase::kHost);
  sim_.schedule(slot, when + config_.link.latency + interrupt_latency_);
}

void Controller::complete(CommandSlot& slot) {
  Command& command = *slot.command;
  command.completed = sim_.now();
  fingerprint_.add(sim_.now(), 32u + static_cast<uint32_t>(command.opcode),
                   (command.lba.value() << 16) ^ command.blocks);
  if (observer_ != nullptr) [[unlikely]]
    observer_->command_completed(command, slot);
  --queues_[command.queue.value()].used;
  --outstanding_;
  slot.stage = Stage::kFree;
  slot.command = nullptr;
  command.slot = UINT32_MAX;
  free_slots_.push_back(&slot);
  command.sink->on_completion(command);
  if (outstanding_ == 0) backend_.host_idle_changed(true);
}

}  // namespace ftlsim
