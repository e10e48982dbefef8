// When space is reclaimed, which superblock goes next, and how much the host may write meanwhile.
//
//   forced      free superblocks fell to the low watermark: gc.victim over both modes until the
//               high watermark (over TLC alone as long as only the guaranteed cache lacks room:
//               emptying that would not help it); the host is throttled by debt: each unit moved
//               earns it the share of space that the victim gains, less as free superblocks fall
//               below the watermark
//   fold        a fold-through or mixed host waits for room in the SLC cache: slc.fold.victim
//   trigger     slc.fold.trigger wants to fold: slc.keep or slc.fold.victim
//   idle        no host command for a while: collect up to a free target, or until the cache has
//               the room that its size policy wants and pays for
//   background  the host writes to TLC: fold at the pace that the cache asks for; and SLC
//               superblocks that are nearly dead
//
// Beside that it keeps the requests of other modules, which are served when no reclaim is forced.
#pragma once

#include <cstdint>
#include <memory>

#include "ftl/config.h"
#include "ftl/decision_log.h"
#include "ftl/gc/victim_policy.h"
#include "ftl/relocate/relocator.h"
#include "ftl/slc/slc_cache.h"
#include "ftl/space/space_manager.h"

namespace ftlsim {

class Reclaim : public RelocationPlan, public RelocationService {
 public:
  Reclaim(const Simulator& sim, const DriveConfig& config, SuperblockTable& table,
          SpaceManager& space, SlcCache& slc, WriteEngine& engine);

  // Where decisions are recorded, or nullptr.
  void set_log(DecisionLog* log) { log_ = log; }

  // Looks at the free superblocks again.
  void update();
  // The host became idle (for as long as the delay says) or active.
  void set_idle(bool idle);
  bool idle() const { return idle_; }
  // No new victims and reads until set again (format).
  void set_paused(bool paused) { paused_ = paused; }

  bool forced() const { return forced_; }
  // Free superblocks at which reclaim is forced, and at which it ends: the watermarks, and what a
  // cache of guaranteed size keeps free.
  uint32_t low() const { return gc_.low_watermark + slc_.kept_free(); }
  uint32_t high() const { return gc_.high_watermark + slc_.kept_free(); }
  // May a host write of `units` go on? False while it has to wait for reclaim.
  bool admit(uint32_t units);
  // Format.
  void reset();

  bool request(const RelocationRequest& request) override;

  RelocationVictim next_victim() override;
  bool may_read(CellMode victim, uint32_t units) override;
  void was_read(CellMode victim, uint32_t units, uint32_t valid, uint32_t capacity) override;
  void was_free(uint32_t capacity) override;
  uint64_t rate(CellMode victim) const override;
  uint32_t duty() const override;
  RelocationRequest next_request() override;
  bool may_serve(const RelocationRequest& request, bool alone) const override;
  bool drain() const override;
  bool enough(uint32_t free) const override { return forced_ && free >= high(); }

 private:
  SuperblockId choose_victim();
  SuperblockId choose(VictimPolicy& policy, bool slc, bool tlc);
  SuperblockId forced_victim();
  SuperblockId fold_victim();
  SuperblockId triggered_victim();
  SuperblockId slc_victim();
  SuperblockId demanded_victim();
  SuperblockId idle_victim();
  SuperblockId background_victim();
  uint32_t debt_share() const;
  void earn(uint64_t units);
  void note_victim(SuperblockId sb);
  void note_state();
  void note_nearly_dead(SuperblockId sb);
  void note_request(const RelocationRequest& request, bool accepted);
  void note_throttle(uint32_t units, bool throttled);

  const Simulator& sim_;
  GcConfig gc_;
  SlcConfig slc_config_;
  SuperblockTable& table_;
  SpaceManager& space_;
  SlcCache& slc_;
  WriteEngine& engine_;
  DecisionLog* log_ = nullptr;
  std::unique_ptr<VictimPolicy> collect_;   // gc.victim
  std::unique_ptr<VictimPolicy> fold_;      // slc.fold.victim
  std::unique_ptr<VictimPolicy> emptiest_;  // for slc.release
  std::unique_ptr<SlcReleasePolicy> release_;
  bool release_empties_;
  RelocationQueue requests_;
  uint32_t idle_target_;   // superblocks
  uint32_t slc_cost_;      // allowance that one host unit costs while it goes to SLC
  int64_t allowance_ = 0;  // host units, in 1/65536
  bool forced_ = false;
  bool starved_ = false;  // forced, but there is nothing to reclaim
  bool idle_ = false;

  bool paused_ = false;
  bool triggered_ = false;    // the victim was taken because slc.fold.trigger wanted it
  bool nearly_dead_ = false;  // the victim of the background is taken outside the pace
  // What was recorded last.
  bool noted_none_[2] = {true, true};  // no victim, by kind
  bool noted_throttle_ = false;
  uint8_t noted_state_ = 0;
};

}  // namespace ftlsim
