#include "ftl/space/space_manager.h"

#include <algorithm>

namespace ftlsim {

SpaceManager::SpaceManager(SuperblockTable& table, uint32_t meta_superblocks, FtlStats& stats,
                           uint32_t reserve)
    : table_(table),
      stats_(stats),
      meta_(meta_superblocks),
      reserve_(reserve),
      ring_(table.size()) {
  reset();
}

void SpaceManager::reset() {
  head_ = 0;
  count_ = 0;
  uint64_t slots = 0;
  // The last superblocks have the holes: firmware tables go there.
  for (uint32_t s = 0; s + meta_ < table_.size(); ++s) {
    ring_[count_++] = SuperblockId(s);
    slots += table_.usable(SuperblockId(s), CellMode::kTlc);
  }
  set_free_slots(slots);
  released_ = true;
}

void SpaceManager::set_free_slots(uint64_t slots) {
  free_slots_ = slots;
  free_count_ = static_cast<uint32_t>(slots / table_.full_slots(CellMode::kTlc));
}

void SpaceManager::set_wear(const WearTable& wear, bool youngest_first) {
  wear_ = &wear;
  youngest_first_ = youngest_first;
}

// Does `a`, which was released later, go before `b`?
bool SpaceManager::before(Order order, SuperblockId a, SuperblockId b) const {
  if (order == Order::kRelease) return false;
  const uint64_t wa = wear_->of(a);
  const uint64_t wb = wear_->of(b);
  return order == Order::kYoungest ? wa < wb : wa > wb;
}

SuperblockId SpaceManager::take(bool for_relocation, bool most_worn, uint32_t keep,
                                uint32_t group) {
  Order order = Order::kRelease;
  if (wear_ != nullptr && most_worn)
    order = Order::kMostWorn;
  else if (youngest_first_)
    order = Order::kYoungest;
  const uint64_t reserve =
      uint64_t{table_.full_slots(CellMode::kTlc)} * (for_relocation ? keep : reserve_);
  const Layout& layout = table_.layout();
  const uint32_t groups = most_worn ? 1 : layout.groups();
  uint32_t best = UINT32_MAX;
  uint32_t best_steps = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    const uint32_t at = place(i);
    const SuperblockId sb = ring_[at];
    const uint32_t slots = table_.usable(sb, CellMode::kTlc);
    if (table_[sb].readers != 0 || free_slots_ < reserve + slots) continue;
    const uint32_t steps = groups == 1 ? 0 : (layout.group_of(sb) + groups - group) % groups;
    if (best != UINT32_MAX && steps >= best_steps &&
        (steps > best_steps || !before(order, sb, ring_[best])))
      continue;
    best = at;
    best_steps = steps;
    if (order == Order::kRelease && steps == 0) break;
  }
  if (best == UINT32_MAX) return SuperblockId::invalid();
  const SuperblockId sb = ring_[best];
  if (log_ != nullptr && order != Order::kRelease) [[unlikely]]
    note_taken(order, sb);
  ring_[best] = ring_[head_];  // the passed-over ones stay in front, nearly in order
  head_ = place(1);
  --count_;
  set_free_slots(free_slots_ - table_.usable(sb, CellMode::kTlc));
  return sb;
}

// The choice among the free superblocks, before `sb` leaves them.
void SpaceManager::note_taken(Order order, SuperblockId sb) const {
  uint64_t least = UINT64_MAX;
  uint64_t most = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    const uint64_t wear = wear_->of(ring_[place(i)]);
    least = std::min(least, wear);
    most = std::max(most, wear);
  }
  const auto cycles = [](uint64_t wear) {
    return static_cast<double>(wear) / static_cast<double>(WearTable::kCycle);
  };
  log_->decided(Decision::kWearOpen,
                {order == Order::kYoungest ? "least_worn" : "most_worn", free_count_, cycles(least),
                 cycles(most), sb.value(), cycles(wear_->of(sb))});
}

SuperblockId SpaceManager::most_worn() const {
  SuperblockId best;
  for (uint32_t i = 0; i < count_ && wear_ != nullptr; ++i) {
    const SuperblockId sb = ring_[place(i)];
    if (!best.valid() || before(Order::kMostWorn, sb, best)) best = sb;
  }
  return best;
}

void SpaceManager::release(SuperblockId sb) {
  table_.set_state(sb, SuperblockState::kFree);
  ring_[(head_ + count_) % ring_.size()] = sb;
  ++count_;
  set_free_slots(free_slots_ + table_.usable(sb, CellMode::kTlc));
  released_ = true;
}

void SpaceManager::superblock_dead(SuperblockId sb) {
  const bool slc = table_[sb].mode == CellMode::kSlc;
  if (slc && log_ != nullptr) [[unlikely]]
    log_->decided(Decision::kRelease,
                  {sb.value(), 0.0, gigabytes_of(table_.written_total(CellMode::kSlc)),
                   gigabytes_of(table_.valid_total(CellMode::kSlc)), free_count_,
                   keep_dead_slc_ ? "left" : "released"});
  if (slc && keep_dead_slc_) return;
  ++stats_.dead_superblocks;
  release(sb);
}

}  // namespace ftlsim
