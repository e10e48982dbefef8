// When SLC superblocks come back whose data were trimmed or overwritten: slc.release.
//
// In idle time, and when reclaim is forced, every superblock takes its turn among the victims and a
// dead one is released without a copy. A policy says what comes back before that, while the host is
// busy. A policy is a `.cc` file in ftl/slc/releases/ and one line in ftl/slc/releases/register.cc.
#pragma once

#include <cstdint>

#include "sim/policy.h"

namespace ftlsim {

struct DriveConfig;

struct SlcReleaseContext {};

// The closed SLC superblock with the fewest valid slots, and the cache around it, in 4 KiB slots.
struct SlcReleaseState {
  uint32_t valid = 0;   // slots that are valid
  uint32_t usable = 0;  // slots that it has
  uint64_t used = 0;    // SLC slots written on the drive
  uint64_t limit = 0;   // SLC slots that the cache may hold
};

class SlcReleasePolicy {
 public:
  virtual ~SlcReleasePolicy() = default;
  // Is a superblock released in the moment in which its last valid slot goes?
  virtual bool at_death() const = 0;
  // Does it ever want a superblock to be emptied that holds valid data? Constant.
  virtual bool empties() const { return false; }
  // Should that superblock be emptied beside the host now? Must not count on how often it is asked.
  virtual bool wants(const SlcReleaseState& /*state*/) { return false; }
};

using SlcReleaseFamily = PolicyFamily<SlcReleasePolicy, SlcReleaseContext, DriveConfig>;
using SlcReleaseConfig = SlcReleaseFamily::Config;

const SlcReleaseFamily& slc_releases();

}  // namespace ftlsim
