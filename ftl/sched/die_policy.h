// Which class of work a die serves first: sched.policy.
//
// Per die there are three classes: host reads, other reads (relocation, read-ahead), and writes
// (programs and erases of all causes in order of arrival, since an erase goes before the programs
// of its block). A policy is a `.cc` file in ftl/sched/policies/ and one line in register.cc there.
// The starvation bound stands above every policy.
#pragma once

#include <cstdint>

#include "sim/policy.h"
#include "sim/units.h"

namespace ftlsim {

struct DriveConfig;

enum class DieClass : uint8_t { kHostRead, kOtherRead, kWrite };
inline constexpr size_t kDieClasses = 3;

// What waits on a die. A class whose `waiting` is false has no meaningful `since`.
struct DieView {
  uint16_t die = 0;
  bool waiting[kDieClasses] = {};  // a write waits once its data are loaded, an erase at once
  Time since[kDieClasses];         // arrival of the oldest of the class
};

struct DiePolicyContext {
  uint32_t dies = 0;
};

class DiePolicy {
 public:
  virtual ~DiePolicy() = default;
  // The class to serve first; at least one class waits. While the answer is kWrite no new read
  // starts; otherwise writes start when no host read waits.
  virtual DieClass first(const DieView& view) = 0;
  // A host read that finds a program or erase in the array suspends it.
  virtual bool suspends() const = 0;
  // Is started() to be called? For policies that account for die time.
  virtual bool accounts() const { return false; }
  virtual void started(uint16_t /*die*/, DieClass /*c*/, Duration /*time*/) {}
};

using DiePolicyFamily = PolicyFamily<DiePolicy, DiePolicyContext, DriveConfig>;
using DiePolicyConfig = DiePolicyFamily::Config;

const DiePolicyFamily& die_policies();

}  // namespace ftlsim
