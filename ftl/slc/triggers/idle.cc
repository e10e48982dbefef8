// Idle: folds when the host has been quiet for slc.fold.idle_delay, at slc.fold.idle_rate.
#include "ftl/slc/fold_trigger.h"

namespace ftlsim {
namespace {

class IdleTrigger final : public FoldTrigger {
 public:
  bool beside_host() const override { return false; }
  bool wants(const FoldState& s) override { return s.idle && s.used > s.kept; }
};

struct IdleTriggerConfig final : FoldTriggerConfig {
  std::unique_ptr<FoldTrigger> make(const FoldTriggerContext& /*context*/) const override {
    return std::make_unique<IdleTrigger>();
  }
};

}  // namespace

void register_idle(FoldTriggerFamily& family) {
  family.add<IdleTriggerConfig>("idle", "in idle time, after slc.fold.idle_delay");
}

}  // namespace ftlsim
