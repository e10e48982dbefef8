// Decayed write counts of the regions of a drive: what the frequency filters look at.
//
// A region counts the units that the host writes to it. A hand sweeps over the regions and halves
// what it finds; it goes round once while `period` units are written, so that a count follows about
// the last two periods. Counts are judged against the mean of all regions that were ever written,
// which makes a filter independent of the size of the drive and of how full it is: a drive that is
// filled once is cold throughout. Two bytes per region.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ftl/config.h"
#include "sim/arena.h"
#include "sim/config_visitor.h"
#include "sim/policy.h"

namespace ftlsim {

// Parameters of the counters.
struct RegionConfig {
  Bytes region = Bytes::kib(64);
  double halve_every = 0.5;  // drive writes

  void visit(FieldVisitor& v) {
    v.field({"region", "units that are counted together; a power of two"}, region, Bytes::kib(4),
            Bytes::mib(4));
    v.ratio({"halve_every", "share of the capacity that is written while all counts are halved"},
            halve_every, 0.01, 16.0);
  }
  void validate(PolicyCheck& check) const {
    const uint64_t units = region.count() / kSlotBytes;
    if (region.count() % kSlotBytes != 0 || (units & (units - 1)) != 0)
      check.error("region", "must be 4 KiB times a power of two");
  }
};

class RegionCounters {
 public:
  RegionCounters(const RegionConfig& config, uint32_t user_slots)
      : units_(static_cast<uint32_t>(config.region.count() / kSlotBytes)),
        period_(static_cast<uint64_t>(config.halve_every * static_cast<double>(user_slots)) + 1),
        marks_(user_slots / units_ + 1) {}

  uint32_t region_units() const { return units_; }

  // `n` units of the region of `lpn` were written.
  void written(Lpn lpn, uint32_t n) {
    uint16_t& mark = marks_[lpn.value() / units_];
    if (mark == 0) {
      mark = 1;
      ++written_;
    }
    const uint32_t more = std::min<uint32_t>(n, UINT16_MAX - mark);
    mark = static_cast<uint16_t>(mark + more);
    total_ += more;
    due_ += uint64_t{n} * marks_.size();
    for (; due_ >= period_; due_ -= period_) halve_next();
  }
  // Is the count of the region of `lpn` more than factor / 256 times the mean?
  bool above(Lpn lpn, uint64_t factor) const {
    const uint16_t mark = marks_[lpn.value() / units_];
    return mark != 0 && uint64_t{mark - 1u} * written_ * 256 > factor * total_;
  }
  void reset() {
    marks_.clear();
    total_ = written_ = due_ = 0;
    hand_ = 0;
  }

 private:
  void halve_next() {
    uint16_t& mark = marks_[hand_];
    if (++hand_ == marks_.size()) hand_ = 0;
    if (mark == 0) return;
    const auto half = static_cast<uint16_t>((mark - 1) / 2);
    total_ -= mark - 1u - half;
    mark = static_cast<uint16_t>(half + 1);
  }

  uint32_t units_;
  uint64_t period_;            // units written while the hand goes round
  LazyArray<uint16_t> marks_;  // 0: never written, else the count + 1
  uint64_t total_ = 0;         // sum of the counts
  uint64_t written_ = 0;       // regions that were ever written
  uint64_t due_ = 0;           // what the hand owes: units written x regions
  size_t hand_ = 0;
};

}  // namespace ftlsim
