#include "tools/run/energy_summary.h"

#include <string>

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

double degrees(int64_t millidegrees) { return static_cast<double>(millidegrees) / 1000.0; }

double seconds_of(uint64_t ns) { return rounded(ns, 1'000'000'000, 9); }

Json temperatures_json(const Temperatures& t) {
  return {{"composite_C", degrees(t.composite)},
          {"controller_C", degrees(t.controller)},
          {"nand_C", degrees(t.nand)}};
}

Json power_states_json(const ThermalControl& thermal) {
  Json out = Json::array();
  const PowerStates& states = thermal.meter().states();
  for (size_t level = 0; level < states.levels(); ++level)
    out.push_back({{"name", level_name(states, level)},
                   {"s", seconds_of(thermal.counters().level_ns[level])}});
  return out;
}

Json throttle_json(const ThermalControl& thermal, const ThermalConfig& config) {
  Json out = Json::array();
  for (size_t i = 0; i < config.throttle.size(); ++i)
    out.push_back({{"step", i + 1},
                   {"at_C", degrees(config.throttle[i].at)},
                   {"release_C", degrees(config.throttle[i].release)},
                   {"s", seconds_of(thermal.counters().throttle_ns[i + 1])}});
  return out;
}

}  // namespace

Json energy_json(const ThermalControl& thermal, const DriveConfig& config,
                 const Recorder& recorder) {
  const EnergyCounters& c = thermal.counters();
  const uint64_t total = c.heat_controller + c.heat_nand;
  const uint64_t read = recorder.bytes(Direction::kRead);
  const uint64_t written = recorder.bytes(Direction::kWrite);
  const Duration time = Duration::ns(static_cast<int64_t>(c.time_ns));
  Json out = Json::object();
  out["joules"] = joules(total);
  out["mean_W"] = mean_watts(total, time);
  out["J_per_GB"] = joules_per_gb(total, read + written);
  Json consumers = Json::object();
  for (size_t i = 0; i < kConsumers; ++i) consumers[kConsumerNames[i]] = joules(c.consumer[i]);
  out["by_consumer"] = std::move(consumers);
  Json purposes = Json::object();
  for (size_t i = 0; i < kPurposes; ++i) purposes[kPurposeNames[i]] = joules(c.purpose[i]);
  out["by_purpose"] = std::move(purposes);
  out["by_node"] = {{"controller", joules(c.heat_controller)}, {"nand", joules(c.heat_nand)}};
  out["power_states"] = power_states_json(thermal);
  out["wakes"] = c.wakes;
  out["wake_wait_s"] = seconds_of(c.wake_ns);
  if (config.thermal.model == HeatModel::kNone) return out;
  out["peak_W"] = mean_watts(c.peak_period, config.thermal.period);
  const Time end = Time() + time;
  out["temperature"] = {{"ambient_C", degrees(config.thermal.ambient)},
                        {"end", temperatures_json(thermal.temperatures(end))},
                        {"hottest", temperatures_json(thermal.hottest())}};
  out["throttle_steps"] = throttle_json(thermal, config.thermal);
  uint64_t throttled = 0;
  for (size_t i = 1; i <= config.thermal.throttle.size(); ++i) throttled += c.throttle_ns[i];
  out["throttled_s"] = seconds_of(throttled);
  out["critical_stops"] = c.halts;
  out["stopped_s"] = seconds_of(c.halted_ns);
  return out;
}

}  // namespace ftlsim
