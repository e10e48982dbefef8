#include "ftl/space/space_manager.h"

namespace ftlsim {

SpaceManager::SpaceManager(SuperblockTable& table, uint32_t meta_superblocks, FtlStats& stats)
    : table_(table), stats_(stats), meta_(meta_superblocks), ring_(table.size()) {
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
  free_count_ = static_cast<uint32_t>(slots / table_.layout().superblock_slots(CellMode::kTlc));
}

SuperblockId SpaceManager::take(bool for_relocation, uint64_t settled) {
  blocked_by_barrier_ = false;
  const uint64_t reserve = uint64_t{table_.layout().superblock_slots(CellMode::kTlc)} *
                           (for_relocation ? 0 : kRelocationReserve);
  for (uint32_t i = 0; i < count_; ++i) {
    const uint32_t at = (head_ + i) % static_cast<uint32_t>(ring_.size());
    const SuperblockId sb = ring_[at];
    const uint32_t slots = table_.usable(sb, CellMode::kTlc);
    if (table_[sb].readers != 0 || free_slots_ < reserve + slots) continue;
    if (table_[sb].barrier > settled) {
      blocked_by_barrier_ = true;
      continue;
    }
    ring_[at] = ring_[head_];  // the passed-over ones stay in front, nearly in order
    head_ = (head_ + 1) % static_cast<uint32_t>(ring_.size());
    --count_;
    set_free_slots(free_slots_ - slots);
    return sb;
  }
  return SuperblockId::invalid();
}

void SpaceManager::release(SuperblockId sb) {
  table_.set_state(sb, SuperblockState::kFree);
  table_.at(sb).barrier = placed_;
  ring_[(head_ + count_) % ring_.size()] = sb;
  ++count_;
  set_free_slots(free_slots_ + table_.usable(sb, CellMode::kTlc));
  released_ = true;
}

void SpaceManager::superblock_dead(SuperblockId sb) {
  if (keep_dead_slc_ && table_[sb].mode == CellMode::kSlc) return;
  ++stats_.dead_superblocks;
  release(sb);
}

}  // namespace ftlsim
