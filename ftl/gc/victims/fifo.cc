// FIFO: the superblock that was opened first.
#include "ftl/gc/victim_policy.h"

namespace ftlsim {
namespace {

class FifoVictim final : public VictimPolicy {
 public:
  explicit FifoVictim(const SuperblockTable& table) : table_(table) {}

  SuperblockId choose(const VictimQuery& query) override {
    SuperblockId best;
    for (uint32_t s = 0; s < table_.size(); ++s) {
      const SuperblockId sb(s);
      if (!eligible(table_, sb, query)) continue;
      if (!best.valid() || table_[sb].opened < table_[best].opened) best = sb;
    }
    return best;
  }

 private:
  const SuperblockTable& table_;
};

struct FifoVictimConfig final : VictimConfig {
  std::unique_ptr<VictimPolicy> make(const VictimContext& c) const override {
    return std::make_unique<FifoVictim>(c.table);
  }
};

}  // namespace

void register_fifo(VictimFamily& family) {
  family.add<FifoVictimConfig>("fifo", "the superblock that was opened first");
}

}  // namespace ftlsim
