// Lazy: dead superblocks wait for their turn among the victims of folding and collection.
#include "ftl/slc/release_policy.h"

namespace ftlsim {
namespace {

class LazyRelease final : public SlcReleasePolicy {
 public:
  bool at_death() const override { return false; }
};

struct LazyReleaseConfig final : SlcReleaseConfig {
  std::unique_ptr<SlcReleasePolicy> make(const SlcReleaseContext& /*context*/) const override {
    return std::make_unique<LazyRelease>();
  }
};

}  // namespace

void register_lazy(SlcReleaseFamily& family) {
  family.add<LazyReleaseConfig>("lazy", "in the ordinary order of folding and collection");
}

}  // namespace ftlsim
