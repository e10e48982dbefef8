// When SLC data are folded of the drive's own accord: slc.fold.trigger.
//
// Beside it folding runs whenever it must: while reclaim is forced, while a fold-through host waits
// for room, and at the pace that slc.fold.paced sets so that free space lasts. A policy is a `.cc`
// file in ftl/slc/triggers/ and one line in ftl/slc/triggers/register.cc.
#pragma once

#include <cstdint>

#include "sim/policy.h"

namespace ftlsim {

struct DriveConfig;

struct FoldTriggerContext {};

// What the drive looks like, in 4 KiB slots.
struct FoldState {
  uint64_t used = 0;       // SLC slots written, valid or not, without superblocks being emptied
  uint64_t limit = 0;      // SLC slots that the cache may hold
  uint64_t kept = 0;       // SLC slots that may stay
  bool idle = false;       // no host command for slc.fold.idle_delay
  bool exhausted = false;  // the cache was filled and has not drained yet
};

class FoldTrigger {
 public:
  virtual ~FoldTrigger() = default;
  // Should another superblock be folded now? Asked before each victim and in vain; must not count
  // on how often.
  virtual bool wants(const FoldState& state) = 0;
  // May a superblock be read on while the host is busy? It was chosen when wants() said so.
  virtual bool beside_host() const { return true; }
  // Everything was forgotten (format).
  virtual void reset() {}
};

using FoldTriggerFamily = PolicyFamily<FoldTrigger, FoldTriggerContext, DriveConfig>;
using FoldTriggerConfig = FoldTriggerFamily::Config;

const FoldTriggerFamily& fold_triggers();

}  // namespace ftlsim
