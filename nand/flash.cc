#include "nand/flash.h"

#include <bit>

#include "sim/assert.h"

namespace ftlsim {

void Operation::fire() { flash->on_event(*this); }

Flash::Flash(Simulator& sim, const NandConfig& config, Media& media)
    : sim_(sim),
      timing_(config.timing),
      media_(media),
      dies_(media.layout().dies()),
      all_planes_(static_cast<uint8_t>((1u << config.geometry.planes) - 1)) {
  for (uint32_t c = 0; c < config.geometry.channels; ++c)
    channels_.push_back(std::make_unique<Channel>(sim, config.bus, *this));
}

Duration Flash::sense_time(CellMode mode, uint32_t slots) const {
  if (mode == CellMode::kSlc) return timing_.read_slc;
  return slots <= 1 ? timing_.read_slot : timing_.read_page;
}

Duration Flash::program_time(CellMode mode) const {
  return mode == CellMode::kSlc ? timing_.program_slc : timing_.program;
}

Duration Flash::erase_time(CellMode mode) const {
  return mode == CellMode::kSlc ? timing_.erase_slc : timing_.erase;
}

bool Flash::can_sense(const Operation& op) const {
  const Die& die = dies_[op.die.value()];
  if (timing_.independent_plane_reads || die.sensing == 0) return true;
  return die.sense_start == sim_.now() && die.sense_row == op.row && die.sense_page == op.page;
}

void Flash::start_read(Operation& op) {
  Die& die = dies_[op.die.value()];
  SIM_ASSERT((op.plane_mask & ~free_planes(op.die)) == 0 && can_sense(op), "plane is not free");
  media_.check_read(op.superblock, op.die, op.row, op.mode, op.plane_mask);
  op.flash = this;
  op.state = Operation::State::kSensing;
  die.sensing |= op.plane_mask;
  die.sense_row = op.row;
  die.sense_page = op.page;
  die.sense_start = sim_.now();
  const Duration sense = sense_time(op.mode, op.slots);
  ++die.counters.reads;
  const int planes = std::popcount(op.plane_mask);
  die.counters.read_plane_ns += sense.to_ns() * planes;
  work_.sensed_planes[static_cast<size_t>(op.mode)] += static_cast<uint64_t>(planes);
  work_.bus_slots += op.slots;
  fingerprint_.add(sim_.now(), 1u + op.page, op.first.value());
  sim_.schedule_in(op, sense);
}

void Flash::load_program(Operation& op) {
  Die& die = dies_[op.die.value()];
  SIM_ASSERT(can_load(op.die), "program latches are taken");
  op.flash = this;
  op.state = Operation::State::kBus;
  die.latches = &op;
  work_.bus_slots += op.slots;
  channel(op.die).request(op);
}

void Flash::start_program(DieId id) {
  Die& die = dies_[id.value()];
  Operation& op = *die.latches;
  SIM_ASSERT(array_free(id) && op.state == Operation::State::kLoaded, "array is not free");
  media_.begin_program(op.superblock, op.die, op.row, op.mode);
  die.latches = nullptr;
  die.array = &op;
  op.state = Operation::State::kArray;
  op.suspends = 0;
  op.array_end = sim_.now() + program_time(op.mode);
  ++die.counters.programs;
  work_.programmed_planes[static_cast<size_t>(op.mode)] +=
      static_cast<uint64_t>(std::popcount(op.plane_mask));
  fingerprint_.add(sim_.now(), 8u + static_cast<uint32_t>(op.mode),
                   (uint64_t{op.superblock.value()} << 32) | (uint64_t{op.row} << 16) | id.value());
  sim_.schedule(op, op.array_end);
  if (timing_.cache_program) listener_->die_ready(id);  // the latches came free
}

void Flash::start_erase(Operation& op) {
  Die& die = dies_[op.die.value()];
  SIM_ASSERT(array_free(op.die), "array is not free");
  op.flash = this;
  const CellMode used = media_.die_block(op.superblock, op.die).mode;
  media_.begin_erase(op.superblock, op.die);
  die.array = &op;
  op.state = Operation::State::kArray;
  op.suspends = 0;
  op.array_end = sim_.now() + erase_time(used);
  ++die.counters.erases;
  work_.erased_planes[static_cast<size_t>(used)] +=
      static_cast<uint64_t>(std::popcount(op.plane_mask));
  fingerprint_.add(sim_.now(), 16, (uint64_t{op.superblock.value()} << 16) | op.die.value());
  sim_.schedule(op, op.array_end);
}

bool Flash::can_suspend(DieId id) const {
  const Operation* op = dies_[id.value()].array;
  return op != nullptr && op->state == Operation::State::kArray &&
         op->suspends < timing_.max_suspends &&
         op->array_end - sim_.now() > timing_.suspend + timing_.resume;
}

void Flash::suspend(DieId id) {
  SIM_ASSERT(can_suspend(id), "nothing to suspend");
  Die& die = dies_[id.value()];
  Operation& op = *die.array;
  op.remaining = op.array_end - sim_.now();
  op.state = Operation::State::kSuspending;
  ++op.suspends;
  ++die.counters.suspends;
  sim_.reschedule(op, sim_.now() + timing_.suspend);
}

bool Flash::can_resume(DieId id) const {
  const Die& die = dies_[id.value()];
  return die.array != nullptr && die.array->state == Operation::State::kSuspended &&
         die.sensing == 0;
}

void Flash::resume(DieId id) {
  SIM_ASSERT(can_resume(id), "nothing to resume");
  Operation& op = *dies_[id.value()].array;
  op.state = Operation::State::kArray;
  op.array_end = sim_.now() + timing_.resume + op.remaining;
  sim_.schedule(op, op.array_end);
}

void Flash::on_event(Operation& op) {
  switch (op.state) {
    case Operation::State::kSensing:
      sensed(op);
      return;
    case Operation::State::kArray:
      array_done(dies_[op.die.value()], op);
      return;
    case Operation::State::kSuspending:
      op.state = Operation::State::kSuspended;
      listener_->power_released(op.die);
      listener_->die_ready(op.die);
      return;
    default:
      SIM_ASSERT(false, "operation woke in state {}", static_cast<int>(op.state));
  }
}

void Flash::sensed(Operation& op) {
  Die& die = dies_[op.die.value()];
  if ((die.output & op.plane_mask) != 0) {
    op.state = Operation::State::kWaitRegister;
    die.waiting.push_back(op);
    return;
  }
  to_bus(die, op);
}

void Flash::to_bus(Die& die, Operation& op) {
  die.output |= op.plane_mask;
  op.state = Operation::State::kBus;
  if (timing_.cache_read) die.sensing &= static_cast<uint8_t>(~op.plane_mask);
  channel(op.die).request(op);
  if (timing_.cache_read) listener_->die_ready(op.die);
}

void Flash::transfer_done(Operation& op) {
  Die& die = dies_[op.die.value()];
  if (op.kind == OpKind::kProgram) {
    op.state = Operation::State::kLoaded;
    op.ready = sim_.now();
    listener_->die_ready(op.die);
    return;
  }
  read_moved(die, op);
}

void Flash::read_moved(Die& die, Operation& op) {
  die.output &= static_cast<uint8_t>(~op.plane_mask);
  if (!timing_.cache_read) die.sensing &= static_cast<uint8_t>(~op.plane_mask);
  for (auto it = die.waiting.begin(); it != die.waiting.end();) {
    Operation& next = *it;
    if ((next.plane_mask & die.output) != 0) {
      ++it;
      continue;
    }
    it = die.waiting.erase(it);
    to_bus(die, next);
  }
  const DieId id = op.die;
  finish(op);
  listener_->die_ready(id);
}

void Flash::array_done(Die& die, Operation& op) {
  die.array = nullptr;
  if (op.kind == OpKind::kProgram) {
    die.counters.program_ns += program_time(op.mode).to_ns();
    media_.end_program(op.superblock, op.die, op.spare);
  } else {
    die.counters.erase_ns += erase_time(media_.die_block(op.superblock, op.die).mode).to_ns();
    media_.end_erase(op.superblock, op.die, op.mode);
  }
  const DieId id = op.die;
  listener_->power_released(id);  // first: the sink may start the next operation on this die
  finish(op);
  listener_->die_ready(id);
}

void Flash::finish(Operation& op) {
  op.state = Operation::State::kIdle;
  listener_->operation_ended();
  op.sink->operation_done(op);
}

}  // namespace ftlsim
