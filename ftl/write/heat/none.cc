// No separation: one class.
#include "ftl/write/heat_policy.h"

namespace ftlsim {
namespace {

class None final : public HeatPolicy {
 public:
  uint32_t classes() const override { return 1; }
  uint32_t region_units() const override { return 1; }
  uint32_t classify(Lpn /*lpn*/) const override { return 0; }
  void written(Lpn /*lpn*/, uint32_t /*n*/) override {}
};

struct NoneConfig final : HeatConfig {
  std::unique_ptr<HeatPolicy> make(const HeatContext& /*context*/) const override {
    return std::make_unique<None>();
  }
};

}  // namespace

void register_none(HeatFamily& family) {
  family.add<NoneConfig>("none", "host data are not separated");
}

}  // namespace ftlsim
