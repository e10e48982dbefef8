// Read first: host reads before other reads before writes; a running program or erase is waited
// for, or suspended.
#include "ftl/sched/die_policy.h"

namespace ftlsim {
namespace {

class ReadFirstDie final : public DiePolicy {
 public:
  explicit ReadFirstDie(bool suspend) : suspend_(suspend) {}

  DieClass first(const DieView& view) override {
    if (view.waiting[0]) return DieClass::kHostRead;
    return view.waiting[1] ? DieClass::kOtherRead : DieClass::kWrite;
  }
  bool suspends() const override { return suspend_; }

 private:
  bool suspend_;
};

template <bool kSuspend>
struct ReadFirstDieConfig final : DiePolicyConfig {
  std::unique_ptr<DiePolicy> make(const DiePolicyContext& /*context*/) const override {
    return std::make_unique<ReadFirstDie>(kSuspend);
  }
};

}  // namespace

void register_read_first(DiePolicyFamily& family) {
  family.add<ReadFirstDieConfig<false>>("read_first", "host reads before waiting programs");
}

void register_read_first_suspend(DiePolicyFamily& family) {
  family.add<ReadFirstDieConfig<true>>("read_first_suspend",
                                       "host reads suspend a running program or erase");
}

}  // namespace ftlsim
