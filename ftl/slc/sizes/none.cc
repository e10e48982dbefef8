// No SLC cache: all data go to TLC.
#include "ftl/slc/sizes/register.h"

namespace ftlsim {
namespace {

class None final : public SlcSizePolicy {
 public:
  uint64_t limit(const SlcState& /*state*/) override { return 0; }
  uint64_t limit_at(const SlcState& /*state*/) const override { return 0; }
};

struct NoneConfig final : SlcSizeConfig {
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& /*context*/) const override {
    return std::make_unique<None>();
  }
};

}  // namespace

void register_slc_none(SlcSizeFamily& family) { family.add<NoneConfig>("none", "no SLC cache"); }

}  // namespace ftlsim
