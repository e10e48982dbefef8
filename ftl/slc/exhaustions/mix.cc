// Mix: a share of the host data goes to SLC as folding makes room, the rest to TLC.
//
// What goes to TLC earns the right to send units to SLC, so that over time the share holds
// whatever the sizes of the commands. Rights that find no room are not saved for long.
#include <algorithm>

#include "ftl/slc/exhaustion_policy.h"

namespace ftlsim {
namespace {

class MixAtExhaustion final : public ExhaustionPolicy {
 public:
  explicit MixAtExhaustion(double share)
      : share_(static_cast<uint64_t>(share * static_cast<double>(kUnit))) {}

  bool folds() const override { return true; }
  uint32_t to_slc(uint32_t units, uint32_t room) override {
    const uint64_t most = std::min(units, room);
    return static_cast<uint32_t>(std::min(most, credit_ / kUnit));
  }
  void placed(bool slc, uint32_t units) override {
    if (slc)
      credit_ -= std::min(credit_, units * kUnit);
    else
      credit_ = std::min(credit_ + units * share_ * kUnit / (kUnit - share_), kMost);
  }
  void reset() override { credit_ = 0; }

 private:
  static constexpr uint64_t kUnit = 1 << 16;
  static constexpr uint64_t kMost = 4096 * kUnit;  // 16 MiB
  uint64_t share_;                                 // in 1/65536
  uint64_t credit_ = 0;                            // in 1/65536 units
};

struct MixAtExhaustionConfig final : ExhaustionConfig {
  double share = 0.25;

  void visit(FieldVisitor& v) override {
    v.ratio({"share", "of host data that still goes to SLC; all of it is fold_through"}, share, 0.0,
            0.99);
  }
  std::unique_ptr<ExhaustionPolicy> make(const ExhaustionContext& /*context*/) const override {
    return std::make_unique<MixAtExhaustion>(share);
  }
};

}  // namespace

void register_mix(ExhaustionFamily& family) {
  family.add<MixAtExhaustionConfig>("mix",
                                    "a share goes to SLC as folding makes room, the rest to TLC");
}

}  // namespace ftlsim
