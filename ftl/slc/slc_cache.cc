#include "ftl/slc/slc_cache.h"

#include <algorithm>

#include "ftl/write/stream_plan.h"

namespace ftlsim {
namespace {

constexpr uint64_t kOneUnit = 1 << 16;
// Folding never runs faster than this many units per host unit by pace alone.
constexpr uint64_t kMaxPace = 2 * kOneUnit;

}  // namespace

uint32_t guaranteed_superblocks(const DriveConfig& config, const Layout& layout) {
  const LimitCurve curve(config.slc.limit);
  const uint64_t bits = config.nand.geometry.bits_per_cell;
  const uint64_t slots =
      config.slc.mode.make({curve, static_cast<uint32_t>(bits), 0})->guaranteed();
  if (slots == 0) return 0;
  const uint64_t size = ParityPlan(config.rain.dies).full_slots(layout, CellMode::kTlc);
  const uint64_t room = (slots + layout.stripe_slots(CellMode::kSlc)) * bits;
  return static_cast<uint32_t>((room + size - 1) / size) + stream_plan(config).open_tlc() +
         config.gc.high_watermark - config.gc.low_watermark;
}

SlcCache::SlcCache(const Simulator& sim, const DriveConfig& config, const SuperblockTable& table,
                   const FlatMap& map, const HeatPolicy* heat, uint64_t reserved_slots,
                   FtlStats& stats)
    : sim_(sim),
      config_(config.slc),
      enabled_(config.slc.enabled()),
      table_(table),
      map_(map),
      stats_(stats),
      expansion_(config.nand.geometry.bits_per_cell),
      reserved_(reserved_slots),
      curve_(config.slc.limit),
      size_(config.slc.mode.make(
          {curve_, expansion_,
           table.capacity() > reserved_slots ? table.capacity() - reserved_slots : 0})),
      route_(config.slc.route.is("all") || !enabled_
                 ? nullptr
                 : config.slc.route.make({config.user_slots(), heat})),
      exhaustion_(config.slc.at_exhaustion.make({})),
      waits_(exhaustion_->waits()),
      folds_(exhaustion_->folds()),
      trigger_(config.slc.fold.trigger.make({})),
      keep_(config.slc.keep.make({table})),
      keeps_(!config.slc.keep.is("nothing")),
      guaranteed_(guaranteed_superblocks(config, table.layout())) {}

void SlcCache::reset() {
  size_->reset();
  if (route_ != nullptr) route_->reset();
  exhaustion_->reset();
  trigger_->reset();
  keep_->reset();
  drained_ = released_ = 0;
  exhausted_ = false;
  budget_ = 0;
  host_units_ = 0;
  mapped_before_ = 0;
  fresh_share_ = kOneUnit;
}

// TLC capacity of superblocks without TLC data, less the reserves.
uint64_t SlcCache::unused_slots() const {
  const uint64_t gone = table_.capacity_holding(CellMode::kTlc) + reserved_;
  return table_.capacity() > gone ? table_.capacity() - gone : 0;
}

// What may be SLC at most. Pads of a flush may exceed the limit by one stripe.
uint64_t SlcCache::physical_limit(uint64_t unused) const {
  const uint64_t stripe = table_.layout().stripe_slots(CellMode::kSlc);
  const uint64_t most = unused / expansion_;
  return most > stripe ? most - stripe : 0;
}

SlcState SlcCache::state(bool idle) const {
  SlcState s;
  s.unused = unused_slots();
  s.used = used_slots();
  s.valid = table_.valid_total(CellMode::kSlc);
  s.mapped = map_.mapped();
  s.user = map_.user_slots();
  s.host_written = stats_.host_write_slots;
  s.collected = stats_.programmed_by(Cause::kGc);
  s.idle = idle;
  s.now = sim_.now();
  return s;
}

void SlcCache::update(uint64_t free_tlc_slots, bool idle) {
  if (!enabled()) return;
  const SlcState now_state = state(idle);
  if (idle && !idle_) keep_->idle_begins();
  idle_ = idle;
  physical_ = physical_limit(now_state.unused);
  const uint64_t wanted = size_->limit(now_state);
  const uint64_t now = std::min(wanted, physical_);
  room_ = size_->room(now_state);
  lacks_room_ = room_.slots > physical_;
  const uint64_t former = limit_;
  if (idle || used_slots() == 0 || now < limit_) limit_ = now;
  if (log_ != nullptr && limit_ != former) [[unlikely]]
    note_limit(now_state, wanted, former);
  update_kept(now_state);
  update_pace(free_tlc_slots);
  if (exhausted_ && used_slots() <= resume_slots() && limit_ > 0) {
    exhausted_ = false;
    if (log_ != nullptr) [[unlikely]]
      note_exhaustion(0, 0, 0, "drained");
  }
  if (used_slots() == 0) budget_ = 0;
}

// Use of the cache at which an exhausted one takes host data again.
uint64_t SlcCache::resume_slots() const {
  const auto share = static_cast<uint64_t>(static_cast<double>(limit_) * config_.resume);
  return idle_ ? std::max(share, kept_) : share;  // folding ends at what is kept
}

// What may stay, at most what leaves room for another superblock: else a burst would find none.
void SlcCache::update_kept(const SlcState& state) {
  const uint64_t gone = table_.released_total(CellMode::kSlc) - released_;
  released_ += gone;
  drained_ -= std::min(drained_, gone);
  const uint64_t step = table_.full_slots(CellMode::kSlc);
  const uint64_t most = limit_ > step ? limit_ - step : 0;
  kept_ = std::min(most, std::max(size_->kept(state), keep_->slots()));
}

// How many units to fold per unit that the host writes to TLC, so that (a) the cache follows its
// shrinking limit when this superblock's worth of TLC data has been written, and (b) free
// superblocks last until every logical unit is mapped: folding one unit frees expansion - 1.
void SlcCache::update_pace(uint64_t free_tlc_slots) {
  pace_ = 0;
  if (!config_.fold.paced) return;
  const uint64_t step = table_.full_slots(CellMode::kTlc);
  SlcState next = state(false);
  next.unused = next.unused > step ? next.unused - step : 0;
  const uint64_t next_limit = std::min(size_->limit_at(next), physical_limit(next.unused));
  const uint64_t allowed = std::min(limit_, next_limit);
  const uint64_t used = used_slots();
  if (used > allowed) pace_ = (used - allowed) * kOneUnit / step;
  update_fresh_share();
  const uint64_t unmapped = map_.user_slots() - map_.mapped();
  if (unmapped > free_tlc_slots && expansion_ > 1)
    pace_ =
        std::max(pace_, (unmapped - free_tlc_slots) * fresh_share_ / (expansion_ - 1) / unmapped);
  pace_ = std::min(pace_, kMaxPace);
}

// The share of host units that were written for the first time: overwriting needs no more space.
void SlcCache::update_fresh_share() {
  const uint64_t mapped = map_.mapped();
  if (host_units_ < table_.layout().stripe_slots(CellMode::kTlc)) return;
  const uint64_t grown = mapped > mapped_before_ ? mapped - mapped_before_ : 0;
  fresh_share_ = std::min(kOneUnit, grown * kOneUnit / host_units_);
  mapped_before_ = mapped;
  host_units_ = 0;
}

// What has been read out of SLC superblocks counts as room for a host that waits for folding, as
// far as the medium has it: else it would wait for whole superblocks.
uint64_t SlcCache::drained_credit() const {
  if (!waits_ || physical_ <= limit_) return 0;
  return std::min({drained_, physical_ - limit_, uint64_t{table_.full_slots(CellMode::kSlc)}});
}

Route SlcCache::route(uint32_t units, bool wanted, bool forced) {
  const Route route = decide(units, wanted, forced);
  if (log_ != nullptr) [[unlikely]]
    note_route(route, units, forced);
  return route;
}

Route SlcCache::decide(uint32_t units, bool wanted, bool forced) {
  const Route tlc{Stream::kHostTlc, units};
  if (!enabled() || limit_ == 0 || !wanted) return tlc;
  if (forced && config_.forced_destination == Destination::kTlc) return tlc;
  const uint64_t used = used_slots();
  const uint64_t limit = limit_ + drained_credit();
  const auto room =
      static_cast<uint32_t>(std::min<uint64_t>(limit > used ? limit - used : 0, units));
  if (room == 0 && !exhausted_) {
    ++stats_.slc_exhaustions;
    exhausted_ = !waits_;
  }
  if (!exhausted_) {
    if (waits_ && log_ != nullptr) [[unlikely]]
      note_exhaustion(units, room, room, room == 0 ? "wait" : "drained");
    return {Stream::kHostSlc, room};  // no room: the host waits
  }
  const uint32_t still = exhaustion_->to_slc(units, room);
  SIM_ASSERT(still <= room, "slc.at_exhaustion sends {} units to a cache with room for {}", still,
             room);
  if (log_ != nullptr) [[unlikely]]
    note_exhaustion(units, room, still, still == 0 ? "tlc" : "slc");
  return still == 0 ? tlc : Route{Stream::kHostSlc, still};
}

void SlcCache::placed(Stream stream, uint32_t units) {
  if (!enabled()) return;
  host_units_ += units;
  if (stream == Stream::kHostTlc) {
    // What folding cannot keep up with is not saved for later: the pace is set anew all the time.
    const uint64_t most = uint64_t{table_.full_slots(CellMode::kSlc)} * kOneUnit / 4;
    budget_ = std::min(budget_ + pace_ * units, most);
  }
  if (exhausted_) exhaustion_->placed(stream == Stream::kHostSlc, units);
}

bool SlcCache::fold_demanded() const {
  if (!folds_ || !enabled()) return false;
  const uint64_t slack = 2 * uint64_t{table_.full_slots(CellMode::kSlc)};
  const bool full = used_slots() + slack >= limit_;
  return full && (exhausted_ || waits_);
}

}  // namespace ftlsim
