// What Reclaim records of its decisions, when somebody asked for it.
#include <algorithm>

#include "ftl/relocate/reclaim.h"

namespace ftlsim {
namespace {

// How the candidates of a choice lie: shares of valid slots in their TLC capacity.
struct Candidates {
  double mean = 0;
  double least = 0;
};

double valid_share(const SuperblockTable& table, SuperblockId sb) {
  return static_cast<double>(table.valid(sb)) /
         static_cast<double>(std::max(table.usable(sb, CellMode::kTlc), 1u));
}

Candidates survey(const SuperblockTable& table, const VictimQuery& query) {
  Candidates result;
  uint32_t n = 0;
  for (uint32_t s = 0; s < table.size(); ++s) {
    const SuperblockId sb(s);
    if (!eligible(table, sb, query)) continue;
    const double share = valid_share(table, sb);
    result.least = n == 0 ? share : std::min(result.least, share);
    result.mean += share;
    ++n;
  }
  if (n != 0) result.mean /= n;
  return result;
}

}  // namespace

// A choice, or that there is nothing to choose any more.
void Reclaim::note_victim(SuperblockId sb) {
  if (paused_) return;
  const bool demanded = slc_.fold_demanded();
  const char* reason = "background";
  if (forced_)
    reason = "forced";
  else if (nearly_dead_)
    reason = "nearly_dead";
  else if (demanded)
    reason = "demanded";
  else if (idle_)
    reason = "idle";
  // Without a victim the last that was asked counts: collection when forced or idle.
  const bool collects =
      forced_ || (sb.valid() ? table_[sb].mode == CellMode::kTlc : idle_ && !demanded);
  bool& none = noted_none_[collects ? 0 : 1];
  if (!sb.valid() && none) return;
  none = !sb.valid();
  const Candidates c = survey(table_, {forced_ || !collects, collects, sim_.now()});
  const bool slc = sb.valid() && table_[sb].mode == CellMode::kSlc;
  const DecisionValue empty("");
  log_->decided(collects ? Decision::kGcVictim : Decision::kFoldVictim,
                {reason, space_.free_count(), table_.closed(CellMode::kSlc),
                 table_.closed(CellMode::kTlc), c.mean, c.least, gigabytes_of(slc_.used_slots()),
                 gigabytes_of(slc_.limit_slots()), sb.valid() ? DecisionValue(sb.value()) : empty,
                 sb.valid() ? DecisionValue(slc ? "slc" : "tlc") : empty,
                 sb.valid() ? DecisionValue(valid_share(table_, sb)) : empty,
                 sb.valid() ? DecisionValue(static_cast<int64_t>(table_[sb].opened)) : empty});
}

void Reclaim::note_nearly_dead(SuperblockId sb) {
  log_->decided(Decision::kRelease,
                {sb.value(), valid_share(table_, sb), gigabytes_of(slc_.used_slots()),
                 gigabytes_of(table_.valid_total(CellMode::kSlc)), space_.free_count(), "emptied"});
}

// What reclaim works for, whenever that changes.
void Reclaim::note_state() {
  const bool demanded = slc_.fold_demanded();
  const auto state = static_cast<uint8_t>(forced_ | (demanded << 1) | (idle_ << 2) | 8);
  if (state == noted_state_) return;
  noted_state_ = state;
  log_->decided(Decision::kReclaim, {space_.free_count(), gc_.low_watermark, gc_.high_watermark,
                                     gigabytes_of(slc_.used_slots()),
                                     gigabytes_of(slc_.limit_slots()), forced_, demanded, idle_});
}

void Reclaim::note_throttle(uint32_t units, bool throttled) {
  if (throttled == noted_throttle_) return;
  noted_throttle_ = throttled;
  log_->decided(Decision::kThrottle,
                {space_.free_count(), static_cast<double>(allowance_) / 65536.0,
                 static_cast<double>(debt_share()) / 16.0, units, throttled});
}

void Reclaim::note_request(const RelocationRequest& request, bool accepted) {
  log_->decided(Decision::kRequest,
                {kCauseNames[static_cast<size_t>(request.cause)], request.superblock.value(),
                 valid_share(table_, request.superblock), request.urgent, accepted});
}

}  // namespace ftlsim
