// Multi-level frequency filter: class i holds what is written up to ratio^i times as often as the
// mean, the last class what is written more often still.
#include "ftl/write/heat/region_counters.h"
#include "ftl/write/heat_policy.h"

namespace ftlsim {
namespace {

class MultiLevel final : public HeatPolicy {
 public:
  MultiLevel(const RegionConfig& regions, uint32_t user_slots, uint32_t levels, double ratio)
      : counters_(regions, user_slots), levels_(levels) {
    double bound = 256;
    for (uint32_t i = 0; i + 1 < levels; ++i, bound *= ratio)
      bounds_[i] = static_cast<uint64_t>(bound);
  }

  uint32_t classes() const override { return levels_; }
  uint32_t region_units() const override { return counters_.region_units(); }
  uint32_t classify(Lpn lpn) const override {
    uint32_t level = 0;
    while (level + 1 < levels_ && counters_.above(lpn, bounds_[level])) ++level;
    return level;
  }
  void written(Lpn lpn, uint32_t n) override { counters_.written(lpn, n); }
  void reset() override { counters_.reset(); }

 private:
  RegionCounters counters_;
  uint32_t levels_;
  uint64_t bounds_[kMostHeatClasses] = {};  // between the classes, in 1/256 of the mean
};

struct MultiLevelConfig final : HeatConfig {
  RegionConfig regions;
  uint32_t levels = 3;
  double ratio = 4.0;  // estimate
  void visit(FieldVisitor& v) override {
    regions.visit(v);
    v.field({"levels", "classes of host data, each with a stream of its own"}, levels, 3,
            kMostHeatClasses);
    v.number({"ratio", "a class is written up to this times as often as the one below it"}, ratio,
             1.1, 100.0);
  }
  void validate(const DriveConfig& /*drive*/, PolicyCheck& check) const override {
    regions.validate(check);
  }
  std::unique_ptr<HeatPolicy> make(const HeatContext& c) const override {
    return std::make_unique<MultiLevel>(regions, c.user_slots, levels, ratio);
  }
};

}  // namespace

void register_multi_level(HeatFamily& family) {
  family.add<MultiLevelConfig>("multi_level",
                               "three or four classes, by how often data are written");
}

}  // namespace ftlsim
