// The decision log as files: one table per kind of decision, `decisions/NAME.csv` in the run
// directory, with t_s (to the nanosecond) as its first column.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "ftl/decision_log.h"
#include "sim/simulator.h"

namespace ftlsim {

// The kinds that a text names: several with commas in between, "all" for all, nothing for those
// that are not frequent. Nothing, and a sentence in `error`, if a name is unknown.
std::optional<std::bitset<kDecisions>> parse_decision_kinds(std::string_view text,
                                                            std::string& error);

class DecisionCsv final : public DecisionLog {
 public:
  using Kinds = std::bitset<kDecisions>;

  // Makes the folder and a file with its header for each of `kinds`. Throws std::runtime_error.
  DecisionCsv(const Simulator& sim, const std::filesystem::path& folder, Kinds kinds);

  bool takes(Decision kind) const override { return kinds_[static_cast<size_t>(kind)]; }
  void decided(Decision kind, std::initializer_list<DecisionValue> values) override;

  // Throws std::runtime_error if any write failed.
  void close();

 private:
  const Simulator& sim_;
  Kinds kinds_;
  std::array<std::ofstream, kDecisions> files_;
};

}  // namespace ftlsim
