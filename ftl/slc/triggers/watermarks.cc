// Watermarks: folding begins when the cache is filled to the high one and ends at the low one, idle
// or not.
#include "ftl/slc/fold_trigger.h"

namespace ftlsim {
namespace {

class WatermarksTrigger final : public FoldTrigger {
 public:
  WatermarksTrigger(double low, double high) : low_(low), high_(high) {}

  bool wants(const FoldState& s) override {
    const auto used = static_cast<double>(s.used);
    const auto limit = static_cast<double>(s.limit);
    if (used <= limit * low_ || s.used <= s.kept)
      running_ = false;
    else if (used >= limit * high_)
      running_ = true;
    return running_;
  }
  void reset() override { running_ = false; }

 private:
  double low_;
  double high_;
  bool running_ = false;
};

struct WatermarksTriggerConfig final : FoldTriggerConfig {
  double low = 0.5;
  double high = 0.8;

  void visit(FieldVisitor& v) override {
    v.ratio({"low", "share of the limit at which folding ends"}, low, 0.0, 1.0);
    v.ratio({"high", "share of the limit at which folding begins"}, high, 0.0, 1.0);
  }
  void validate(const DriveConfig& /*drive*/, PolicyCheck& check) const override {
    if (low >= high)
      check.error("low", fmt::format("{:.6g} must be below {} = {:.6g}", low,
                                     check.place("slc.fold.watermarks.high"), high));
  }
  std::unique_ptr<FoldTrigger> make(const FoldTriggerContext& /*context*/) const override {
    return std::make_unique<WatermarksTrigger>(low, high);
  }
};

}  // namespace

void register_watermarks(FoldTriggerFamily& family) {
  family.add<WatermarksTriggerConfig>("watermarks", "from a high to a low share of the limit");
}

}  // namespace ftlsim
