// Hot: writes to addresses that have been overwritten lately go to the cache.
#include <algorithm>

#include "ftl/slc/overwrite_filter.h"
#include "ftl/slc/routes/register.h"

namespace ftlsim {
namespace {

class HotRoute final : public SlcRoutePolicy {
 public:
  HotRoute(uint32_t user_slots, uint64_t window, uint32_t writes)
      : filter_(user_slots, window), writes_(writes) {}
  bool to_slc(const HostWrite& w) override { return filter_.observe(w.lpn, w.units) >= writes_; }
  void reset() override { filter_.reset(); }

 private:
  OverwriteFilter filter_;
  uint32_t writes_;
};

struct HotRouteConfig final : SlcRouteConfig {
  uint32_t writes = 2;
  double window = 0.25;

  void visit(FieldVisitor& v) override {
    v.field({"writes", "earlier writes to 64 KiB that make it hot"}, writes, 1,
            OverwriteFilter::kMost);
    v.ratio({"window", "share of the drive to write until all counts are halved"}, window, 0.001,
            100.0);
  }
  std::unique_ptr<SlcRoutePolicy> make(const SlcRouteContext& c) const override {
    const auto units = static_cast<uint64_t>(window * static_cast<double>(c.user_slots));
    return std::make_unique<HotRoute>(c.user_slots, std::max<uint64_t>(units, 1), writes);
  }
};

}  // namespace

void register_slc_route_hot(SlcRouteFamily& family) {
  family.add<HotRouteConfig>("hot", "writes to addresses that were overwritten lately");
}

}  // namespace ftlsim
