// Two-level frequency filter: hot is what is written more often than `hot` times the mean. Counters
// with exponential decay per region, as in Hsieh, Kuo and Chang, "Efficient identification of hot
// data for flash memory storage systems" (2006), but one counter per region instead of hashed ones.
#include "ftl/write/heat/region_counters.h"
#include "ftl/write/heat_policy.h"

namespace ftlsim {
namespace {

class TwoLevel final : public HeatPolicy {
 public:
  TwoLevel(const RegionConfig& regions, uint32_t user_slots, double hot)
      : counters_(regions, user_slots), hot_(static_cast<uint64_t>(hot * 256)) {}

  uint32_t classes() const override { return 2; }
  uint32_t region_units() const override { return counters_.region_units(); }
  uint32_t classify(Lpn lpn) const override { return counters_.above(lpn, hot_); }
  void written(Lpn lpn, uint32_t n) override { counters_.written(lpn, n); }
  void reset() override { counters_.reset(); }

 private:
  RegionCounters counters_;
  uint64_t hot_;
};

struct TwoLevelConfig final : HeatConfig {
  RegionConfig regions;
  double hot = 2.0;  // estimate: clear of the spread of a uniform load
  void visit(FieldVisitor& v) override {
    regions.visit(v);
    v.number({"hot", "hot: written more often than this times the mean of the drive"}, hot, 0.5,
             100.0);
  }
  void validate(const DriveConfig& /*drive*/, PolicyCheck& check) const override {
    regions.validate(check);
  }
  std::unique_ptr<HeatPolicy> make(const HeatContext& c) const override {
    return std::make_unique<TwoLevel>(regions, c.user_slots, hot);
  }
};

}  // namespace

void register_two_level(HeatFamily& family) {
  family.add<TwoLevelConfig>("two_level", "hot and cold host data, by how often they are written");
}

}  // namespace ftlsim
