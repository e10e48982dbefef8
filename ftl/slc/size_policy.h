// How large the SLC cache may be: slc.mode.
//
// Physics bounds every answer: SLC data take bits-per-cell times their size, and superblocks with
// TLC data or reserved ones are not available. SlcCache clamps to that; a policy need not. A policy
// is a `.cc` file in ftl/slc/sizes/ and one line in ftl/slc/sizes/register.cc.
#pragma once

#include <cstdint>

#include "ftl/slc/limit_curve.h"
#include "sim/policy.h"
#include "sim/units.h"

namespace ftlsim {

struct DriveConfig;

// What a policy is made with; lives as long as the policy.
struct SlcSizeContext {
  const LimitCurve& curve;  // slc.limit
  uint32_t expansion;       // TLC slots that one SLC slot takes
  uint64_t usable_slots;    // TLC slots of the drive without the reserves
};

// What the drive looks like when the limit is asked for: all in 4 KiB slots.
struct SlcState {
  uint64_t unused = 0;        // TLC capacity of superblocks without TLC data, less the reserves
  uint64_t used = 0;          // SLC slots written, valid or not
  uint64_t valid = 0;         // SLC slots that are valid
  uint64_t mapped = 0;        // logical units with data
  uint64_t user = 0;          // logical units of the drive
  uint64_t host_written = 0;  // units accepted from the host since power-on
  uint64_t collected = 0;     // units that garbage collection programmed since then
  bool idle = false;          // no host command for slc.fold.idle_delay
  Time now;
};

// Room in the cache that idle collection is to make, and what it may cost.
struct SlcRoom {
  uint64_t slots = 0;       // SLC slots that the medium should allow
  double most_valid = 0.0;  // share of a superblock that may be valid when it is collected for that
};

class SlcSizePolicy {
 public:
  virtual ~SlcSizePolicy() = default;
  // SLC slots that the cache may hold. Asked when a superblock opens, closes or comes free and when
  // the drive becomes idle. Must not count on how often.
  virtual uint64_t limit(const SlcState& state) = 0;
  // The same for a drive of which `unused` slots are unused, to look ahead: no state may change.
  virtual uint64_t limit_at(const SlcState& state) const = 0;
  // SLC slots whose room is kept free of all other data, so that they exist on a full drive too.
  virtual uint64_t guaranteed() const { return 0; }
  // SLC slots that folding in idle time may leave in the cache.
  virtual uint64_t kept(const SlcState& /*state*/) const { return 0; }
  // What idle time should prepare beyond gc.idle_target. Asked as limit() is.
  virtual SlcRoom room(const SlcState& /*state*/) const { return {}; }
  // Everything was forgotten (format).
  virtual void reset() {}
};

using SlcSizeFamily = PolicyFamily<SlcSizePolicy, SlcSizeContext, DriveConfig>;
using SlcSizeConfig = SlcSizeFamily::Config;

const SlcSizeFamily& slc_sizes();

// Bytes of the medium with every cell in full use, bad blocks and reserves included. For rules at
// load that need no assembled medium.
Bytes raw_capacity(const DriveConfig& drive);
// The most that slc.mode ever allows: its answer for an empty medium, before it has learnt
// anything.
Bytes largest_cache(const DriveConfig& drive);

}  // namespace ftlsim
