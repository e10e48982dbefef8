#include "nand/flash.h"

#include <bit>

#include "nand/reliability/reliability.h"
#include "sim/assert.h"

namespace ftlsim {

void Operation::fire() { flash->on_event(*this); }

Flash::Flash(Simulator& sim, const NandConfig& config, Media& media)
    : sim_(sim),
      timing_(config.timing),
      media_(media),
      dies_(media.layout().dies()),
      all_planes_(static_cast<uint8_t>((1u << config.geometry.planes) - 1)),
      reliability_(media.reliability()),
      pipelined_(reliability_ != nullptr && config.reliability.retry.pipelined),
      decoders_(config.reliability.ecc.decoders != 0 ? config.reliability.ecc.decoders
                                                     : config.geometry.channels) {
  for (uint32_t c = 0; c < config.geometry.channels; ++c)
    channels_.push_back(std::make_unique<Channel>(sim, config.bus, *this));
  slot_time_ = transfer_time(2) - transfer_time(1);
  if (!pipelined_) return;
  // Each holds a page register or an output register of some plane.
  const size_t most = dies_.size() * config.geometry.planes * 2;
  transfers_ = std::make_unique<Operation[]>(most);
  for (size_t i = 0; i < most; ++i) free_transfers_.push_back(&transfers_[i]);
}

void Flash::set_observer(MediumObserver* observer) {
  observer_ = observer;
  for (uint16_t c = 0; c < channels_.size(); ++c)
    channels_[c]->set_observer(observer, ChannelId(c));
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
  const bool again = op.state == Operation::State::kRetry;
  if (!again) {
    op.data_planes = op.plane_mask;
    op.bus_slots = op.slots;
    op.attempt = 0;
    op.failing = 0;
    op.lost = 0;
  }
  media_.check_read(op.superblock, op.die, op.row, op.mode, op.data_planes);
  op.flash = this;
  op.state = Operation::State::kSensing;
  die.sensing |= op.plane_mask;
  die.sense_row = op.row;
  die.sense_page = op.page;
  die.sense_start = sim_.now();
  Duration sense = sense_time(op.mode, op.slots);
  if (again) sense += reliability_->extra_sense(op);
  ++die.counters.reads;
  const int planes = std::popcount(op.plane_mask);
  die.counters.read_plane_ns += sense.to_ns() * planes;
  work(op).sensed_planes[static_cast<size_t>(op.mode)] += static_cast<uint64_t>(planes);
  work(op).bus_slots += op.slots;
  fingerprint_.add(sim_.now(), 1u + op.page, op.first.value());
  if (observer_ != nullptr) [[unlikely]]
    observer_->sensed(op, sim_.now(), sim_.now() + sense);
  sim_.schedule_in(op, sense);
}

void Flash::load_program(Operation& op) {
  Die& die = dies_[op.die.value()];
  SIM_ASSERT(can_load(op.die), "program latches are taken");
  op.flash = this;
  op.state = Operation::State::kBus;
  op.bus_slots = op.slots;
  die.latches = &op;
  if (op.slots == 0) {  // all of its data are in the die already
    op.state = Operation::State::kLoaded;
    op.ready = sim_.now();
    listener_->die_ready(op.die);
    return;
  }
  work(op).bus_slots += op.slots;
  channel(op.die).request(op);
}

void Flash::start_program(DieId id) {
  Die& die = dies_[id.value()];
  Operation& op = *die.latches;
  SIM_ASSERT(array_free(id) && op.state == Operation::State::kLoaded, "array is not free");
  media_.begin_program(op.superblock, op.die, op.row, op.mode);
  if (reliability_ != nullptr) reliability_->program_begins(op.superblock, id, op.row, sim_.now());
  die.latches = nullptr;
  die.array = &op;
  op.state = Operation::State::kArray;
  op.suspends = 0;
  op.array_end = sim_.now() + program_time(op.mode);
  ++die.counters.programs;
  work(op).programmed_planes[static_cast<size_t>(op.mode)] +=
      static_cast<uint64_t>(std::popcount(op.plane_mask));
  fingerprint_.add(sim_.now(), 8u + static_cast<uint32_t>(op.mode),
                   (uint64_t{op.superblock.value()} << 32) | (uint64_t{op.row} << 16) | id.value());
  if (observer_ != nullptr) [[unlikely]]
    observer_->array_started(op, sim_.now());
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
  work(op).erased_planes[static_cast<size_t>(used)] +=
      static_cast<uint64_t>(std::popcount(op.plane_mask));
  fingerprint_.add(sim_.now(), 16, (uint64_t{op.superblock.value()} << 16) | op.die.value());
  if (observer_ != nullptr) [[unlikely]]
    observer_->array_started(op, sim_.now());
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
  if (observer_ != nullptr) [[unlikely]]
    observer_->array_suspended(op, sim_.now(), sim_.now() + timing_.suspend);
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
  if (observer_ != nullptr) [[unlikely]]
    observer_->array_resumed(op, sim_.now(), sim_.now() + timing_.resume);
  sim_.schedule(op, op.array_end);
}

void Flash::on_event(Operation& op) {
  switch (op.state) {
    case Operation::State::kSensing:
      sensed(op);
      return;
    case Operation::State::kDecoding:
      decoded(op);
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
  if (op.on_chip) {
    die.sensing &= static_cast<uint8_t>(~op.plane_mask);
    const DieId id = op.die;
    finish(op);
    listener_->die_ready(id);
    return;
  }
  if (reliability_ != nullptr) {
    reliability_->sensed(op, sim_.now());
    if (pipelined_ && op.decoding.again) [[unlikely]] {
      to_register(die, split_transfer(op));
      retry(op);
      return;
    }
  }
  to_register(die, op);
}

void Flash::to_register(Die& die, Operation& op) {
  if ((die.output & op.data_planes) != 0) {
    op.state = Operation::State::kWaitRegister;
    die.waiting.push_back(op);
    return;
  }
  to_bus(die, op);
}

void Flash::to_bus(Die& die, Operation& op) {
  die.output |= op.data_planes;
  op.state = Operation::State::kBus;
  if (timing_.cache_read) die.sensing &= static_cast<uint8_t>(~op.plane_mask);
  channel(op.die).request(op);
  if (timing_.cache_read) listener_->die_ready(op.die);
}

// The failed data of a sense go their own way to the decoder, without a sink.
Operation& Flash::split_transfer(const Operation& op) {
  SIM_ASSERT(!free_transfers_.empty(), "more failed reads on their way than registers");
  Operation& data = *free_transfers_.back();
  free_transfers_.pop_back();
  data.flash = this;
  data.kind = OpKind::kRead;
  data.mode = op.mode;
  data.die = op.die;
  data.superblock = op.superblock;
  data.row = op.row;
  data.page = op.page;
  data.first = op.first;
  data.slots = op.slots;
  data.plane_mask = op.plane_mask;
  data.data_planes = op.data_planes;
  data.bus_slots = op.bus_slots;
  data.urgent = op.urgent;
  data.purpose = op.purpose;
  data.decoding = op.decoding;
  return data;
}

// The next sense takes the whole die: its levels are set for all planes.
void Flash::retry(Operation& op) {
  ++op.attempt;
  op.plane_mask = all_planes_;
  op.bus_slots = static_cast<uint16_t>(reliability_->slots_to_move(op));
  op.state = Operation::State::kRetry;
  listener_->read_again(op);
}

Time Flash::reserve_decoder(const Operation& op) {
  const Decoding& d = op.decoding;
  return decoders_.reserve(layout().channel_of(op.die), sim_.now(), d.codewords, d.total, d.last,
                           slot_time_);
}

void Flash::decoded(Operation& op) {
  if (op.sink != nullptr) {
    retry(op);
    return;
  }
  const DieId id = op.die;
  free_registers(dies_[id.value()], op);
  op.state = Operation::State::kIdle;
  free_transfers_.push_back(&op);
  listener_->die_ready(id);
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

void Flash::free_registers(Die& die, const Operation& op) {
  die.output &= static_cast<uint8_t>(~op.data_planes);
  if (!timing_.cache_read) die.sensing &= static_cast<uint8_t>(~op.plane_mask);
  for (auto it = die.waiting.begin(); it != die.waiting.end();) {
    Operation& next = *it;
    if ((next.data_planes & die.output) != 0) {
      ++it;
      continue;
    }
    it = die.waiting.erase(it);
    to_bus(die, next);
  }
}

void Flash::read_moved(Die& die, Operation& op) {
  if (reliability_ != nullptr) {
    const Time end = reserve_decoder(op);
    op.decode = end - sim_.now();
    if (op.decoding.again) [[unlikely]] {
      if (op.sink != nullptr) free_registers(die, op);
      op.state = Operation::State::kDecoding;
      sim_.schedule(op, end);
      listener_->die_ready(op.die);
      return;
    }
    reliability_->read_ended(op);
  }
  free_registers(die, op);
  const DieId id = op.die;
  finish(op);
  listener_->die_ready(id);
}

void Flash::array_done(Die& die, Operation& op) {
  die.array = nullptr;
  if (observer_ != nullptr) [[unlikely]]
    observer_->array_ended(op, sim_.now());
  if (op.kind == OpKind::kProgram) {
    die.counters.program_ns += program_time(op.mode).to_ns();
    media_.end_program(op.superblock, op.die, op.spare);
  } else {
    die.counters.erase_ns += erase_time(media_.die_block(op.superblock, op.die).mode).to_ns();
    media_.end_erase(op.superblock, op.die, op.mode);
    if (reliability_ != nullptr) reliability_->block_erased(op.superblock, op.die);
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
