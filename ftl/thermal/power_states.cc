#include "ftl/thermal/power_states.h"

#include <fmt/format.h>

namespace ftlsim {

PowerStates::PowerStates(const PowerConfig& config) {
  for (size_t i = 0; i < config.states.size(); ++i) {
    const PowerStateConfig& s = config.states[i];
    if (s.operational || s.idle == Duration()) continue;
    states_.push_back({static_cast<uint32_t>(i), s.idle, s.idle + s.entry, s.exit});
  }
}

size_t PowerStates::level_after(Duration quiet) const {
  size_t level = kIdle;
  for (const State& s : states_) level += quiet >= s.entered;
  return level;
}

Duration PowerStates::next_change(Duration quiet) const {
  for (const State& s : states_)
    if (quiet < s.entered) return s.entered;
  return Duration::max();
}

Duration PowerStates::wake_latency(Duration quiet) const {
  Duration latency;
  for (const State& s : states_) {
    if (quiet < s.begins) break;
    latency = s.exit;
    if (quiet < s.entered) latency += s.entered - quiet;
  }
  return latency;
}

std::string level_name(const PowerStates& states, size_t level) {
  if (level == PowerStates::kActive) return "ps0_active";
  if (level == PowerStates::kIdle) return "ps0_idle";
  return fmt::format("ps{}", states.state_of(level));
}

}  // namespace ftlsim
