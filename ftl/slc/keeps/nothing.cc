// Nothing: folding empties the cache.
#include "ftl/slc/keep_policy.h"

namespace ftlsim {
namespace {

class NothingKept final : public SlcKeepPolicy {
 public:
  uint64_t slots() const override { return 0; }
};

struct NothingKeptConfig final : SlcKeepConfig {
  std::unique_ptr<SlcKeepPolicy> make(const SlcKeepContext& /*context*/) const override {
    return std::make_unique<NothingKept>();
  }
};

}  // namespace

void register_nothing(SlcKeepFamily& family) {
  family.add<NothingKeptConfig>("nothing", "folding empties the cache");
}

}  // namespace ftlsim
