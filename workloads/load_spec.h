// What a phase may be beyond a piece of work of its own: a point of a load ramp, or the end of a
// round that is repeated until the drive is steady.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/units.h"
#include "workloads/steady_window.h"

namespace ftlsim {

// A point of a load ramp. Points of one table make a curve of latency against load.
struct LoadPoint {
  std::string table;
  std::string load;          // as the user has it: "max", "50 %", "20000/s", "QD 8"
  uint32_t outstanding = 0;  // requests that may be in flight
  // Requests per second of the phase, in thousandths; 0: as fast as they complete. Jobs with a
  // share of the phase's rate get it from here.
  uint64_t rate_milli = 0;
  // Instead: this many percent of what the phase so many phases before reached.
  double percent = 0;
  uint32_t of_back = 0;  // 0: not this
};

// The rate for a percentage of an observed rate, both in whole requests per second, rounded up to
// 100 above 1,000 and to 10 below, as vdbench has it.
constexpr uint64_t rate_for_percent(uint64_t observed, double percent) {
  const auto part = static_cast<uint64_t>(static_cast<double>(observed) * percent / 100);
  const uint64_t step = part > 1000 ? 100 : 10;
  return (part + step - 1) / step * step;
}

// The last phase of a round. The tracked phases of the last `rule.window` rounds are looked at; if
// all of them are steady, the rounds that are left do not run.
struct RoundEnd {
  std::string name;
  uint32_t number = 1;  // of this round, from 1
  uint32_t most = 1;    // rounds
  uint32_t phases = 1;  // of a round
  SteadyRule rule;
  std::vector<uint32_t> tracked;  // phases of the round, from 0
};

// What came of the rounds.
struct RoundVerdict {
  std::string name;
  uint32_t rounds = 0;  // that have run
  uint32_t most = 0;
  bool steady = false;
  struct Tracked {
    std::string phase;
    SteadyWindow window;
  };
  std::vector<Tracked> tracked;
};

}  // namespace ftlsim
