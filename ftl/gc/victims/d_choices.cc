// d-choices: of d superblocks drawn at random (with replacement) the one with the least share of
// valid slots. d = 1 is random choice, and greedy is its limit for large d. (Van Houdt, "A mean
// field model for a class of garbage collection algorithms in flash-based solid state drives",
// 2013.)
//
// Draws are among the candidates, those that gain something. A draw that hits another superblock is
// repeated; when that fails too often, few are left and they are counted instead.
#include "ftl/gc/victim_policy.h"
#include "sim/rng.h"

namespace ftlsim {
namespace {

constexpr uint32_t kMostTries = 16;

class DChoices final : public VictimPolicy {
 public:
  DChoices(const VictimContext& c, uint32_t d)
      : table_(c.table), d_(d), rng_(c.seed, "d_choices") {}

  SuperblockId choose(const VictimQuery& query) override {
    SuperblockId best;
    for (uint32_t i = 0; i < d_; ++i) {
      const SuperblockId sb = draw(query);
      if (!sb.valid()) return sb;
      if (!best.valid() || fuller(best, sb)) best = sb;
    }
    return best;
  }

 private:
  bool fuller(SuperblockId a, SuperblockId b) const {
    return uint64_t{table_.valid(a)} * table_.usable(b, CellMode::kTlc) >
           uint64_t{table_.valid(b)} * table_.usable(a, CellMode::kTlc);
  }

  SuperblockId draw(const VictimQuery& query) {
    for (uint32_t i = 0; i < kMostTries; ++i) {
      const SuperblockId sb(static_cast<uint32_t>(rng_.below(table_.size())));
      if (eligible(table_, sb, query)) return sb;
    }
    uint32_t candidates = 0;
    for (uint32_t s = 0; s < table_.size(); ++s)
      candidates += eligible(table_, SuperblockId(s), query);
    if (candidates == 0) return SuperblockId::invalid();
    auto skip = static_cast<uint32_t>(rng_.below(candidates));
    for (uint32_t s = 0;; ++s)
      if (eligible(table_, SuperblockId(s), query) && skip-- == 0) return SuperblockId(s);
  }

  const SuperblockTable& table_;
  uint32_t d_;
  Rng rng_;
};

struct DChoicesConfig final : VictimConfig {
  uint32_t d = 10;
  void visit(FieldVisitor& v) override {
    v.field({"d", "superblocks drawn at random"}, d, 1, 1000);
  }
  std::unique_ptr<VictimPolicy> make(const VictimContext& c) const override {
    return std::make_unique<DChoices>(c, d);
  }
};

}  // namespace

void register_d_choices(VictimFamily& family) {
  family.add<DChoicesConfig>("d_choices", "the emptiest of d superblocks drawn at random");
}

}  // namespace ftlsim
