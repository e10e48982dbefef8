// Which superblock is emptied next: the decision of garbage collection (gc.victim) and of folding
// (slc.fold.victim).
//
// A policy is a `.cc` file in ftl/gc/victims/ and one line in ftl/gc/victims/register.cc.
#pragma once

#include <cstdint>

#include "ftl/space/superblock_table.h"
#include "sim/policy.h"
#include "sim/units.h"

namespace ftlsim {

struct DriveConfig;

// What a policy is made with. All of it lives as long as the policy.
struct VictimContext {
  const SuperblockTable& table;
  uint64_t seed = 0;  // of its own random stream
};

struct VictimQuery {
  bool slc = true;  // may the victim be an SLC superblock
  bool tlc = true;  // and a TLC superblock
  Time now;
};

class VictimPolicy {
 public:
  virtual ~VictimPolicy() = default;
  // A closed superblock of an allowed mode; invalid if there is none that is worth it. Must not
  // choose a superblock whose whole TLC capacity is valid (gain() == 0): moving it gains nothing.
  virtual SuperblockId choose(const VictimQuery& query) = 0;
  // All superblocks were forgotten (format).
  virtual void reset() {}
};

using VictimFamily = PolicyFamily<VictimPolicy, VictimContext, DriveConfig>;
using VictimConfig = VictimFamily::Config;

const VictimFamily& gc_victims();
const VictimFamily& fold_victims();

// TLC slots that emptying a closed superblock gains.
inline uint32_t gain(const SuperblockTable& table, SuperblockId sb) {
  return table.usable(sb, CellMode::kTlc) - table.valid(sb);
}
// May the query have this superblock? Tests state, mode and gain.
inline bool eligible(const SuperblockTable& table, SuperblockId sb, const VictimQuery& query) {
  if (table.closed_flags()[sb.value()] == 0) return false;
  if (table[sb].mode == CellMode::kSlc ? !query.slc : !query.tlc) return false;
  return gain(table, sb) != 0;
}

}  // namespace ftlsim
