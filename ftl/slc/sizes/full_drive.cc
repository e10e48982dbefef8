// Full drive: all free space is SLC while it lasts, as far as bits per cell allow.
#include "ftl/slc/size_policy.h"

namespace ftlsim {
namespace {

class FullDriveSize final : public SlcSizePolicy {
 public:
  explicit FullDriveSize(uint32_t expansion) : expansion_(expansion) {}

  uint64_t limit(const SlcState& state) override { return limit_at(state); }
  uint64_t limit_at(const SlcState& state) const override { return state.unused / expansion_; }

 private:
  uint32_t expansion_;
};

struct FullDriveSizeConfig final : SlcSizeConfig {
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& context) const override {
    return std::make_unique<FullDriveSize>(context.expansion);
  }
};

}  // namespace

void register_full_drive(SlcSizeFamily& family) {
  family.add<FullDriveSizeConfig>("full_drive", "all free space");
}

}  // namespace ftlsim
