// Background: folds all the time, beside the host at slc.fold.background_rate and in idle time at
// slc.fold.idle_rate.
#include "ftl/slc/fold_trigger.h"

namespace ftlsim {
namespace {

class BackgroundTrigger final : public FoldTrigger {
 public:
  bool wants(const FoldState& s) override { return s.used > s.kept; }
};

struct BackgroundTriggerConfig final : FoldTriggerConfig {
  std::unique_ptr<FoldTrigger> make(const FoldTriggerContext& /*context*/) const override {
    return std::make_unique<BackgroundTrigger>();
  }
};

}  // namespace

void register_background(FoldTriggerFamily& family) {
  family.add<BackgroundTriggerConfig>("background",
                                      "all the time, beside the host at slc.fold.background_rate");
}

}  // namespace ftlsim
