// Energy, temperatures and what the firmware does about them: the part of a drive that meters,
// steps the thermal network, and applies throttle steps and the critical stop.
//
// While the drive works, the network advances once a period, by the energy of that period. When all
// work has ended and no threshold can be reached any more, stepping stops: an idle drive schedules
// nothing. With the next command, operation or transfer the model catches up with the time that has
// passed, before that counts, so that whoever follows the temperature has seen all of it. Readers
// get the temperature of any moment without moving the model. What must hold:
//   * whatever draws energy beside the steady power of a state tells before it counts: the time to
//     catch up with has steady power alone;
//   * the heat that went into the network is the energy of all consumers, to the nanojoule;
//   * reading changes nothing, so sampling a run does not change it.
#pragma once

#include <array>
#include <cstdint>

#include "ftl/sched/scheduler.h"
#include "ftl/thermal/network.h"
#include "ftl/thermal/power_meter.h"
#include "ftl/thermal/throttle.h"
#include "sim/simulator.h"
#include "sim/stats.h"

namespace ftlsim {

// What a throttle step leaves.
struct ThrottleAction {
  double dies = 1.0;       // share of the dies that may program or erase at once
  uint64_t host_rate = 0;  // bytes/s of host commands fetched, 0: no limit
  bool halted = false;     // no command is fetched, no program or erase starts
};

// Implemented by the firmware.
class ThrottleSink {
 public:
  virtual void apply_throttle(const ThrottleAction& action) = 0;

 protected:
  ~ThrottleSink() = default;
};

// Follows the temperature of the NAND node, for what ages with it.
class TemperatureListener {
 public:
  // The temperature from `from` on until the next call, in thousandths of a degree. Times rise and
  // are not in the future; changes of less than ThermalControl::kReported may be left out.
  virtual void nand_temperature(Time from, int64_t millidegrees) = 0;

 protected:
  ~TemperatureListener() = default;
};

// Figures as of the last settle(); plain fields for the registry.
struct EnergyCounters {
  uint64_t time_ns = 0;
  uint64_t heat_controller = 0;  // nJ that went into the nodes
  uint64_t heat_nand = 0;
  uint64_t consumer[kConsumers] = {};              // nJ
  uint64_t purpose[kPurposes] = {};                // nJ of array and channels, by purpose
  uint64_t level_ns[PowerMeter::kMaxLevels] = {};  // time by level of PowerStates
  uint64_t throttle_ns[9] = {};                    // time with so many throttle steps in force
  uint64_t halted_ns = 0;
  uint64_t throttle_raises = 0;
  uint64_t halts = 0;
  uint64_t wakes = 0;        // commands that found the drive in a non-operational state
  uint64_t wake_ns = 0;      // what they waited
  uint64_t peak_period = 0;  // nJ: the most in one period while temperatures are computed
};

// Temperatures in thousandths of a degree.
struct Temperatures {
  int64_t controller = 0;
  int64_t nand = 0;
  int64_t composite = 0;
};

class ThermalControl final : public ActivityListener {
 public:
  // Change of the NAND temperature that the listener is told of, in thousandths of a degree.
  static constexpr int64_t kReported = 100;

  // Counters start at sim.now() with everything at ambient. Everything must outlive the object.
  ThermalControl(Simulator& sim, const DriveConfig& config, const WorkByPurpose& work, const Link& link,
                 const FtlStats& stats, ThrottleSink& sink);

  // Told the temperature now and from then on.
  void set_listener(TemperatureListener& listener);

  // The first command is submitted after none was outstanding; the last one has completed.
  void host_wakes();
  void host_rests();
  // How long the command waits that woke the drive, from its arrival.
  Duration wake_latency() const { return wake_latency_; }
  void flash_active(bool active) override;
  // Pages of the map move between the tiers of their cache also while no command is under way.
  void link_moves() override { wake(); }

  // Another temperature of the surroundings from now on, in thousandths of a degree.
  void set_ambient(int64_t millidegrees);

  // The drive draws nothing for a span that simulated time does not have, in such surroundings.
  void rest_unpowered(Duration span, int64_t millidegrees);

  // As of any moment not before the last event of the drive; changes nothing.
  Temperatures temperatures(Time now) const;
  uint64_t total_nj(Time now) const { return meter_.total(now); }
  // Nothing works, no power state is still to be entered, and the temperatures have arrived where
  // they stay, within half of a tenth of a degree.
  bool settled(Time now) const;

  // Brings counters() up to now.
  void settle();
  const EnergyCounters& counters() const { return counters_; }
  const Temperatures& hottest() const { return hottest_; }  // as of settle()
  const PowerMeter& meter() const { return meter_; }
  const Throttle& throttle() const { return throttle_; }
  // Adds the counters and their laws under `prefix`.
  void register_stats(StatRegistry& registry, const std::string& prefix) const;

 private:
  void update_mode();
  void wake();
  void step();
  void catch_up(Time to);
  uint64_t jump(uint64_t periods, Heat each, NodeTemperatures& reached) const;
  void arrive(NodeTemperatures reached, uint64_t periods, Heat heat);
  void react();
  bool may_sleep() const;
  void book_throttle();
  Time last_grid(Time now) const;
  Temperatures rounded(NodeTemperatures t) const;
  int64_t composite(NodeTemperatures t) const;
  NodeTemperatures at(Time grid) const;

  Simulator& sim_;
  ThermalConfig config_;
  ThrottleSink& sink_;
  TemperatureListener* listener_ = nullptr;
  PowerMeter meter_;
  ThermalNetwork network_;
  Throttle throttle_;
  int64_t weight_;   // of the controller in the composite temperature, in 2^-20
  int64_t ambient_;  // 10^-9 degrees
  bool host_busy_ = false;
  bool flash_busy_ = false;
  Duration wake_latency_;
  NodeTemperatures now_;  // at grid_
  Time grid_;             // whole periods after the start; the network has advanced to here
  Heat arrived_;          // all that went into the network
  int64_t told_ = 0;      // the listener knows this temperature
  Time start_;
  Time throttle_since_;  // the level and the stop are booked to here
  Temperatures hottest_;
  EnergyCounters counters_;
  MemberEvent<ThermalControl, &ThermalControl::step> step_;
};

}  // namespace ftlsim
