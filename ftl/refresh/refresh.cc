#include "ftl/refresh/refresh.h"

#include <algorithm>

#include "nand/reliability/reliability.h"
#include "sim/assert.h"

namespace ftlsim {

Refresh::Refresh(Simulator& sim, const RefreshConfig& config, const Media& media,
                 const SuperblockTable& table, RelocationService& service, ProgressSink& progress,
                 FtlStats& stats)
    : sim_(sim),
      config_(config),
      media_(media),
      table_(table),
      service_(service),
      progress_(progress),
      stats_(stats),
      timer_(this, Phase::kFirmware) {
  if (!config_.on()) return;
  SIM_ASSERT(media.reliability() != nullptr, "refresh without a model of ageing");
  sim_.schedule_in(timer_, config_.period);
}

bool Refresh::ask(SuperblockId sb) {
  if (!service_.request({.superblock = sb, .cause = Cause::kRefresh, .rate = config_.rate}))
    return false;
  progress_.progress();
  return true;
}

void Refresh::look() {
  sim_.schedule_in(timer_, config_.period);
  const SuperblockId head = oldest();
  if (head.valid() && worn_out(head) && ask(head)) ++stats_.refreshed_old;
  if (config_.reads != 0) reclaim_reads();
}

SuperblockId Refresh::oldest() const {
  const std::vector<uint8_t>& closed = table_.closed_flags();
  SuperblockId best;
  for (uint32_t s = 0; s < closed.size(); ++s) {
    const SuperblockId sb(s);
    if (closed[s] != 0 && (!best.valid() || table_[sb].opened < table_[best].opened)) best = sb;
  }
  return best;
}

// Age and error rate of the worst of its die blocks.
bool Refresh::worn_out(SuperblockId sb) {
  const Reliability& cells = *media_.reliability();
  const double limit = static_cast<double>(config_.age.to_ns()) * 1e-9;
  for (uint32_t i = 0; i < table_.layout().width(); ++i) {
    const DieId die = table_.layout().die_of(sb, i);
    if (media_.good_planes(sb, die) == 0) continue;
    if (limit > 0 && cells.block_age(sb, die, sim_.now()) > limit) return true;
    if (config_.rber > 0 && cells.worst_rber(sb, die, sim_.now()) > config_.rber) return true;
  }
  return false;
}

void Refresh::reclaim_reads() {
  const Reliability& cells = *media_.reliability();
  const std::vector<uint8_t>& closed = table_.closed_flags();
  for (uint32_t s = 0; s < closed.size(); ++s) {
    if (closed[s] == 0) continue;
    uint32_t most = 0;
    for (uint32_t i = 0; i < table_.layout().width(); ++i) {
      const DieId die = table_.layout().die_of(SuperblockId(s), i);
      most = std::max(most, cells.reads(SuperblockId(s), die));
    }
    if (most > config_.reads && ask(SuperblockId(s))) ++stats_.refreshed_read;
  }
}

}  // namespace ftlsim
