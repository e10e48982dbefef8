// Direct: host data go to TLC until the cache has drained.
#include "ftl/slc/exhaustion_policy.h"

namespace ftlsim {
namespace {

class DirectAtExhaustion final : public ExhaustionPolicy {
 public:
  bool folds() const override { return false; }
  uint32_t to_slc(uint32_t /*units*/, uint32_t /*room*/) override { return 0; }
};

struct DirectAtExhaustionConfig final : ExhaustionConfig {
  std::unique_ptr<ExhaustionPolicy> make(const ExhaustionContext& /*context*/) const override {
    return std::make_unique<DirectAtExhaustion>();
  }
};

}  // namespace

void register_direct(ExhaustionFamily& family) {
  family.add<DirectAtExhaustionConfig>("direct", "host data go to TLC");
}

}  // namespace ftlsim
