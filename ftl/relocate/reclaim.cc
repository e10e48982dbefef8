#include "ftl/relocate/reclaim.h"

#include <algorithm>

#include "sim/rng.h"

namespace ftlsim {
namespace {

constexpr int64_t kOne = 1 << 16;

}  // namespace

Reclaim::Reclaim(const Simulator& sim, const DriveConfig& config, SuperblockTable& table,
                 SpaceManager& space, SlcCache& slc, WriteEngine& engine)
    : sim_(sim),
      gc_(config.gc),
      slc_config_(config.slc),
      table_(table),
      space_(space),
      slc_(slc),
      engine_(engine),
      collect_(config.gc.victim.make({table, sim.seed() ^ hash_name("gc/victim")})),
      fold_(config.slc.fold.victim.make({table, sim.seed() ^ hash_name("slc/fold/victim")})),
      emptiest_(PolicyChoice<VictimFamily>(gc_victims(), "greedy").make({table})),
      release_(config.slc.release.make({})),
      release_empties_(release_->empties()),
      idle_target_(
          static_cast<uint32_t>(config.gc.idle_target * static_cast<double>(table.size()))),
      slc_cost_(config.slc.forced_destination == Destination::kSlc
                    ? config.nand.geometry.bits_per_cell
                    : 1) {}

void Reclaim::reset() {
  forced_ = starved_ = nearly_dead_ = triggered_ = false;
  allowance_ = 0;
  collect_->reset();
  fold_->reset();
  requests_.reset();
}

void Reclaim::update() {
  const uint32_t free = space_.free_count();
  if (!forced_ && free <= low()) {
    forced_ = true;
    starved_ = false;
    allowance_ = 0;
  } else if (forced_ && free >= high()) {
    forced_ = false;
  }
  if (log_ != nullptr) [[unlikely]]
    note_state();
}

void Reclaim::set_idle(bool idle) {
  idle_ = idle;
  space_.keep_dead_slc(!idle && !release_->at_death());
  if (log_ != nullptr) [[unlikely]]
    note_state();
}

bool Reclaim::admit(uint32_t units) {
  const bool held = forced_ && !starved_ && allowance_ <= 0;
  if (log_ != nullptr) [[unlikely]]
    note_throttle(units, held);
  if (held) return false;
  if (forced_ && !starved_) allowance_ -= kOne * units * slc_cost_;
  return true;
}

bool Reclaim::request(const RelocationRequest& request) {
  const bool accepted = requests_.add(table_, request);
  if (log_ != nullptr) [[unlikely]]
    note_request(request, accepted);
  return accepted;
}

RelocationVictim Reclaim::next_victim() {
  const SuperblockId sb = choose_victim();
  if (log_ != nullptr) [[unlikely]]
    note_victim(sb);
  if (!sb.valid()) return {};
  return {sb, table_[sb].mode == CellMode::kSlc ? Cause::kFold : Cause::kGc};
}

SuperblockId Reclaim::choose_victim() {
  nearly_dead_ = triggered_ = false;
  if (paused_) return SuperblockId::invalid();
  if (forced_) {
    const SuperblockId sb = forced_victim();
    starved_ = !sb.valid();
    return sb;
  }
  if (slc_.fold_demanded()) return demanded_victim();
  if (slc_.fold_wanted(idle_)) {
    const SuperblockId sb = triggered_victim();
    triggered_ = sb.valid();
    if (triggered_) return sb;
  }
  if (idle_) return idle_victim();
  return background_victim();
}

SuperblockId Reclaim::choose(VictimPolicy& policy, bool slc, bool tlc) {
  const SuperblockId sb = policy.choose({slc, tlc, sim_.now()});
  SIM_ASSERT(!sb.valid() || eligible(table_, sb, {slc, tlc, sim_.now()}),
             "a victim policy chose superblock {}, which is no candidate", sb.value());
  return sb;
}

SuperblockId Reclaim::forced_victim() {
  const bool only_cache = slc_.kept_free() != 0 && space_.free_count() > gc_.low_watermark;
  const SuperblockId sb = choose(*collect_, !only_cache, true);
  return sb.valid() || !only_cache ? sb : choose(*collect_, true, true);
}

SuperblockId Reclaim::fold_victim() {
  if (table_.closed(CellMode::kSlc) == 0) return SuperblockId::invalid();
  return choose(*fold_, true, false);
}

// The next SLC superblock, else one that is being filled.
SuperblockId Reclaim::slc_victim() {
  const SuperblockId sb = fold_victim();
  if (sb.valid()) return sb;
  for (const auto& open : engine_.open(Stream::kHostSlc)) {
    if (!open->is_open() || table_[open->superblock()].written == 0) continue;
    open->close_early();
    return fold_victim();
  }
  return sb;
}

// The host waits for room. What it is filling is closed only when nothing else is being emptied any
// more: the rest of it is room as well.
SuperblockId Reclaim::demanded_victim() {
  return table_.victims_total(CellMode::kSlc) == 0 ? slc_victim() : fold_victim();
}

// Idle time folds the superblock that is being filled, too; beside the host it is left alone.
SuperblockId Reclaim::triggered_victim() {
  if (table_.closed(CellMode::kSlc) != 0) {
    const SuperblockId sb = slc_.keep_victim();
    if (sb.valid()) return sb;
  }
  return idle_ ? slc_victim() : fold_victim();
}

SuperblockId Reclaim::idle_victim() {
  if (space_.free_count() < idle_target_) return choose(*collect_, false, true);
  if (!slc_.lacks_room()) return SuperblockId::invalid();
  const SuperblockId sb = choose(*collect_, false, true);
  const bool worth =
      sb.valid() && slc_.worth_collecting(table_.valid(sb), table_.usable(sb, CellMode::kTlc));
  return worth ? sb : SuperblockId::invalid();
}

SuperblockId Reclaim::background_victim() {
  if (release_empties_) {
    const SuperblockId sb = choose(*emptiest_, true, false);
    if (sb.valid() && release_->wants({table_.valid(sb), table_.usable(sb, CellMode::kSlc),
                                       slc_.used_slots(), slc_.limit_slots()})) {
      nearly_dead_ = true;
      if (log_ != nullptr) [[unlikely]]
        note_nearly_dead(sb);
      return sb;
    }
  }
  if (slc_.fold_budget() == 0) return SuperblockId::invalid();
  return slc_.exhausted() ? slc_victim() : fold_victim();
}

bool Reclaim::may_read(CellMode victim, uint32_t units) {
  if (paused_) return false;
  if (forced_ || idle_ || slc_.fold_demanded() || nearly_dead_) return true;
  if (victim != CellMode::kSlc) return false;
  return slc_.fold_budget() >= units || (triggered_ && slc_.folds_beside_host());
}

void Reclaim::was_read(CellMode victim, uint32_t units, uint32_t valid, uint32_t capacity) {
  if (victim == CellMode::kSlc) slc_.spend(units);
  if (forced_ && valid != 0 && capacity > valid)
    earn(uint64_t{units} * (capacity - valid) * kOne / valid);
}

void Reclaim::was_free(uint32_t capacity) {
  if (forced_) earn(uint64_t{capacity} * kOne);
}

// The host gets less than reclaim gains, the less the deeper the debt: 15/16 at the low watermark,
// half at the relocation reserve, where host streams cannot open a superblock anyway.
uint32_t Reclaim::debt_share() const {
  const uint32_t floor = space_.reserve() + slc_.kept_free();
  const uint32_t free = space_.free_count();
  if (free >= low() || low() <= floor) return 15;
  if (free <= floor) return 8;
  return 8 + 7 * (free - floor) / (low() - floor);
}

void Reclaim::earn(uint64_t units) {
  const auto most = static_cast<int64_t>(table_.full_slots(CellMode::kTlc)) * kOne;
  allowance_ = std::min(allowance_ + static_cast<int64_t>(units * debt_share() / 16), most);
}

uint64_t Reclaim::rate(CellMode victim) const {
  const FoldConfig& fold = slc_config_.fold;
  if (victim == CellMode::kTlc) return forced_ ? gc_.rate : gc_.idle_rate;
  if (forced_ || slc_.fold_demanded()) return fold.foreground_rate;
  return idle_ ? fold.idle_rate : fold.background_rate;
}

uint32_t Reclaim::duty() const {
  if (!idle_ || forced_) return static_cast<uint32_t>(kOne);
  return static_cast<uint32_t>(gc_.idle_duty * static_cast<double>(kOne));
}

RelocationRequest Reclaim::next_request() {
  if (requests_.empty() || paused_) return {};
  return requests_.take(table_, forced_ || slc_.fold_demanded());
}

// Under pressure a victim that has been begun waits, unless reclaim finds nothing else to empty.
bool Reclaim::may_serve(const RelocationRequest& request, bool alone) const {
  if (paused_) return false;
  return request.urgent || alone || !(forced_ || slc_.fold_demanded());
}

bool Reclaim::drain() const { return forced_ || idle_ || slc_.fold_demanded() || paused_; }

}  // namespace ftlsim
