// summary.json: the figures of a run. Other tools rely on its names; a changed name is a new
// schema.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ftl/device.h"
#include "sim/stats.h"
#include "sim/units.h"
#include "tools/run/recorder.h"

namespace ftlsim {

inline constexpr int kSummarySchema = 1;

struct RunFacts {
  std::string drive;  // id, the name of the drive file
  std::string workload;
  uint64_t seed = 0;
  bool complete = false;  // every phase ran to its end
  Time end;               // of the last phase
  uint64_t events = 0;    // fired by the kernel
  uint64_t fingerprint = 0;
  double wall_s = 0;
  uint64_t peak_rss_bytes = 0;
  SpaceBudget space;
  std::vector<std::string> calibrated;
  std::vector<std::string> violated_laws;
  // Phases of jobs or of a trace that ended without having issued a request; and whether any phase
  // asked something of the drive at all.
  std::vector<std::string> silent_phases;
  bool asked = false;
};

// The verdicts of the repeats that run until they are steady, for the terminal; empty without any.
std::string rounds_text(const Recorder& recorder);

// Everything but wall_s and peak_rss_bytes depends on the inputs of the run alone.
nlohmann::ordered_json summary_json(const RunFacts& facts, const Recorder& recorder,
                                    const Device& device, const StatRegistry& registry);

}  // namespace ftlsim
