// Hybrid: a static part that is always there, and a dynamic part that follows the free space beyond
// it by the curve slc.limit.
#include "ftl/config.h"
#include "ftl/slc/size_policy.h"

namespace ftlsim {
namespace {

class HybridSize final : public SlcSizePolicy {
 public:
  HybridSize(const LimitCurve& curve, uint64_t fixed, uint32_t expansion)
      : curve_(curve), fixed_(fixed), expansion_(expansion) {}

  uint64_t limit(const SlcState& state) override { return limit_at(state); }
  uint64_t limit_at(const SlcState& state) const override {
    const uint64_t taken = fixed_ * expansion_;
    return fixed_ + curve_.at(state.unused > taken ? state.unused - taken : 0);
  }
  uint64_t guaranteed() const override { return fixed_; }

 private:
  const LimitCurve& curve_;
  uint64_t fixed_;
  uint32_t expansion_;
};

struct HybridSizeConfig final : SlcSizeConfig {
  Bytes fixed = Bytes::gb(6);

  void visit(FieldVisitor& v) override {
    v.field({"static", "the part that is always there; the rest follows slc.limit"}, fixed,
            Bytes::kib(64), Bytes::tb(16));
  }
  void validate(const DriveConfig& drive, PolicyCheck& check) const override {
    if (drive.slc.limit.empty()) {
      check.error_at("slc.limit",
                     "the dynamic part of a hybrid cache needs at least one point "
                     "{free, limit}; or set slc.mode: static");
      return;
    }
    const uint64_t bits = drive.nand.geometry.bits_per_cell;
    const Bytes raw = raw_capacity(drive);
    const size_t last = drive.slc.limit.size() - 1;
    const Bytes dynamic = drive.slc.limit[last].limit;
    if ((fixed + dynamic) * bits > raw)
      check.error("static",
                  fmt::format("{} B and {} = {} B of SLC take {} times their size, more than the "
                              "{} B of the medium (nand.geometry)",
                              fixed.count(), check.place(fmt::format("slc.limit[{}].limit", last)),
                              dynamic.count(), bits, raw.count()));
    else if (raw < drive.capacity || fixed * bits > raw - drive.capacity)
      check.error("static",
                  fmt::format("{} B of SLC take {} B, but the spare is {} B: {} of {} B "
                              "on a medium of {} B",
                              fixed.count(), (fixed * bits).count(),
                              raw < drive.capacity ? 0 : (raw - drive.capacity).count(),
                              check.place("capacity"), drive.capacity.count(), raw.count()));
  }
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& c) const override {
    return std::make_unique<HybridSize>(c.curve, fixed.count() / kSlotBytes, c.expansion);
  }
};

}  // namespace

void register_hybrid(SlcSizeFamily& family) {
  family.add<HybridSizeConfig>("hybrid", "a static part, and more of it while space is free");
}

}  // namespace ftlsim
