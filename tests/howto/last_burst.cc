// Last burst: the cache has room for the last burst and a margin, and never less than a floor.
#include <algorithm>

#include "ftl/config.h"
#include "ftl/slc/size_policy.h"

namespace ftlsim {
namespace {

class LastBurst final : public SlcSizePolicy {
 public:
  LastBurst(uint64_t least, double margin) : least_(least), margin_(margin) {}

  uint64_t limit(const SlcState& state) override {
    if (state.idle && state.host_written > mark_) {  // a burst has just ended
      const auto burst = static_cast<double>(state.host_written - mark_);
      wanted_ = static_cast<uint64_t>(burst * (1 + margin_));
      mark_ = state.host_written;
    }
    return limit_at(state);
  }
  uint64_t limit_at(const SlcState& /*state*/) const override { return std::max(wanted_, least_); }
  void reset() override { mark_ = wanted_ = 0; }

 private:
  uint64_t least_;
  double margin_;
  uint64_t mark_ = 0;    // host_written when the last burst ended
  uint64_t wanted_ = 0;  // slots
};

struct LastBurstConfig final : SlcSizeConfig {
  Bytes least = Bytes::gb(1);
  double margin = 0.25;

  void visit(FieldVisitor& v) override {
    v.field({"least", "the cache is never smaller"}, least, Bytes::kib(64), Bytes::tb(1));
    v.ratio({"margin", "room beyond the last burst"}, margin, 0.0, 10.0);
  }
  void validate(const DriveConfig& drive, PolicyCheck& check) const override {
    if (least > drive.capacity) check.error("least", "is more than " + check.place("capacity"));
  }
  std::unique_ptr<SlcSizePolicy> make(const SlcSizeContext& /*context*/) const override {
    return std::make_unique<LastBurst>(least.count() / kSlotBytes, margin);
  }
};

}  // namespace

void register_last_burst(SlcSizeFamily& family) {
  family.add<LastBurstConfig>("last_burst", "as large as the last burst, with a margin");
}

}  // namespace ftlsim
