// Oldest data: the superblock that was written or overwritten longest ago.
#include "ftl/gc/victim_policy.h"

namespace ftlsim {
namespace {

class OldestDataVictim final : public VictimPolicy {
 public:
  explicit OldestDataVictim(const SuperblockTable& table) : table_(table) {}

  SuperblockId choose(const VictimQuery& query) override {
    SuperblockId best;
    for (uint32_t s = 0; s < table_.size(); ++s) {
      const SuperblockId sb(s);
      if (!eligible(table_, sb, query)) continue;
      if (!best.valid() || older(sb, best)) best = sb;
    }
    return best;
  }

 private:
  bool older(SuperblockId a, SuperblockId b) const {
    if (table_[a].touched != table_[b].touched) return table_[a].touched < table_[b].touched;
    return table_[a].opened < table_[b].opened;
  }

  const SuperblockTable& table_;
};

struct OldestDataVictimConfig final : VictimConfig {
  std::unique_ptr<VictimPolicy> make(const VictimContext& c) const override {
    return std::make_unique<OldestDataVictim>(c.table);
  }
};

}  // namespace

void register_oldest_data(VictimFamily& family) {
  family.add<OldestDataVictimConfig>("oldest_data", "the superblock that changed longest ago");
}

}  // namespace ftlsim
