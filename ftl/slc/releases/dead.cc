// Dead: a superblock comes back when its last valid slot was trimmed or overwritten, also while the
// host is busy.
#include "ftl/slc/release_policy.h"

namespace ftlsim {
namespace {

class DeadRelease final : public SlcReleasePolicy {
 public:
  bool at_death() const override { return true; }
};

struct DeadReleaseConfig final : SlcReleaseConfig {
  std::unique_ptr<SlcReleasePolicy> make(const SlcReleaseContext& /*context*/) const override {
    return std::make_unique<DeadRelease>();
  }
};

}  // namespace

void register_dead(SlcReleaseFamily& family) {
  family.add<DeadReleaseConfig>("dead", "at once when nothing in it is valid any more");
}

}  // namespace ftlsim
