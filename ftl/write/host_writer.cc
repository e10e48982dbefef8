#include "ftl/write/host_writer.h"

#include "sim/assert.h"

namespace ftlsim {

HostWriter::HostWriter(Simulator& sim, const DriveConfig& config, Link& link, WriteEngine& engine,
                       SlcCache& slc, Reclaim& reclaim, CommandFinisher& finisher, FtlStats& stats)
    : sim_(sim),
      link_(link),
      engine_(engine),
      slc_(slc),
      reclaim_(reclaim),
      finisher_(finisher),
      stats_(stats),
      capacity_(static_cast<uint32_t>(config.buffer.size.count() / kSlotBytes)),
      free_(capacity_),
      idle_flush_delay_(config.buffer.idle_flush),
      idle_flush_(this, Phase::kFirmware) {}

HostWriter::~HostWriter() {
  admission_.clear();
  placement_.clear();
  durability_.clear();
}

void HostWriter::start(CommandSlot& slot) {
  slot.stage = Stage::kWaiting;
  slot.progress = 0;
  slot.to_slc = slc_.wants(slot.lpn, slot.units);
  admission_.push_back(slot);
  admit();
}

void HostWriter::admit() {
  while (!admission_.empty()) {
    CommandSlot& slot = admission_.front();
    if (free_ < slot.units) {
      // Everything in the buffer may sit in partial word lines: they cannot complete by themselves.
      if (engine_.host_units_in_flight() == 0 && placement_.empty() && in_transfer_ == 0 &&
          engine_.has_partial_host())
        engine_.seal_host();
      return;
    }
    if (!reclaim_.admit(slot.units)) {
      stats_.throttled_commands += !slot.failed;
      slot.failed = true;  // counted once
      return;
    }
    admission_.pop_front();
    slot.failed = false;
    free_ -= slot.units;
    ++in_transfer_;
    slot.stage = Stage::kTransfer;
    sim_.schedule(slot, link_.to_device(sim_.now(), slot.units));
  }
}

void HostWriter::transferred(CommandSlot& slot) {
  --in_transfer_;
  slot.stage = Stage::kWaiting;
  placement_.push_back(slot);
  place();
}

void HostWriter::place() {
  while (!placement_.empty()) {
    CommandSlot& slot = placement_.front();
    if (!place_units(slot)) return;
    placement_.pop_front();
    acknowledge(slot);
  }
}

bool HostWriter::place_units(CommandSlot& slot) {
  const uint64_t* tokens = slot.command->tokens;
  while (slot.progress < slot.units) {
    const Route route = slc_.route(slot.units - slot.progress, slot.to_slc, reclaim_.forced());
    if (route.units == 0) return false;
    uint32_t coalesced = 0;
    const uint32_t n =
        engine_.place_host(route.stream, slot.lpn.plus(slot.progress), route.units,
                           tokens == nullptr ? nullptr : tokens + slot.progress, &coalesced);
    if (n != 0) finisher_.content_changed(slot.lpn.plus(slot.progress), n);
    slc_.placed(route.stream, n - coalesced);
    free_ += coalesced;
    slot.progress += n;
    if (n < route.units) return false;
  }
  return true;
}

void HostWriter::acknowledge(CommandSlot& slot) {
  stats_.host_write_slots += slot.units;
  last_placed_ = sim_.now();
  if (!idle_flush_.pending()) sim_.schedule_in(idle_flush_, idle_flush_delay_);
  if (!slot.command->fua) {
    finisher_.finish(slot, sim_.now());
    return;
  }
  engine_.seal_host();
  wait_durable(slot);
}

void HostWriter::flush(CommandSlot& slot) {
  ++stats_.flushes;
  engine_.seal_host();
  wait_durable(slot);
}

void HostWriter::wait_durable(CommandSlot& slot) {
  slot.seal = engine_.last_seal();
  slot.seal_left = engine_.host_units_in_flight();
  if (slot.seal_left == 0) {
    finisher_.finish(slot, sim_.now());
    return;
  }
  slot.stage = Stage::kWaiting;
  durability_.push_back(slot);
}

void HostWriter::unit_done(uint64_t seal_number, uint32_t slots) {
  free_ += slots;
  SIM_ASSERT(free_ <= capacity_, "the write buffer has more free slots than slots");
  for (auto it = durability_.begin(); it != durability_.end();) {
    CommandSlot& slot = *it;
    if (slot.seal < seal_number || --slot.seal_left != 0) {
      ++it;
      continue;
    }
    it = durability_.erase(it);
    finisher_.finish(slot, sim_.now());
  }
}

void HostWriter::retry() {
  place();
  admit();
}

// Pads what has waited for company long enough.
void HostWriter::idle_flush() {
  if (!engine_.has_partial_host()) return;
  const Time due = last_placed_ + idle_flush_delay_;
  if (sim_.now() < due) {
    sim_.schedule(idle_flush_, due);
    return;
  }
  engine_.seal_host();
}

}  // namespace ftlsim
