// Hot: data that write.heat calls hot go to the cache. The same classes that keep hot and cold TLC
// data apart decide here: there is one notion of heat on a drive. For a hot route without streams
// by heat, write.streams: shared.
#include "ftl/config.h"
#include "ftl/slc/route_policy.h"

namespace ftlsim {
namespace {

class HotRoute final : public SlcRoutePolicy {
 public:
  HotRoute(const HeatPolicy& heat, uint32_t coldest) : heat_(heat), coldest_(coldest) {}
  bool to_slc(const HostWrite& w) override { return heat_.classify(w.lpn) >= coldest_; }

 private:
  const HeatPolicy& heat_;
  uint32_t coldest_;
};

struct HotRouteConfig final : SlcRouteConfig {
  uint32_t coldest = 1;

  void visit(FieldVisitor& v) override {
    v.field({"class", "coldest class of write.heat that goes to SLC, 0 being the coldest of all"},
            coldest, 1, kMostHeatClasses - 1);
  }
  void validate(const DriveConfig& drive, PolicyCheck& check) const override {
    if (!drive.slc.enabled()) return;
    const uint32_t classes = drive.write.heat.make({drive.user_slots()})->classes();
    if (classes == 1)
      check.error_at("slc.route",
                     fmt::format("hot needs classes, but {} is {}; choose two_level or "
                                 "multi_level, with write.streams: shared if TLC data "
                                 "are to stay together",
                                 check.place("write.heat"), drive.write.heat.name()));
    else if (coldest >= classes)
      check.error("class",
                  fmt::format("{} is never reached: {} = {} has the classes 0 to {}", coldest,
                              check.place("write.heat"), drive.write.heat.name(), classes - 1));
  }
  std::unique_ptr<SlcRoutePolicy> make(const SlcRouteContext& c) const override {
    SIM_ASSERT(c.heat != nullptr, "slc.route: hot without write.heat");
    return std::make_unique<HotRoute>(*c.heat, coldest);
  }
};

}  // namespace

void register_hot(SlcRouteFamily& family) {
  family.add<HotRouteConfig>("hot", "writes to data that write.heat calls hot");
}

}  // namespace ftlsim
