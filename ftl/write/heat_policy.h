// How often a logical unit is rewritten, as a class: write.heat.
//
// Data that die at about the same time belong in the same superblock: it is then mostly dead when
// it is collected. Each class of host data has a TLC stream of its own unless write.streams is
// shared, and with gc.streams: by_heat so have the copies of collection. A superblock is the unit
// of allocation, so each stream costs one. A policy is a `.cc` file in ftl/write/heat/ and one line
// in ftl/write/heat/register.cc.
#pragma once

#include <cstdint>

#include "sim/ids.h"
#include "sim/policy.h"

namespace ftlsim {

struct DriveConfig;

inline constexpr uint32_t kMostHeatClasses = 4;

// What a policy is made with.
struct HeatContext {
  uint32_t user_slots;  // logical units of the drive
};

// Contract: both questions in O(1), memory bounded by the size of the drive, no clock but what the
// host writes.
class HeatPolicy {
 public:
  virtual ~HeatPolicy() = default;
  // 1 to kMostHeatClasses, the same for the life of the policy; 1 means no separation.
  virtual uint32_t classes() const = 0;
  // Units in a row that always share their class: a power of two, aligned.
  virtual uint32_t region_units() const = 0;
  // The class of a unit now, 0 (coldest) to classes() - 1.
  virtual uint32_t classify(Lpn lpn) const = 0;
  // The host has written n units from lpn on, all in one region. Overwrites that the write buffer
  // absorbs do not count.
  virtual void written(Lpn lpn, uint32_t n) = 0;
  // Everything was forgotten (format).
  virtual void reset() {}
};

using HeatFamily = PolicyFamily<HeatPolicy, HeatContext, DriveConfig>;
using HeatConfig = HeatFamily::Config;

const HeatFamily& heat_policies();

}  // namespace ftlsim
