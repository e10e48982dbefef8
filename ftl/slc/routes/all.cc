// All: every host write goes to the cache while it has room.
#include "ftl/slc/route_policy.h"

namespace ftlsim {
namespace {

class AllRoute final : public SlcRoutePolicy {
 public:
  bool to_slc(const HostWrite& /*write*/) override { return true; }
};

struct AllRouteConfig final : SlcRouteConfig {
  std::unique_ptr<SlcRoutePolicy> make(const SlcRouteContext& /*context*/) const override {
    return std::make_unique<AllRoute>();
  }
};

}  // namespace

void register_all(SlcRouteFamily& family) { family.add<AllRouteConfig>("all", "every write"); }

}  // namespace ftlsim
