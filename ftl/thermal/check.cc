// Cross-field rules of power and heat.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "ftl/config.h"
#include "ftl/thermal/network.h"

namespace ftlsim {
namespace {

class KeyChecker {
 public:
  KeyChecker(const Origins& origins, Diagnostics& diagnostics)
      : origins_(origins), diagnostics_(diagnostics) {}

  void require(bool ok, std::string_view key, const std::string& message) {
    if (!ok) diagnostics_.error(origins_.origin_of(key), fmt::format("{}: {}", key, message));
  }
  std::string place(std::string_view key) const {
    return fmt::format("{} ({})", key, origins_.place_of(key));
  }

 private:
  const Origins& origins_;
  Diagnostics& diagnostics_;
};

std::string degrees(int64_t millidegrees) {
  return fmt::format("{:g} C", static_cast<double>(millidegrees) / 1000);
}

void check_states(const DriveConfig& config, KeyChecker& c) {
  const std::vector<PowerStateConfig>& states = config.power.states;
  if (states.empty()) return;
  c.require(states[0].operational, "power.states[0].operational",
            "PS0 must be operational: it processes commands");
  const int64_t idle = config.power.idle + config.nand.energy.standby * config.nand.geometry.dies();
  const PowerStateConfig* last = nullptr;
  std::string last_key;
  for (size_t i = 1; i < states.size(); ++i) {
    const PowerStateConfig& s = states[i];
    const std::string key = fmt::format("power.states[{}]", i);
    const std::string before = fmt::format("power.states[{}].power", i - 1);
    c.require(s.power <= states[i - 1].power, key + ".power",
              fmt::format("{} uW is more than the {} uW of {}; states go from the most power to "
                          "the least",
                          s.power, states[i - 1].power, c.place(before)));
    if (s.idle == Duration()) continue;
    c.require(!s.operational, key + ".idle",
              fmt::format("only a non-operational state is entered by itself; set {} to false or "
                          "leave idle out",
                          c.place(key + ".operational")));
    c.require(s.power <= idle, key + ".power",
              fmt::format("{} uW is more than the quiet drive draws anyway, {} uW = {} + "
                          "nand.energy.standby x dies",
                          s.power, idle, c.place("power.idle")));
    if (last != nullptr)
      c.require(s.idle >= last->idle + last->entry, key + ".idle",
                fmt::format("{} ns is before the drive has entered the state above it, {} = {} ns "
                            "+ its entry of {} ns",
                            s.idle.to_ns(), c.place(last_key + ".idle"), last->idle.to_ns(),
                            last->entry.to_ns()));
    last = &s;
    last_key = key;
  }
}

void check_steps(const ThermalConfig& t, KeyChecker& c) {
  for (size_t i = 0; i < t.throttle.size(); ++i) {
    const ThrottleStepConfig& s = t.throttle[i];
    const std::string key = fmt::format("thermal.throttle[{}]", i);
    c.require(s.release < s.at, key + ".release",
              fmt::format("{} must be below {} = {}, or the step never ends its switching",
                          degrees(s.release), c.place(key + ".at"), degrees(s.at)));
    c.require(s.dies < 1.0 || s.host_rate != 0, key,
              "the step does nothing; give dies below 100 % or a host_rate");
    if (i == 0) continue;
    const ThrottleStepConfig& b = t.throttle[i - 1];
    const std::string before = fmt::format("thermal.throttle[{}]", i - 1);
    c.require(b.at < s.at, key + ".at",
              fmt::format("{} must be above {} = {}: steps go from the mildest to the hardest",
                          degrees(s.at), c.place(before + ".at"), degrees(b.at)));
    c.require(b.release <= s.release, key + ".release",
              fmt::format("{} must not be below {} = {}: the harder step ends first",
                          degrees(s.release), c.place(before + ".release"), degrees(b.release)));
    c.require(s.dies <= b.dies, key + ".dies",
              fmt::format("{} leaves more dies than the milder {} = {}", s.dies,
                          c.place(before + ".dies"), b.dies));
    c.require(b.host_rate == 0 || (s.host_rate != 0 && s.host_rate <= b.host_rate),
              key + ".host_rate",
              fmt::format("{} bytes/s is milder than {} = {} bytes/s of the step before",
                          s.host_rate, c.place(before + ".host_rate"), b.host_rate));
  }
}

// The halted drive draws what an idle one does; it has to get below the release temperature.
void check_critical(const DriveConfig& config, KeyChecker& c) {
  const ThermalConfig& t = config.thermal;
  c.require(t.critical.release < t.critical.at, "thermal.critical.release",
            fmt::format("{} must be below {} = {}", degrees(t.critical.release),
                        c.place("thermal.critical.at"), degrees(t.critical.at)));
  if (!t.throttle.empty()) {
    const std::string last = fmt::format("thermal.throttle[{}].at", t.throttle.size() - 1);
    c.require(t.throttle.back().at < t.critical.at, "thermal.critical.at",
              fmt::format("{} must be above the last throttle step, {} = {}",
                          degrees(t.critical.at), c.place(last), degrees(t.throttle.back().at)));
  }
  const int64_t standby = config.nand.energy.standby * config.nand.geometry.dies();
  const int64_t ns = t.period.to_ns();
  const Heat idle{config.power.idle * ns / 1'000'000, standby * ns / 1'000'000};
  const NodeTemperatures end = ThermalNetwork(t).steady(idle, t.ambient * kNanoPerMilli);
  const double composite = (static_cast<double>(end.controller) * t.controller_weight +
                            static_cast<double>(end.nand) * (1 - t.controller_weight)) /
                           kNanoPerMilli;
  c.require(composite < static_cast<double>(t.critical.release), "thermal.critical.release",
            fmt::format("{} is out of reach: a drive that has stopped stays at {:.1f} C with {} = "
                        "{} and {} = {} uW; it would never go on",
                        degrees(t.critical.release), composite / 1000, c.place("thermal.ambient"),
                        degrees(t.ambient), c.place("power.idle"), config.power.idle));
}

}  // namespace

void validate_thermal(const DriveConfig& config, const Origins& origins, Diagnostics& diagnostics) {
  KeyChecker c(origins, diagnostics);
  const bool counted = config.power.model == PowerModel::kCounted;
  c.require(counted || config.thermal.model == HeatModel::kNone, "thermal.model",
            fmt::format("temperatures come from energy: set {} to counted, or this to none",
                        c.place("power.model")));
  c.require(counted || config.power.states.empty(), "power.states",
            fmt::format("states are entered only if {} is counted", c.place("power.model")));
  c.require(
      config.thermal.period.to_ns() % 1'000'000 == 0, "thermal.period",
      fmt::format("{} ns is not a whole number of milliseconds", config.thermal.period.to_ns()));
  c.require(config.thermal.throttle.empty() || config.thermal.model != HeatModel::kNone,
            "thermal.throttle",
            fmt::format("steps act only if {} is two_node", c.place("thermal.model")));
  const PowerConfig& p = config.power;
  const NandEnergyConfig& e = config.nand.energy;
  const bool figures = (p.command | p.link | p.active | p.idle | e.sense | e.sense_slc | e.program |
                        e.program_slc | e.erase | e.erase_slc | e.transfer | e.standby) != 0;
  c.require(!counted || figures, "power.model",
            fmt::format("counted has nothing to count: {}, {} and all other keys of power and "
                        "nand.energy are 0; give figures, or set none",
                        c.place("power.active"), c.place("nand.energy.program")));
  check_states(config, c);
  check_steps(config.thermal, c);
  if (config.thermal.model != HeatModel::kNone) check_critical(config, c);
}

}  // namespace ftlsim
