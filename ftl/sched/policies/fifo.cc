// FIFO: whatever arrived first on the die, of all classes.
#include "ftl/sched/die_policy.h"

namespace ftlsim {
namespace {

class FifoDie final : public DiePolicy {
 public:
  DieClass first(const DieView& view) override {
    size_t best = kDieClasses;
    for (size_t c = 0; c < kDieClasses; ++c) {
      if (!view.waiting[c]) continue;
      if (best == kDieClasses || view.since[c] < view.since[best]) best = c;
    }
    return static_cast<DieClass>(best);
  }
  bool suspends() const override { return false; }
};

struct FifoDieConfig final : DiePolicyConfig {
  std::unique_ptr<DiePolicy> make(const DiePolicyContext& /*context*/) const override {
    return std::make_unique<FifoDie>();
  }
};

}  // namespace

void register_fifo(DiePolicyFamily& family) {
  family.add<FifoDieConfig>("fifo", "in the order of arrival on the die");
}

}  // namespace ftlsim
