// The progress line of a run: on stderr, on a terminal only, at most five times a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "sim/units.h"
#include "tools/run/sampler.h"

namespace ftlsim {

// What the line says.
struct ProgressState {
  std::string_view phase;
  Time now;
  double fraction = 0;  // of the work, 0 to 1
  uint64_t write_bytes_per_s = 0;
  uint64_t read_bytes_per_s = 0;
  uint64_t slc_used_slots = 0;
  uint64_t slc_limit_slots = 0;
  double speed = 0;  // simulated seconds per wall second
};
// Without a line end; fits into 100 columns for a phase name of up to 20.
std::string format_progress(const ProgressState& state);

class ProgressLine {
 public:
  // `terminal`: nothing is printed without one.
  explicit ProgressLine(bool terminal);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Whether a new line is due now.
  bool due() const;
  // Prints the line over the former one; fills in the speed.
  void show(ProgressState state);
  // Takes the line off the screen.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPeriod{200};

  bool terminal_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace ftlsim
