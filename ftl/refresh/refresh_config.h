// Configuration of what the firmware does about ageing: refresh, read reclaim, patrol reads.
//
// All of it is off unless a limit or a period is set, and all of it needs nand.reliability.
#pragma once

#include <cstdint>

#include "sim/config.h"
#include "sim/config_visitor.h"
#include "sim/diagnostics.h"
#include "sim/units.h"

namespace ftlsim {

struct DriveConfig;

// Limits beyond which a superblock is written anew; 0: no such limit.
struct RefreshConfig {
  Duration period = Duration::s(60);  // between two looks, while the drive has power
  Duration age;                       // at 25 degrees, since its first program
  double rber = 0;  // mean raw bit error rate of its worst page type at the factory's read levels
  uint64_t reads = 0;  // read reclaim: page reads of one of its die blocks since the erase
  uint64_t rate = 0;   // bytes per second read for it, 0: no limit
  void visit(FieldVisitor& v);

  bool on() const { return age > Duration() || rber > 0 || reads != 0; }
};

struct PatrolConfig {
  Duration period;       // in which every closed superblock is visited once; 0: no patrol
  double share = 0;      // of its word lines that are read, evenly spaced; at least one
  uint32_t retries = 0;  // a superblock is refreshed when a patrol read needed more; 0: never
  void visit(FieldVisitor& v);

  bool on() const { return period > Duration(); }
};

// Rules between keys. Each message names the keys and their places.
void validate_refresh(const DriveConfig& config, const Origins& origins, Diagnostics& diagnostics);

}  // namespace ftlsim
