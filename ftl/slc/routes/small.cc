// Small: writes up to a size go to the cache.
#include "ftl/slc/route_policy.h"
#include "nand/config.h"

namespace ftlsim {
namespace {

class SmallRoute final : public SlcRoutePolicy {
 public:
  explicit SmallRoute(uint32_t most) : most_(most) {}
  bool to_slc(const HostWrite& write) override { return write.units <= most_; }

 private:
  uint32_t most_;
};

struct SmallRouteConfig final : SlcRouteConfig {
  Bytes size = Bytes::kib(32);

  void visit(FieldVisitor& v) override {
    v.field({"size", "largest write that goes to SLC; in whole 4 KiB units"}, size, Bytes::kib(4),
            Bytes::mib(4));
  }
  void validate(const DriveConfig& /*drive*/, PolicyCheck& check) const override {
    if (size.count() % kSlotBytes != 0)
      check.error("size", fmt::format("{} B is not a multiple of 4096 B", size.count()));
  }
  std::unique_ptr<SlcRoutePolicy> make(const SlcRouteContext& /*context*/) const override {
    return std::make_unique<SmallRoute>(static_cast<uint32_t>(size.count() / kSlotBytes));
  }
};

}  // namespace

void register_small(SlcRouteFamily& family) {
  family.add<SmallRouteConfig>("small", "writes up to a size");
}

}  // namespace ftlsim
