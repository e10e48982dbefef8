// No SLC cache: all data go to TLC.
#include "ftl/slc/size_policy.h"

namespace ftlsim {
namespace {

class NoneSize final : public SlcSizePolicy {
 public:
  uint64_t limit(const SlcState& /*state*/) override { return 0; }
  uint64_t limit_at(const SlcState& /*state*/) const override { return 0; }
};

struct NoneSizeConfig final : SlcSizeConfig {
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& /*context*/) const override {
    return std::make_unique<NoneSize>();
  }
};

}  // namespace

void register_none(SlcSizeFamily& family) { family.add<NoneSizeConfig>("none", "no SLC cache"); }

}  // namespace ftlsim
