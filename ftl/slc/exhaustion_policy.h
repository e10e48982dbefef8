// Where host data go that find the SLC cache full: slc.at_exhaustion.
//
// The cache is exhausted from the first write that finds no room until it has drained to
// slc.resume. A policy that lets the host wait instead never lets it get there: host data go on to
// SLC as folding makes room. A policy is a `.cc` file in ftl/slc/exhaustions/ and one line in
// ftl/slc/exhaustions/register.cc.
#pragma once

#include <cstdint>

#include "sim/policy.h"

namespace ftlsim {

struct DriveConfig;

struct ExhaustionContext {};

class ExhaustionPolicy {
 public:
  virtual ~ExhaustionPolicy() = default;
  // The host waits for folding; all other members but folds() are then not asked.
  virtual bool waits() const { return false; }
  // Does folding make room for the host while the cache is full?
  virtual bool folds() const = 0;
  // How many of the next `units` units go to an exhausted cache that has `room` left; the rest, or
  // the whole command if 0, goes to TLC. At most the lesser of both.
  virtual uint32_t to_slc(uint32_t units, uint32_t room) = 0;
  // `units` host units went to SLC or to TLC while the cache was exhausted.
  virtual void placed(bool /*slc*/, uint32_t /*units*/) {}
  // Everything was forgotten (format).
  virtual void reset() {}
};

using ExhaustionFamily = PolicyFamily<ExhaustionPolicy, ExhaustionContext, DriveConfig>;
using ExhaustionConfig = ExhaustionFamily::Config;

const ExhaustionFamily& slc_exhaustions();

}  // namespace ftlsim
