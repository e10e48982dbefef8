// The dynamic SLC cache: how large it may be, and where the next host data go.
//
// Physics: SLC data take three times their size, and superblocks with TLC data or reserved ones are
// not available. With x the TLC capacity of all others, the limit is what the size policy says, and
// never more than x / bits-per-cell. It is evaluated when a superblock opens or closes. While the
// host fills the cache the limit can only shrink; it grows when the drive is idle or the cache is
// empty, so that overwritten data do not stretch a burst that has begun. This class decides; it
// moves nothing.
#pragma once

#include <cstdint>
#include <memory>

#include "ftl/config.h"
#include "ftl/decision_log.h"
#include "ftl/map/flat_map.h"
#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"

namespace ftlsim {

// Superblocks whose room a cache of guaranteed size keeps free of other data, 0 for other caches:
// what its slots take, the stripe that pads may add, and the open TLC streams and the hysteresis of
// the watermarks, which would eat into it.
uint32_t guaranteed_superblocks(const DriveConfig& config, const Layout& layout);

// Where up to `units` host units go. No units: the host has to wait for folding.
struct Route {
  Stream stream = Stream::kHostTlc;
  uint32_t units = 0;
};

class SlcCache {
 public:
  // `reserved_slots`: TLC capacity that neither cache nor user data may use. `heat`: the
  // classification of host data or nullptr; lives as long as the cache.
  SlcCache(const Simulator& sim, const DriveConfig& config, const SuperblockTable& table,
           const FlatMap& map, const HeatPolicy* heat, uint64_t reserved_slots, FtlStats& stats);

  bool enabled() const { return enabled_; }
  // Re-evaluates the limit and the folding pace; called when superblocks open, close or are freed,
  // and when the drive becomes idle. While the host is busy a cache that holds data only shrinks.
  void update(uint64_t free_tlc_slots, bool idle);

  // Where decisions are recorded, or nullptr.
  void set_log(DecisionLog* log) {
    log_ = log;
    route_log_ = log != nullptr && log->takes(Decision::kSlcRoute) ? log : nullptr;
  }

  // May a host write go to the cache? Asked once for each command, in the order of admission.
  bool wants(Lpn lpn, uint32_t units) {
    if (route_ == nullptr) return true;
    const bool in = route_->to_slc({lpn, units});
    if (route_log_ != nullptr) [[unlikely]]
      note_let_in(lpn, units, in);
    if (!in) stats_.routed_past_slots += units;
    return in;
  }
  // The destination of the next `units` host units of a command that the cache wants or does not;
  // `forced` while reclaim is forced.
  Route route(uint32_t units, bool wanted, bool forced);
  // Host units went to a stream: advances the pace and the mix.
  void placed(Stream stream, uint32_t units);

  uint64_t limit_slots() const { return limit_; }
  uint64_t used_slots() const { return table_.written_total(CellMode::kSlc); }
  // The cache has been filled and host data go elsewhere until it has drained.
  bool exhausted() const { return exhausted_; }
  // The fold-through host needs room: folding must run now.
  bool fold_demanded() const;
  // slc.fold.trigger wants another superblock to be folded now. Those being emptied do not count.
  bool fold_wanted(bool idle) {
    const uint64_t used = used_slots() - table_.victims_total(CellMode::kSlc);
    if (used == 0) return false;
    const FoldState state{used, limit_, kept_, idle, exhausted_};
    const bool wanted = trigger_->wants(state);
    if (log_ != nullptr) [[unlikely]]
      note_trigger(state, wanted);
    return wanted;
  }
  // A victim that the trigger wanted may be read while the host is busy.
  bool folds_beside_host() const { return trigger_->beside_host(); }
  // The victim that slc.keep asks for instead of the choice of slc.fold.victim, or invalid.
  SuperblockId keep_victim() {
    if (!keeps_) return SuperblockId::invalid();
    const SuperblockId sb = keep_->victim();
    if (log_ != nullptr && sb.valid()) [[unlikely]]
      note_given_up(sb);
    return sb;
  }
  // Does slc.mode want more room than there is, so that idle collection may empty a superblock of
  // which `valid` of `usable` slots are valid?
  bool lacks_room() const { return lacks_room_; }
  bool worth_collecting(uint32_t valid, uint32_t usable) const {
    return static_cast<double>(valid) <= room_.most_valid * static_cast<double>(usable);
  }
  // Superblocks that must stay free beyond the watermarks for a cache of guaranteed size.
  uint32_t kept_free() const {
    const uint32_t held = table_.holding(CellMode::kSlc);
    return guaranteed_ > held ? guaranteed_ - held : 0;
  }
  // Units that folding may read now while the host writes to TLC.
  uint64_t fold_budget() const { return budget_ >> 16; }
  void spend(uint32_t units) {
    drained_ += units;
    const uint64_t cost = uint64_t{units} << 16;
    budget_ = budget_ > cost ? budget_ - cost : 0;
  }
  // Format: empty and not exhausted.
  void reset();

 private:
  uint64_t physical_limit(uint64_t unused) const;
  SlcState state(bool idle) const;
  uint64_t unused_slots() const;
  uint64_t drained_credit() const;
  void update_kept(const SlcState& state);
  void update_pace(uint64_t free_tlc_slots);
  void update_fresh_share();
  Route decide(uint32_t units, bool wanted, bool forced);
  void note_limit(const SlcState& state, uint64_t wanted, uint64_t former);
  void note_route(const Route& route, uint32_t units, bool forced);
  void note_let_in(Lpn lpn, uint32_t units, bool in);
  void note_trigger(const FoldState& state, bool wanted);
  void note_given_up(SuperblockId sb);
  void note_exhaustion(uint32_t units, uint32_t room, uint32_t to_slc, const char* state);
  uint64_t resume_slots() const;

  const Simulator& sim_;
  SlcConfig config_;
  bool enabled_;
  const SuperblockTable& table_;
  const FlatMap& map_;
  FtlStats& stats_;
  uint32_t expansion_;  // TLC slots that one SLC slot takes
  uint64_t reserved_;
  LimitCurve curve_;
  std::unique_ptr<SlcSizePolicy> size_;
  DecisionLog* log_ = nullptr;
  DecisionLog* route_log_ = nullptr;  // the same if it takes the decisions of slc.route
  // What was recorded last.
  uint32_t noted_route_ = UINT32_MAX;
  int noted_let_in_ = -1;
  int noted_trigger_ = -1;
  const char* noted_exhaustion_ = "drained";
  std::unique_ptr<SlcRoutePolicy> route_;  // none: everything is wanted
  std::unique_ptr<ExhaustionPolicy> exhaustion_;
  bool waits_;  // slc.at_exhaustion lets the host wait for folding
  bool folds_;  // and lets folding make room
  std::unique_ptr<FoldTrigger> trigger_;
  std::unique_ptr<SlcKeepPolicy> keep_;
  bool keeps_;           // slc.keep is not `nothing`
  uint32_t guaranteed_;  // superblocks
  bool idle_ = false;
  uint64_t limit_ = 0;
  uint64_t physical_ = 0;  // SLC slots that the medium allows
  uint64_t kept_ = 0;      // SLC slots that folding may leave
  SlcRoom room_;           // that slc.mode wants to find after idle time
  bool lacks_room_ = false;
  uint64_t drained_ = 0;            // slots read out of SLC superblocks that are not released yet
  uint64_t released_ = 0;           // released_total() when that was last taken off
  uint64_t pace_ = 0;               // folded units per host unit, in 1/65536
  uint64_t budget_ = 0;             // in 1/65536 units
  uint64_t host_units_ = 0;         // placed since the share was taken
  uint64_t mapped_before_ = 0;      // units mapped then
  uint64_t fresh_share_ = 1 << 16;  // host units written for the first time, in 1/65536
  bool exhausted_ = false;
};

}  // namespace ftlsim
