// Foreground: folds only a cache that the host has filled, until it has drained.
#include "ftl/slc/fold_trigger.h"

namespace ftlsim {
namespace {

class ForegroundTrigger final : public FoldTrigger {
 public:
  bool wants(const FoldState& s) override { return s.exhausted && s.used > s.kept; }
};

struct ForegroundTriggerConfig final : FoldTriggerConfig {
  std::unique_ptr<FoldTrigger> make(const FoldTriggerContext& /*context*/) const override {
    return std::make_unique<ForegroundTrigger>();
  }
};

}  // namespace

void register_foreground(FoldTriggerFamily& family) {
  family.add<ForegroundTriggerConfig>("foreground", "only after the host has filled the cache");
}

}  // namespace ftlsim
