// Weighted: each class gets die time in proportion to its weight while it has work.
//
// Start-time fair queueing: a class has a virtual time that grows by die time / weight; the waiting
// class with the least goes first. A class that had no work begins at the virtual time of the die,
// so that it cannot save up time.
#include <algorithm>
#include <vector>

#include "ftl/sched/die_policy.h"

namespace ftlsim {
namespace {

class WeightedDie final : public DiePolicy {
 public:
  WeightedDie(uint32_t dies, bool suspend, const uint32_t (&weights)[kDieClasses])
      : dies_(dies), suspend_(suspend) {
    std::copy_n(weights, kDieClasses, weights_);
  }

  DieClass first(const DieView& view) override {
    Die& die = dies_[view.die];
    size_t best = kDieClasses;
    for (size_t c = 0; c < kDieClasses; ++c) {
      if (view.waiting[c] && !die.active[c])
        die.virtual_ns[c] = std::max(die.virtual_ns[c], die.now);
      die.active[c] = view.waiting[c];
      if (!view.waiting[c]) continue;
      if (best == kDieClasses || die.virtual_ns[c] < die.virtual_ns[best]) best = c;
    }
    return static_cast<DieClass>(best);
  }
  bool suspends() const override { return suspend_; }
  bool accounts() const override { return true; }
  void started(uint16_t id, DieClass c, Duration time) override {
    Die& die = dies_[id];
    const auto i = static_cast<size_t>(c);
    die.now = std::max(die.now, die.virtual_ns[i]);
    die.virtual_ns[i] += time.to_ns() * kScale / weights_[i];
  }

 private:
  // Keeps the shares exact to a fraction of a nanosecond for weights up to 1000.
  static constexpr int64_t kScale = 1000;
  struct Die {
    int64_t virtual_ns[kDieClasses] = {0, 0, 0};
    int64_t now = 0;  // of the class that was served last
    bool active[kDieClasses] = {false, false, false};
  };
  std::vector<Die> dies_;
  bool suspend_;
  uint32_t weights_[kDieClasses] = {};
};

struct WeightedDieConfig final : DiePolicyConfig {
  uint32_t host_read = 4;   // estimate
  uint32_t other_read = 1;  // estimate
  uint32_t write = 4;       // estimate
  bool suspend = false;
  void visit(FieldVisitor& v) override {
    v.field({"host_read", "weight of host reads"}, host_read, 1, 1000);
    v.field({"other_read", "weight of relocation and read-ahead reads"}, other_read, 1, 1000);
    v.field({"write", "weight of programs and erases"}, write, 1, 1000);
    v.field({"suspend", "host reads that go first suspend a running program or erase"}, suspend);
  }
  std::unique_ptr<DiePolicy> make(const DiePolicyContext& context) const override {
    const uint32_t weights[kDieClasses] = {host_read, other_read, write};
    return std::make_unique<WeightedDie>(context.dies, suspend, weights);
  }
};

}  // namespace

void register_weighted(DiePolicyFamily& family) {
  family.add<WeightedDieConfig>("weighted", "die time in proportion to the weight of a class");
}

}  // namespace ftlsim
