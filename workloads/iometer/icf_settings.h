// The content of an Iometer configuration file (.icf), read but not yet resolved on a drive.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/diagnostics.h"
#include "sim/units.h"

namespace ftlsim {

// A line of an access specification.
struct IcfAccess {
  uint64_t size = 0;      // bytes
  uint32_t of_size = 0;   // percent of the requests
  uint32_t reads = 0;     // percent
  uint32_t random = 0;    // percent
  uint64_t delay_ms = 0;  // before each burst
  uint32_t burst = 1;
  uint64_t align = 0;  // bytes; 0: the sector
  Origin origin;
};

struct IcfSpec {
  std::string name;
  Origin origin;
  std::vector<IcfAccess> lines;  // none: the workers do nothing
};

struct IcfWorker {
  std::string name;
  Origin origin;
  uint32_t outstanding = 1;
  Origin outstanding_origin;
  uint64_t sectors = 0;  // 0: to the end of the drive
  uint64_t first_sector = 0;
  Origin sectors_origin;
  std::vector<std::string> specs;  // one test after the other
  std::vector<Origin> spec_origins;
  std::vector<std::string> targets;
  Origin targets_origin;
};

enum class IcfTest : uint8_t { kNormal, kCycleOutstanding };

struct IcfSettings {
  Duration run_time;
  Origin run_time_origin;
  Duration ramp_time;
  IcfTest test = IcfTest::kNormal;
  // Of the outstanding I/Os: first, then plus `cycle_step`, or times it.
  uint32_t cycle_first = 1;
  uint32_t cycle_last = 1;
  uint32_t cycle_step = 1;
  bool cycle_exponential = false;
  Origin cycle_origin;
  std::vector<IcfSpec> specs;
  std::vector<IcfWorker> workers;
};

// Reads a file as Iometer 1.1.0 does: labels begin with an apostrophe and their case does not
// count, the value is the first line below that is no label, sections may be absent. Errors are
// reported; what could be read is returned.
IcfSettings read_icf(std::string_view text, const std::string& file, Diagnostics& diagnostics);

// Whether the text is such a file: a version in its first line, and a section that it knows.
bool looks_like_icf(std::string_view head);

}  // namespace ftlsim
