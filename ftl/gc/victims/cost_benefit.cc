// Cost-benefit: the superblock with the highest (1 - u) x age / 2u, u being its share of valid
// slots: the space gained, weighted with how long it will stay gained, over the cost of reading and
// writing what is valid (Rosenblum and Ousterhout, "The design and implementation of a
// log-structured file system", 1992; there the cost is 1 + u, as a segment is read whole).
//
// Age runs on the clock of superblock openings: how many superblocks have been opened since this
// one was. It grows with what is written, not with time, so that a rest does not make all data look
// old.
#include "ftl/gc/victim_policy.h"

namespace ftlsim {
namespace {

class CostBenefit final : public VictimPolicy {
 public:
  explicit CostBenefit(const SuperblockTable& table) : table_(table) {}

  SuperblockId choose(const VictimQuery& query) override {
    SuperblockId best;
    Worth most;
    for (uint32_t s = 0; s < table_.size(); ++s) {
      const SuperblockId sb(s);
      if (!eligible(table_, sb, query)) continue;
      const Worth worth = worth_of(sb);
      if (best.valid() && !more(worth, most)) continue;
      best = sb;
      most = worth;
    }
    return best;
  }

 private:
  // benefit / cost as a fraction; the cost is 0 if nothing is valid.
  struct Worth {
    uint64_t benefit = 0;  // gained slots x age
    uint32_t cost = 0;     // valid slots
  };

  Worth worth_of(SuperblockId sb) const {
    const uint64_t age = table_.openings() - table_[sb].opened + 1;
    return {gain(table_, sb) * age, table_.valid(sb)};
  }
  static bool more(const Worth& a, const Worth& b) {
    if (a.cost == 0 || b.cost == 0) return a.cost == 0 && (b.cost != 0 || a.benefit > b.benefit);
    using Wide = unsigned __int128;
    return static_cast<Wide>(a.benefit) * b.cost > static_cast<Wide>(b.benefit) * a.cost;
  }

  const SuperblockTable& table_;
};

struct CostBenefitConfig final : VictimConfig {
  std::unique_ptr<VictimPolicy> make(const VictimContext& c) const override {
    return std::make_unique<CostBenefit>(c.table);
  }
};

}  // namespace

void register_cost_benefit(VictimFamily& family) {
  family.add<CostBenefitConfig>("cost_benefit",
                                "the superblock with the most gained space x age for its copies");
}

}  // namespace ftlsim
