// The decision log as files: one table per kind of decision, `decisions/NAME.csv` in the run
// directory, with t_s (to the nanosecond) as its first column.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "ftl/decision_log.h"
#include "sim/simulator.h"

namespace ftlsim {

class DecisionCsv final : public DecisionLog {
 public:
  // Makes the folder and a file with its header for every kind. Throws std::runtime_error.
  DecisionCsv(const Simulator& sim, const std::filesystem::path& folder);

  void decided(Decision kind, std::initializer_list<DecisionValue> values) override;

  // Throws std::runtime_error if any write failed.
  void close();

 private:
  const Simulator& sim_;
  std::array<std::ofstream, kDecisions> files_;
};

}  // namespace ftlsim
