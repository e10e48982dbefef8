// Nearly dead: beside the host, superblocks are emptied of which little is valid any more; dead
// ones come back at once.
#include "ftl/slc/release_policy.h"

namespace ftlsim {
namespace {

class NearlyDeadRelease final : public SlcReleasePolicy {
 public:
  explicit NearlyDeadRelease(double valid) : valid_(valid) {}

  bool at_death() const override { return true; }
  bool empties() const override { return true; }
  bool wants(const SlcReleaseState& s) override {
    return static_cast<double>(s.valid) <= valid_ * static_cast<double>(s.usable);
  }

 private:
  double valid_;
};

struct NearlyDeadReleaseConfig final : SlcReleaseConfig {
  double valid = 0.1;  // estimate

  void visit(FieldVisitor& v) override {
    v.ratio(
        {"valid", "most valid slots of a superblock that is emptied beside the host, as a share"},
        valid, 0.0, 1.0);
  }
  std::unique_ptr<SlcReleasePolicy> make(const SlcReleaseContext& /*context*/) const override {
    return std::make_unique<NearlyDeadRelease>(valid);
  }
};

}  // namespace

void register_nearly_dead(SlcReleaseFamily& family) {
  family.add<NearlyDeadReleaseConfig>(
      "nearly_dead", "dead ones at once, and those emptied of which little is valid");
}

}  // namespace ftlsim
