// Which host writes go to the SLC cache: slc.route.
//
// Asked once for every write command, when it has passed the firmware stage and in the order of
// admission. A policy is a `.cc` file in ftl/slc/routes/ and one line in
// ftl/slc/routes/register.cc.
#pragma once

#include <cstdint>

#include "ftl/write/heat_policy.h"
#include "sim/ids.h"
#include "sim/policy.h"

namespace ftlsim {

struct DriveConfig;

struct SlcRouteContext {
  uint32_t user_slots;     // 4 KiB units that the host can address
  const HeatPolicy* heat;  // the classification of write.heat, nullptr if it is none
};

struct HostWrite {
  Lpn lpn;         // first 4 KiB unit
  uint32_t units;  // number of units, partly covered ones included
};

class SlcRoutePolicy {
 public:
  virtual ~SlcRoutePolicy() = default;
  // True: to SLC while the cache has room. False: to TLC.
  virtual bool to_slc(const HostWrite& write) = 0;
  // Everything was forgotten (format).
  virtual void reset() {}
};

using SlcRouteFamily = PolicyFamily<SlcRoutePolicy, SlcRouteContext, DriveConfig>;
using SlcRouteConfig = SlcRouteFamily::Config;

const SlcRouteFamily& slc_routes();

}  // namespace ftlsim
