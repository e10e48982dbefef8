// What stays in the SLC cache so that it is read fast: slc.keep.
//
// It binds the folding that slc.fold.trigger starts; data that have to go because space runs out
// go. A policy is a `.cc` file in ftl/slc/keeps/ and one line in ftl/slc/keeps/register.cc.
#pragma once

#include <cstdint>

#include "ftl/space/superblock_table.h"
#include "sim/policy.h"

namespace ftlsim {

struct DriveConfig;

struct SlcKeepContext {
  const SuperblockTable& table;  // lives as long as the policy
};

// What a policy keeps must leave room for the next burst: an error at its key `size` otherwise.
void check_kept_size(const DriveConfig& drive, Bytes size, PolicyCheck& check);

class SlcKeepPolicy {
 public:
  virtual ~SlcKeepPolicy() = default;
  // SLC slots that stay, pads and dead ones included.
  virtual uint64_t slots() const = 0;
  // A closed SLC superblock to fold instead of the choice of slc.fold.victim; invalid: no opinion.
  virtual SuperblockId victim() { return SuperblockId::invalid(); }
  // The drive became idle.
  virtual void idle_begins() {}
  // Everything was forgotten (format).
  virtual void reset() {}
};

using SlcKeepFamily = PolicyFamily<SlcKeepPolicy, SlcKeepContext, DriveConfig>;
using SlcKeepConfig = SlcKeepFamily::Config;

const SlcKeepFamily& slc_keeps();

}  // namespace ftlsim
