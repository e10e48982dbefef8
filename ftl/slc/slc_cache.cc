#include "ftl/slc/slc_cache.h"

#include <algorithm>

namespace ftlsim {
namespace {

constexpr uint64_t kOne = 1 << 16;
// Folding never runs faster than this many units per host unit by pace alone.
constexpr uint64_t kMaxPace = 2 * kOne;

}  // namespace

SlcCache::SlcCache(const Simulator& sim, const DriveConfig& config, const SuperblockTable& table,
                   const FlatMap& map, uint64_t reserved_slots, FtlStats& stats)
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
      mix_share_(static_cast<uint64_t>(config.slc.mix_share * static_cast<double>(kOne))) {}

void SlcCache::reset() {
  size_->reset();
  exhausted_ = false;
  budget_ = 0;
  mix_ = 0;
  host_units_ = 0;
  mapped_before_ = 0;
  fresh_share_ = kOne;
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
  s.idle = idle;
  s.now = sim_.now();
  return s;
}

void SlcCache::update(uint64_t free_tlc_slots, bool idle) {
  if (!enabled()) return;
  const SlcState now_state = state(idle);
  const uint64_t wanted = size_->limit(now_state);
  const uint64_t now = std::min(wanted, physical_limit(now_state.unused));
  const uint64_t former = limit_;
  if (idle || used_slots() == 0 || now < limit_) limit_ = now;
  if (log_ != nullptr && limit_ != former) [[unlikely]]
    note_limit(now_state, wanted, former);
  update_pace(free_tlc_slots);
  const auto resume = static_cast<uint64_t>(static_cast<double>(limit_) * config_.resume);
  if (exhausted_ && used_slots() <= resume && limit_ > 0) exhausted_ = false;
  if (config_.at_exhaustion == Exhaustion::kFoldThrough) exhausted_ = false;
  if (used_slots() == 0) budget_ = 0;
}

// How many units to fold per unit that the host writes to TLC, so that (a) the cache follows its
// shrinking limit when this superblock's worth of TLC data has been written, and (b) free
// superblocks last until every logical unit is mapped: folding one unit frees expansion - 1.
void SlcCache::update_pace(uint64_t free_tlc_slots) {
  pace_ = 0;
  if (!config_.fold.paced) return;
  const uint64_t step = table_.layout().superblock_slots(CellMode::kTlc);
  SlcState next = state(false);
  next.unused = next.unused > step ? next.unused - step : 0;
  const uint64_t next_limit = std::min(size_->limit_at(next), physical_limit(next.unused));
  const uint64_t allowed = std::min(limit_, next_limit);
  const uint64_t used = used_slots();
  if (used > allowed) pace_ = (used - allowed) * kOne / step;
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
  fresh_share_ = std::min(kOne, grown * kOne / host_units_);
  mapped_before_ = mapped;
  host_units_ = 0;
}

Route SlcCache::route(uint32_t units, bool forced) {
  const Route route = decide(units, forced);
  if (log_ != nullptr) [[unlikely]]
    note_route(route, units, forced);
  return route;
}

Route SlcCache::decide(uint32_t units, bool forced) {
  const Route tlc{Stream::kHostTlc, units};
  if (!enabled() || limit_ == 0) return tlc;
  if (forced && config_.forced_destination == Destination::kTlc) return tlc;
  const uint64_t used = used_slots();
  const auto room =
      static_cast<uint32_t>(std::min<uint64_t>(limit_ > used ? limit_ - used : 0, units));
  if (room == 0 && !exhausted_) {
    ++stats_.slc_exhaustions;
    exhausted_ = config_.at_exhaustion != Exhaustion::kFoldThrough;
  }
  if (!exhausted_) return {Stream::kHostSlc, room};  // fold-through: no room, wait
  if (config_.at_exhaustion == Exhaustion::kMix && room > 0 && mix_ >= kOne)
    return {Stream::kHostSlc, std::min(room, static_cast<uint32_t>(mix_ / kOne))};
  return tlc;
}

void SlcCache::placed(Stream stream, uint32_t units) {
  if (!enabled()) return;
  host_units_ += units;
  if (stream == Stream::kHostTlc) {
    // What folding cannot keep up with is not saved for later: the pace is set anew all the time.
    const uint64_t most = uint64_t{table_.layout().superblock_slots(CellMode::kSlc)} * kOne / 4;
    budget_ = std::min(budget_ + pace_ * units, most);
    if (config_.at_exhaustion == Exhaustion::kMix && exhausted_ && mix_share_ < kOne)
      mix_ = std::min(mix_ + units * mix_share_ * kOne / (kOne - mix_share_), 4096 * kOne);
  } else if (exhausted_) {
    mix_ -= std::min(mix_, units * kOne);
  }
}

bool SlcCache::fold_demanded() const {
  if (config_.at_exhaustion == Exhaustion::kDirect || !enabled()) return false;
  const uint64_t slack = 2 * uint64_t{table_.layout().superblock_slots(CellMode::kSlc)};
  const bool full = used_slots() + slack >= limit_;
  return full && (exhausted_ || config_.at_exhaustion == Exhaustion::kFoldThrough);
}

void SlcCache::note_limit(const SlcState& s, uint64_t wanted, uint64_t former) {
  log_->decided(Decision::kSlcLimit, {gigabytes_of(s.unused), gigabytes_of(s.used),
                                      gigabytes_of(s.valid), gigabytes_of(s.mapped), s.idle,
                                      gigabytes_of(wanted), gigabytes_of(physical_limit(s.unused)),
                                      gigabytes_of(former), gigabytes_of(limit_)});
}

void SlcCache::note_route(const Route& route, uint32_t units, bool forced) {
  const char* destination = route.stream == Stream::kHostTlc ? "tlc" : "slc";
  if (route.units == 0) destination = "wait";
  const uint32_t answer = (static_cast<uint32_t>(route.stream) << 2) |
                          (route.units == 0 ? 2u : 0u) | (forced ? 1u : 0u);
  if (answer == noted_route_) return;
  noted_route_ = answer;
  log_->decided(Decision::kRoute, {units, gigabytes_of(used_slots()), gigabytes_of(limit_),
                                   exhausted_, forced, destination});
}

}  // namespace ftlsim
