// Random: writes that continue no sequential stream go to the cache.
#include "ftl/slc/route_policy.h"
#include "ftl/slc/stream_detector.h"

namespace ftlsim {
namespace {

class RandomRoute final : public SlcRoutePolicy {
 public:
  explicit RandomRoute(uint32_t streams) : detector_(streams) {}
  bool to_slc(const HostWrite& w) override { return detector_.observe(w.lpn, w.units) == 0; }
  void reset() override { detector_.reset(); }

 private:
  StreamDetector detector_;
};

struct RandomRouteConfig final : SlcRouteConfig {
  uint32_t streams = 16;

  void visit(FieldVisitor& v) override {
    v.field({"streams", "sequential streams that are followed at once"}, streams, 1, 256);
  }
  std::unique_ptr<SlcRoutePolicy> make(const SlcRouteContext& /*context*/) const override {
    return std::make_unique<RandomRoute>(streams);
  }
};

}  // namespace

void register_random(SlcRouteFamily& family) {
  family.add<RandomRouteConfig>("random", "writes that continue no sequential stream");
}

}  // namespace ftlsim
