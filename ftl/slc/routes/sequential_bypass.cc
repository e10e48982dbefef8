// Sequential bypass: the beginning of a sequential stream goes to the cache, what comes after a
// given length goes to TLC.
#include "ftl/slc/route_policy.h"
#include "ftl/slc/stream_detector.h"
#include "nand/config.h"

namespace ftlsim {
namespace {

class SequentialBypassRoute final : public SlcRoutePolicy {
 public:
  SequentialBypassRoute(uint32_t streams, uint64_t length) : detector_(streams), length_(length) {}
  bool to_slc(const HostWrite& w) override { return detector_.observe(w.lpn, w.units) < length_; }
  void reset() override { detector_.reset(); }

 private:
  StreamDetector detector_;
  uint64_t length_;
};

struct SequentialBypassRouteConfig final : SlcRouteConfig {
  uint32_t streams = 16;
  Bytes length = Bytes::mib(64);

  void visit(FieldVisitor& v) override {
    v.field({"streams", "sequential streams that are followed at once"}, streams, 1, 256);
    v.field({"length", "of a stream, before the rest of it goes to TLC"}, length, Bytes::kib(4),
            Bytes::tb(1));
  }
  std::unique_ptr<SlcRoutePolicy> make(const SlcRouteContext& /*context*/) const override {
    return std::make_unique<SequentialBypassRoute>(streams, length.count() / kSlotBytes);
  }
};

}  // namespace

void register_sequential_bypass(SlcRouteFamily& family) {
  family.add<SequentialBypassRouteConfig>("sequential_bypass",
                                          "all but what follows a long sequential run");
}

}  // namespace ftlsim
