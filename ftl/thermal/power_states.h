// NVMe power states of a quiet drive: which one it is in, and how long it takes to come back.
//
// From the moment the last command and the last operation of the medium end, the drive is quiet.
// After the `idle` time of a non-operational state it begins to enter that state (autonomous power
// state transition, NVMe base specification), and is in it `entry` later; until then it draws what
// it drew before. A command that arrives waits for an entry in progress to end and then for `exit`.
// Nothing here needs an event: all follows from how long the drive has been quiet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ftl/thermal/config.h"
#include "sim/units.h"

namespace ftlsim {

class PowerStates {
 public:
  // Index of a level of steady power: working, quiet in PS0, then the non-operational states that
  // are entered by themselves, in order of depth.
  static constexpr size_t kActive = 0;
  static constexpr size_t kIdle = 1;
  static constexpr size_t kFirstState = 2;

  explicit PowerStates(const PowerConfig& config);

  size_t levels() const { return kFirstState + states_.size(); }
  // The number of the state (PS3 is 3) that a level stands for; 0 for the first two.
  uint32_t state_of(size_t level) const {
    return level < kFirstState ? 0 : states_[level - kFirstState].number;
  }

  // The level after so long a quiet time.
  size_t level_after(Duration quiet) const;
  // The first quiet time beyond `quiet` at which the level changes; Duration::max() if none.
  Duration next_change(Duration quiet) const;
  // How long a command waits that arrives after so long a quiet time.
  Duration wake_latency(Duration quiet) const;

 private:
  struct State {
    uint32_t number;
    Duration begins;  // quiet time at which the entry begins
    Duration entered;
    Duration exit;
  };
  std::vector<State> states_;
};

// "ps0_active", "ps0_idle", "ps3", …: what a level is called in figures.
std::string level_name(const PowerStates& states, size_t level);

}  // namespace ftlsim
