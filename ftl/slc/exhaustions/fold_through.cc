// Fold-through: host data wait for folding and go to SLC, so that all of them are written twice.
#include "ftl/slc/exhaustion_policy.h"

namespace ftlsim {
namespace {

class FoldThrough final : public ExhaustionPolicy {
 public:
  bool waits() const override { return true; }
  bool folds() const override { return true; }
  uint32_t to_slc(uint32_t /*units*/, uint32_t /*room*/) override { return 0; }
};

struct FoldThroughConfig final : ExhaustionConfig {
  std::unique_ptr<ExhaustionPolicy> make(const ExhaustionContext& /*context*/) const override {
    return std::make_unique<FoldThrough>();
  }
};

}  // namespace

void register_fold_through(ExhaustionFamily& family) {
  family.add<FoldThroughConfig>("fold_through", "host data wait for folding and go to SLC");
}

}  // namespace ftlsim
