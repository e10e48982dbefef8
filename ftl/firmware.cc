#include "ftl/firmware.h"

#include "ftl/write/stream_plan.h"
#include "nand/reliability/reliability.h"
#include "sim/assert.h"

namespace ftlsim {
namespace {

// How often a format looks whether the work in flight has ended.
constexpr Duration kFormatPoll = Duration::us(100);

}  // namespace

Firmware::Firmware(Simulator& sim, const DriveConfig& config, Media& media, uint64_t reserved_slots)
    : sim_(sim),
      config_(config),
      media_(media),
      flash_(sim, config.nand, media),
      scheduler_(sim, config.sched, flash_),
      table_(media, ParityPlan(config.rain.dies)),
      map_(config.user_slots(), config.map_pages(), table_),
      wear_(config.wear, media),
      space_(table_, config.space.meta_superblocks, stats_,
             stream_plan(config).relocation_reserve()),
      link_(config.link),
      engine_(config, media, scheduler_, map_, table_, space_, stats_),
      rebuilder_(sim, media, scheduler_, table_, stats_),
      slc_(sim, config, table_, map_, engine_.heat(), reserved_slots, stats_),
      reclaim_(sim, config, table_, space_, slc_, engine_),
      leveler_(config.wear, table_, wear_, space_, reclaim_),
      relocator_(sim, config, media, scheduler_, map_, table_, space_, engine_, rebuilder_, *this,
                 stats_),
      controller_(sim, config, *this, flash_.fingerprint(), stats_),
      writer_(sim, config, link_, engine_, slc_, reclaim_, controller_, stats_),
      reader_(sim, config, media, scheduler_, map_, table_, engine_, link_, rebuilder_, controller_,
              *this, stats_),
      refresh_(sim, config.refresh, media, table_, reclaim_, *this, stats_),
      patrol_(sim, config.patrol, media, scheduler_, table_, rebuilder_, refresh_, *this, stats_),
      ambient_(config.thermal.ambient),
      idle_timer_(this, Phase::kFirmware),
      format_timer_(this, Phase::kFirmware) {
  map_.set_dead_sink(space_);
  space_.set_wear(wear_, config.wear.dynamic);
  engine_.set_listener(*this);
  relocator_.set_plan(reclaim_);
  if (config.power.model == PowerModel::kCounted) {
    thermal_ = std::make_unique<ThermalControl>(sim, config, flash_.work(), link_, stats_, *this);
    scheduler_.set_activity_listener(*thermal_);
    if (media.reliability() != nullptr && heated()) thermal_->set_listener(*this);
  }
  if (config.map.paged()) {
    map_cache_ = std::make_unique<MapCache>(sim, config, media, scheduler_, map_, table_, engine_,
                                            rebuilder_, link_, *this, stats_);
    if (thermal_ != nullptr) map_cache_->set_activity_listener(*thermal_);
    map_.set_pager(*map_cache_);
    engine_.set_map(*map_cache_, relocator_);
  }
  if (!heated()) nand_temperature(sim.now(), ambient_);
  reclaim_.set_idle(false);
  slc_.update(free_tlc_slots(), reclaim_.idle());
}

// TLC slots that host data may still fill before reclaim is forced.
uint64_t Firmware::free_tlc_slots() const {
  const uint64_t size = table_.full_slots(CellMode::kTlc);
  const uint32_t keep = reclaim_.high();
  const uint32_t free = space_.free_count();
  return (free > keep ? free - keep : 0) * size;
}

// Whatever changed, let everybody who may be waiting for it go on. Cheap when nothing can.
void Firmware::progress() {
  if (progressing_) {
    again_ = true;
    return;
  }
  progressing_ = true;
  do {
    again_ = false;
    if (space_.take_released() || space_changed_) {
      space_changed_ = false;
      reclaim_.update();
      leveler_.update();
      slc_.update(free_tlc_slots(), reclaim_.idle());
    }
    writer_.retry();
    relocator_.pump();
    if (map_cache_ != nullptr) map_progress();
    again_ = again_ || space_changed_ || space_.has_released();
  } while (again_);
  progressing_ = false;
}

bool Firmware::request_relocation(const RelocationRequest& request) {
  if (!reclaim_.request(request)) return false;
  progress();
  return true;
}

// While idle every changed page of the map is written, but not before the host data that will
// change it; and the last pages are padded to a whole word line when nothing will follow them.
void Firmware::map_progress() {
  map_cache_->set_idle(reclaim_.idle() && engine_.pending().empty());
  map_cache_->pump();
  if (reclaim_.idle() && map_cache_->settled() && !relocator_.active()) engine_.seal_map();
}

// What a command needs of a map that is not wholly in memory.
bool Firmware::translate_paged(CommandSlot& slot) {
  const Opcode op = slot.command->opcode;
  if (op == Opcode::kRead) {
    // The write buffer answers without the map.
    uint32_t n = 0;
    while (n < slot.units && engine_.pending().find(slot.lpn.plus(n)).valid()) ++n;
    return n == slot.units || map_.request(slot.lpn, slot.units, slot);
  }
  if (op == Opcode::kWrite && (slot.head_partial || slot.tail_partial))
    return map_cache_->request_modify(slot.lpn, slot.units, slot);
  return map_cache_->request_update(slot);
}

void Firmware::start_write(CommandSlot& slot) { writer_.start(slot); }

void Firmware::write_transferred(CommandSlot& slot) {
  writer_.transferred(slot);
  if (space_changed_ || slc_.fold_budget() != 0 || reclaim_.forced() || slc_.fold_demanded())
    progress();
}

void Firmware::start_flush(CommandSlot& slot) { writer_.flush(slot); }

void Firmware::start_deallocate(CommandSlot& slot) {
  const uint32_t n = slot.units;
  if (n != 0) {
    for (uint32_t i = 0; i < n && !engine_.pending().empty(); ++i)
      engine_.pending().drop(slot.lpn.plus(i));
    stats_.trimmed_slots += map_.unmap(slot.lpn, n);
    reader_.invalidate(slot.lpn, n);
  }
  controller_.finish(slot, sim_.now());
  progress();
}

void Firmware::host_unit_done(uint64_t seal_number, uint32_t slots) {
  writer_.unit_done(seal_number, slots);
  progress();
}

void Firmware::relocation_unit_done(uint32_t slots) {
  relocator_.settled(slots);
  progress();
}

// Without a thermal model the cells are as warm as their surroundings; with one it tells.
void Firmware::set_ambient(int64_t millidegrees) {
  ambient_ = millidegrees;
  if (thermal_ != nullptr) thermal_->set_ambient(millidegrees);
  if (!heated()) nand_temperature(sim_.now(), millidegrees);
}

bool Firmware::heated() const {
  return thermal_ != nullptr && config_.thermal.model != HeatModel::kNone;
}

// Charge is lost at the temperature of the cells.
void Firmware::nand_temperature(Time from, int64_t millidegrees) {
  if (Reliability* r = media_.reliability()) r->clock().set_temperature(from, millidegrees);
}

// The array is at rest in between, so that its state needs no time to be saved; what firmware has
// learned about blocks is lost.
void Firmware::rest_unpowered(Duration span, int64_t millidegrees) {
  if (thermal_ != nullptr) thermal_->rest_unpowered(span, millidegrees);
  Reliability* r = media_.reliability();
  if (r == nullptr) return;
  r->clock().advance_off(span, millidegrees);
  r->forget_learned();
}

void Firmware::set_preconditioning(bool on) {
  if (Reliability* r = media_.reliability()) r->set_preconditioning(on);
}

// The timer runs lazily: it is not moved with every command, but looks again when it fires.
void Firmware::host_idle_changed(bool idle) {
  if (thermal_ != nullptr) idle ? thermal_->host_rests() : thermal_->host_wakes();
  if (idle) {
    idle_since_ = sim_.now();
    if (!idle_timer_.pending()) sim_.schedule_in(idle_timer_, config_.slc.fold.idle_delay);
  } else if (reclaim_.idle()) {
    reclaim_.set_idle(false);
    if (map_cache_ != nullptr) map_cache_->set_idle(false);
    relocator_.end_idle_work();
  }
}

void Firmware::idle_timer() {
  if (controller_.outstanding() != 0) return;
  const Time due = idle_since_ + config_.slc.fold.idle_delay;
  if (sim_.now() < due) {
    sim_.schedule(idle_timer_, due);
    return;
  }
  engine_.seal_host();
  reclaim_.set_idle(true);
  space_changed_ = true;  // the cache may grow again
  progress();
}

void Firmware::apply_throttle(const ThrottleAction& action) {
  if (log_ != nullptr) [[unlikely]] {
    const Temperatures t = thermal_->temperatures(sim_.now());
    const auto degrees = [](int64_t milli) { return static_cast<double>(milli) / 1000.0; };
    log_->decided(Decision::kThermal,
                  {degrees(t.controller), degrees(t.nand), degrees(t.composite), action.dies,
                   static_cast<double>(action.host_rate) / 1e6, action.halted});
  }
  scheduler_.limit_credits(action.dies, action.halted);
  controller_.set_pace(action.host_rate, action.halted);
}

void Firmware::start_format(CommandSlot& slot) {
  SIM_ASSERT(format_ == nullptr, "two formats at once");
  format_ = &slot;
  slot.stage = Stage::kWaiting;
  reclaim_.set_paused(true);
  format_step();
}

// A format waits for all other commands and for everything in flight, then forgets the content.
void Firmware::format_step() {
  engine_.seal_host();
  relocator_.drop_staged();
  engine_.seal_relocation();
  engine_.seal_map();
  if (!controller_.alone() || !quiescent() || !relocator_.quiet() || writer_.used() != 0 ||
      !rebuilder_.idle()) {
    sim_.schedule_in(format_timer_, kFormatPoll);
    return;
  }
  map_.clear();
  if (map_cache_ != nullptr) map_cache_->reset();
  engine_.reset();
  relocator_.reset();
  reader_.reset();
  table_.reset();
  space_.reset();
  slc_.reset();
  reclaim_.reset();
  reclaim_.set_paused(false);
  space_changed_ = true;
  CommandSlot& slot = *format_;
  format_ = nullptr;
  controller_.finish(slot, sim_.now());
  progress();
}

}  // namespace ftlsim
