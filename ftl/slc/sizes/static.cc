// Static: a fixed part of the medium is always SLC.
//
// Its room is kept free of other data: reclaim begins earlier by it, so that a full drive has the
// same cache as an empty one.
#include "ftl/config.h"
#include "ftl/slc/size_policy.h"

namespace ftlsim {
namespace {

class StaticSize final : public SlcSizePolicy {
 public:
  explicit StaticSize(uint64_t slots) : slots_(slots) {}

  uint64_t limit(const SlcState& state) override { return limit_at(state); }
  uint64_t limit_at(const SlcState& /*state*/) const override { return slots_; }
  uint64_t guaranteed() const override { return slots_; }

 private:
  uint64_t slots_;
};

struct StaticSizeConfig final : SlcSizeConfig {
  Bytes size = Bytes::gb(6);

  void visit(FieldVisitor& v) override {
    v.field({"size", "capacity of the cache; takes bits-per-cell times that from the spare"}, size,
            Bytes::kib(64), Bytes::tb(16));
  }
  void validate(const DriveConfig& drive, PolicyCheck& check) const override {
    const Bytes taken = size * drive.nand.geometry.bits_per_cell;
    const Bytes raw = raw_capacity(drive);
    if (raw < drive.capacity || taken > raw - drive.capacity)
      check.error("size",
                  fmt::format("{} B of SLC take {} B, but the spare is {} B: {} of {} B on "
                              "a medium of {} B",
                              size.count(), taken.count(),
                              raw < drive.capacity ? 0 : (raw - drive.capacity).count(),
                              check.place("capacity"), drive.capacity.count(), raw.count()));
  }
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& /*context*/) const override {
    return std::make_unique<StaticSize>(size.count() / kSlotBytes);
  }
};

}  // namespace

void register_static_size(SlcSizeFamily& family) {
  family.add<StaticSizeConfig>("static", "a fixed size that a full drive has as well");
}

}  // namespace ftlsim
