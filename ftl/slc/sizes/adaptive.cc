// Adaptive: learns how much room the bursts of this host need, makes that room in idle time where
// it is cheap, and leaves the rest of the cache to data that die in it.
//
// A burst is what the host writes between two idle times. What it needs is its size and what the
// idle time before it had no time to fold. `need` is the size that a share of the last bursts does
// not exceed (`coverage`), with a margin. Rare writes that are much larger, such as backups, do not
// move it: beyond it they go straight to TLC and are written once instead of twice.
//
// On a drive with data all over it, free superblocks are what limits a cache, not its policy. So
// idle collection is asked to make room for `need`, but only as long as a slot of room for TLC data
// costs no more than `effort` copies: a superblock of which the share v is valid gives 1 - v and
// costs v.
//
// The space that the bursts do not need may hold data that were written before: folding in
// idle time then makes room for the next burst and no more, so that data which are overwritten soon
// are never folded. That pays as long as it saves more copies than it costs: cells that hold live
// data in SLC are missed by garbage collection. So what may stay, in eighths of `retain`, goes up
// by one after a burst that left a larger share of the cache dead than the share of the burst that
// collection copied, and at least a sixteenth, and down by one otherwise.
#include <algorithm>
#include <vector>

#include "ftl/config.h"
#include "ftl/slc/size_policy.h"

namespace ftlsim {
namespace {

constexpr uint32_t kEighths = 8;
// Less than this share of dead slots is not worth it.
constexpr uint64_t kLeastDead = 16;

struct AdaptiveSizeConfig final : SlcSizeConfig {
  uint32_t history = 32;
  uint32_t warm_up = 4;
  double coverage = 0.9;
  double margin = 0.25;
  double retain = 0.75;
  double effort = 1.0;  // estimate: a copy in idle time against a write at the speed of SLC
  Bytes smallest = Bytes::mib(64);

  void visit(FieldVisitor& v) override;
  void validate(const DriveConfig& drive, PolicyCheck& check) const override;
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& context) const override;
};

class AdaptiveSize final : public SlcSizePolicy {
 public:
  AdaptiveSize(const AdaptiveSizeConfig& config, uint32_t expansion)
      : config_(config), expansion_(expansion), smallest_(config.smallest.count() / kSlotBytes) {
    bursts_.reserve(config.history);
    sorted_.reserve(config.history);
  }

  uint64_t limit(const SlcState& state) override {
    if (state.idle && state.host_written > mark_) end_burst(state);
    if (state.idle) {
      const uint64_t stays = kept(state);
      unfolded_ = state.used > stays ? state.used - stays : 0;
    }
    return limit_at(state);
  }
  uint64_t limit_at(const SlcState& state) const override {
    const uint64_t most = state.unused / expansion_;
    return need(most) + retained(most);
  }
  uint64_t kept(const SlcState& state) const override {
    return retained(state.unused / expansion_);
  }
  SlcRoom room(const SlcState& /*state*/) const override {
    if (!warm()) return {};
    const double most_valid = config_.effort / (1.0 + config_.effort);
    return {std::max(learnt_, smallest_), most_valid};
  }
  void reset() override {
    bursts_.clear();
    unfolded_ = 0;
    next_ = 0;
    mark_ = 0;
    collected_ = 0;
    learnt_ = 0;
    level_ = kEighths / 2;
  }

 private:
  bool warm() const { return bursts_.size() >= config_.warm_up; }
  // Room for a burst when the cache may have `most` slots. Half of them before anything is known.
  uint64_t need(uint64_t most) const {
    return warm() ? std::min(most, std::max(learnt_, smallest_)) : most / 2;
  }
  uint64_t retained(uint64_t most) const {
    if (!warm()) return 0;
    const auto share = static_cast<uint64_t>(static_cast<double>(most) * config_.retain);
    return std::min(most - need(most), share * level_ / kEighths);
  }

  void end_burst(const SlcState& state) {
    const uint64_t burst = state.host_written - mark_;
    mark_ = state.host_written;
    const uint64_t copied = state.collected - collected_;
    collected_ = state.collected;
    if (state.used != 0) {
      const uint64_t dead = state.used - state.valid;
      // dead / used against copied / burst, as products.
      const bool pays = dead * kLeastDead >= state.used && dead * burst >= copied * state.used;
      level_ = pays ? std::min(kEighths, level_ + 1) : std::max(1u, level_ - 1);
    }
    if (burst < smallest_) return;  // fits whatever is learnt, and would hide the larger ones
    if (bursts_.size() < config_.history)
      bursts_.push_back(burst + unfolded_);
    else
      bursts_[next_] = burst + unfolded_;
    next_ = (next_ + 1) % config_.history;
    sorted_ = bursts_;
    std::sort(sorted_.begin(), sorted_.end());
    const auto rank =
        static_cast<size_t>(config_.coverage * static_cast<double>(sorted_.size() - 1));
    const uint64_t size = sorted_[rank];
    learnt_ = size + static_cast<uint64_t>(static_cast<double>(size) * config_.margin);
  }

  AdaptiveSizeConfig config_;
  uint32_t expansion_;
  uint64_t smallest_;
  std::vector<uint64_t> bursts_;  // ring of the last ones, in slots
  std::vector<uint64_t> sorted_;
  uint32_t next_ = 0;
  uint64_t mark_ = 0;       // host_written at the last idle time
  uint64_t unfolded_ = 0;   // SLC slots that folding had left to do when it ended
  uint64_t collected_ = 0;  // units that collection had copied then
  uint64_t learnt_ = 0;
  uint32_t level_ = kEighths / 2;  // of what may be retained
};

void AdaptiveSizeConfig::visit(FieldVisitor& v) {
  v.field({"history", "bursts that are remembered"}, history, 1, 1024);
  v.field({"warm_up", "bursts before what was learnt is used"}, warm_up, 1, 1024);
  v.ratio({"coverage", "share of the bursts that fit the cache whole"}, coverage, 0.0, 1.0);
  v.ratio({"margin", "room beyond that burst"}, margin, 0.0, 4.0);
  v.ratio({"retain", "most of the cache that idle folding may leave as it is"}, retain, 0.0, 1.0);
  v.ratio({"effort", "copies of idle collection for a slot of room that bursts lack, 0: none"},
          effort, 0.0, 9.0);
  v.field({"smallest", "bursts below this size are not learnt from; the least room for one"},
          smallest, Bytes::kib(4), Bytes::tb(1));
}

void AdaptiveSizeConfig::validate(const DriveConfig& /*drive*/, PolicyCheck& check) const {
  if (warm_up > history)
    check.error("warm_up", fmt::format("{} bursts are never remembered: {} = {}", warm_up,
                                       check.place("slc.adaptive.history"), history));
}

std::unique_ptr<SlcSizePolicy> AdaptiveSizeConfig::make(const SlcSizeContext& context) const {
  return std::make_unique<AdaptiveSize>(*this, context.expansion);
}

}  // namespace

void register_adaptive(SlcSizeFamily& family) {
  family.add<AdaptiveSizeConfig>("adaptive",
                                 "learns the size of bursts and keeps data that die in the cache");
}

}  // namespace ftlsim
