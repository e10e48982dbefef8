// What the drive has drawn: energy per operation times the operations counted, and steady power
// times the time in each state.
//
// Energy is in nJ and computed from counts and times that only grow, so nothing is lost between two
// readings; an operation of the medium counts when it starts. The counters belong to the medium,
// the link and the firmware: metering costs nothing on the path of a command.
#pragma once

#include <array>
#include <cstdint>

#include "ftl/config.h"
#include "ftl/host/link.h"
#include "ftl/stats.h"
#include "ftl/thermal/network.h"
#include "ftl/thermal/power_states.h"
#include "nand/flash.h"
#include "sim/units.h"

namespace ftlsim {

// What draws energy. The first five are in the controller node, the others in the NAND node.
enum class Consumer : uint8_t {
  kCommand,
  kLink,
  kActive,
  kIdle,
  kStates,  // non-operational power states, the whole drive
  kSense,
  kSenseSlc,
  kProgram,
  kProgramSlc,
  kErase,
  kEraseSlc,
  kTransfer,
  kStandby,  // of the dies, in operational states
};
inline constexpr size_t kConsumers = 13;
inline constexpr size_t kControllerConsumers = 5;
inline constexpr const char* kConsumerNames[kConsumers] = {
    "command", "link",        "active", "idle",      "states",   "sense",  "sense_slc",
    "program", "program_slc", "erase",  "erase_slc", "transfer", "standby"};

class PowerMeter {
 public:
  static constexpr size_t kMaxLevels = 34;  // of PowerStates
  enum class Mode : uint8_t {
    kWorking,  // a command or an operation is under way
    kQuiet,    // none is: power states are entered
    kHalted,   // commands wait for the drive to cool: draws what an idle one does
  };

  PowerMeter(const DriveConfig& config, const WorkByPurpose& work, const Link& link,
             const FtlStats& stats, Time now);

  void set_mode(Mode mode, Time now);
  Mode mode() const { return mode_; }
  const PowerStates& states() const { return states_; }

  // The level (of PowerStates) at `now`, which must not be before the last change of mode.
  size_t level(Time now) const;
  // When the level changes by itself; Time::never() if it does not.
  Time next_change(Time now) const;
  // How long a command waits that arrives now.
  Duration wake_latency(Time now) const;
  // What a level draws in a whole number of milliseconds, operations apart: exact.
  Heat steady_heat(size_t level, Duration span) const;

  // What a drive that stays in its mode draws from `from` to `to`, operations apart.
  Heat quiet_heat(Time from, Time to) const;

  // Everything drawn from the last take() until `now`.
  Heat take(Time now);
  // What take() would return.
  Heat untaken(Time now) const { return sum(booked(now)) - taken_; }

  // All the energy until `now`, and one consumer's. Exact; changes nothing.
  uint64_t total(Time now) const;
  uint64_t energy(Consumer consumer, Time now) const { return energy(consumer, booked(now)); }
  // What the array and the channels drew for one purpose, standby apart.
  uint64_t energy(Purpose purpose) const;
  int64_t residency_ns(size_t level, Time now) const { return booked(now)[level]; }

 private:
  using Residency = std::array<int64_t, kMaxLevels>;  // ns in each level

  Duration quiet(Time now) const { return now - since_; }
  Residency booked(Time now) const;
  uint64_t energy(Consumer consumer, const Residency& r) const;
  Heat sum(const Residency& r) const;

  const WorkByPurpose& work_;
  const Link& link_;
  const FtlStats& stats_;
  NandEnergyConfig nand_;
  PowerConfig config_;
  int64_t standby_;  // uW of all dies
  PowerStates states_;
  std::array<int64_t, kMaxLevels> power_{};  // uW of the controller node in each level
  Mode mode_ = Mode::kQuiet;
  Time since_;   // the mode is in force
  Time booked_;  // residency_ reaches to here
  Residency residency_{};
  Heat taken_;
};

}  // namespace ftlsim
