// Coldest: the superblock whose data die slowest.
//
// The rate is dead slots per superblock opened since it was, the clock that runs with the write
// rate. Folding the coldest first leaves in the cache what will die there without a copy.
#include "ftl/gc/victim_policy.h"

namespace ftlsim {
namespace {

class ColdestVictim final : public VictimPolicy {
 public:
  explicit ColdestVictim(const SuperblockTable& table) : table_(table) {}

  SuperblockId choose(const VictimQuery& query) override {
    SuperblockId best;
    uint64_t dead = 0;
    uint64_t age = 1;
    for (uint32_t s = 0; s < table_.size(); ++s) {
      const SuperblockId sb(s);
      if (!eligible(table_, sb, query)) continue;
      const uint64_t d = table_[sb].written - table_.valid(sb);
      const uint64_t t = table_.openings() - table_[sb].opened + 1;
      // d / t < dead / age, as products; of equals the one opened first.
      if (best.valid() &&
          (d * age > dead * t || (d * age == dead * t && table_[sb].opened > table_[best].opened)))
        continue;
      best = sb;
      dead = d;
      age = t;
    }
    return best;
  }

 private:
  const SuperblockTable& table_;
};

struct ColdestVictimConfig final : VictimConfig {
  std::unique_ptr<VictimPolicy> make(const VictimContext& c) const override {
    return std::make_unique<ColdestVictim>(c.table);
  }
};

}  // namespace

void register_coldest(VictimFamily& family) {
  family.add<ColdestVictimConfig>("coldest", "the superblock whose data die slowest");
}

}  // namespace ftlsim
