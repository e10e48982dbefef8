// Greedy: the superblock with the least share of valid slots, the oldest of equals.
//
// The share is of the TLC capacity in both modes, so that it compares what a gained slot costs: an
// SLC superblock holds at most a third, one with holes less than others. A scan: up to 8,192
// superblocks it costs less than keeping order.
#include "ftl/gc/victim_policy.h"

namespace ftlsim {
namespace {

class GreedyVictim final : public VictimPolicy {
 public:
  explicit GreedyVictim(const SuperblockTable& table) : table_(table) {}

  SuperblockId choose(const VictimQuery& query) override {
    const std::vector<uint32_t>& valid = table_.valid_counts();
    const std::vector<uint8_t>& closed = table_.closed_flags();
    // Least valid / capacity so far, as a fraction: superblocks with holes hold less.
    uint64_t least = 1;
    uint64_t capacity = 1;
    SuperblockId best;
    for (uint32_t s = 0; s < valid.size(); ++s) {
      if (closed[s] == 0) continue;
      const SuperblockId sb(s);
      const uint64_t slots = table_.usable(sb, CellMode::kTlc);
      const uint64_t a = valid[s] * capacity;
      const uint64_t b = least * slots;
      // Starting from 1 / 1, a superblock that is valid throughout is never better.
      if (a > b || (a == b && !best.valid())) continue;
      const CellMode mode = table_[sb].mode;
      if (mode == CellMode::kSlc ? !query.slc : !query.tlc) continue;
      if (a == b && table_[sb].opened > table_[best].opened) continue;
      least = valid[s];
      capacity = slots;
      best = sb;
    }
    return best;
  }

 private:
  const SuperblockTable& table_;
};

struct GreedyVictimConfig final : VictimConfig {
  std::unique_ptr<VictimPolicy> make(const VictimContext& c) const override {
    return std::make_unique<GreedyVictim>(c.table);
  }
};

}  // namespace

void register_greedy(VictimFamily& family) {
  family.add<GreedyVictimConfig>("greedy", "the superblock with the least share of valid slots");
}

}  // namespace ftlsim
