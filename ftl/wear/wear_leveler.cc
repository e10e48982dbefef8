#include "ftl/wear/wear_leveler.h"

namespace ftlsim {

WearLeveler::WearLeveler(const WearConfig& config, const SuperblockTable& table,
                         const WearTable& wear, const SpaceManager& space,
                         RelocationService& service)
    : config_(config), table_(table), wear_(wear), space_(space), service_(service) {}

void WearLeveler::update() {
  if (!config_.level || under_way()) return;
  const SuperblockId target = space_.most_worn();
  if (!target.valid()) return;
  const SuperblockId source = coldest();
  if (!source.valid() || wear_.of(target) <= wear_.of(source) + config_.gap * WearTable::kCycle)
    return;
  if (!service_.request({source, Cause::kWear, config_.rate, false})) return;
  if (log_ != nullptr) [[unlikely]] {
    const auto cycles = [this](SuperblockId sb) {
      return static_cast<double>(wear_.of(sb)) / static_cast<double>(WearTable::kCycle);
    };
    log_->decided(Decision::kWearMove,
                  {source.value(), cycles(source), target.value(), cycles(target), config_.gap});
  }
  moving_ = source;
  moving_life_ = table_[source].opened;
}

bool WearLeveler::under_way() const {
  return moving_.valid() && table_[moving_].opened == moving_life_ &&
         table_[moving_].state != SuperblockState::kFree;
}

// The least worn closed TLC superblock with cold data; of equals the one that was opened first. SLC
// superblocks are left to folding, which empties them anyway.
SuperblockId WearLeveler::coldest() const {
  SuperblockId best;
  for (uint32_t s = 0; s < table_.size(); ++s) {
    const SuperblockId sb(s);
    const Superblock& superblock = table_[sb];
    if (superblock.state != SuperblockState::kClosed || superblock.mode != CellMode::kTlc) continue;
    if (superblock.opened + table_.size() > table_.openings()) continue;
    if (best.valid()) {
      const uint64_t mine = wear_.of(sb);
      const uint64_t least = wear_.of(best);
      if (mine > least || (mine == least && superblock.opened > table_[best].opened)) continue;
    }
    best = sb;
  }
  return best;
}

}  // namespace ftlsim
