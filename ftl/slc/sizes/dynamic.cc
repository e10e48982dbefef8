// Dynamic: the size follows the free space, by the curve slc.limit.
#include "ftl/config.h"
#include "ftl/slc/size_policy.h"

namespace ftlsim {
namespace {

class DynamicSize final : public SlcSizePolicy {
 public:
  explicit DynamicSize(const LimitCurve& curve) : curve_(curve) {}

  uint64_t limit(const SlcState& state) override { return limit_at(state); }
  uint64_t limit_at(const SlcState& state) const override { return curve_.at(state.unused); }

 private:
  const LimitCurve& curve_;
};

struct DynamicSizeConfig final : SlcSizeConfig {
  void validate(const DriveConfig& drive, PolicyCheck& check) const override {
    if (drive.slc.limit.empty())
      check.error_at(
          "slc.limit",
          "a dynamic cache needs at least one point {free, limit}; or set slc.mode: none");
  }
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& context) const override {
    return std::make_unique<DynamicSize>(context.curve);
  }
};

}  // namespace

void register_dynamic(SlcSizeFamily& family) {
  family.add<DynamicSizeConfig>("dynamic", "the size follows the free space, by slc.limit");
}

}  // namespace ftlsim
