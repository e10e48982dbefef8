// Throttle steps as a machine, and the rules between keys of power and heat.
#include "ftl/thermal/throttle.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/config.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

ThermalConfig steps() {
  ThermalConfig c;
  c.throttle = {{70'000, 65'000, 0.5, 0}, {80'000, 75'000, 0.25, 100'000'000}};
  c.critical = {90'000, 60'000};
  return c;
}

// Messages for a tiny drive with these lines added.
std::string messages(const std::string& yaml) {
  DriveConfig c = tiny_drive();
  fit_capacity(c, 1, 0);
  Diagnostics d;
  Origins origins;
  const std::string text = echo_config(c);
  std::string head = text.substr(0, text.find("\npower:") + 1);
  load_config_text(head + yaml, "drive.yaml", {}, c, d, &origins);
  REQUIRE_MESSAGE(!d.has_errors(), d.to_string());
  validate(c, origins, d);
  return d.to_string();
}

bool says(const std::string& text, const std::vector<std::string>& parts) {
  INFO(text);
  for (const std::string& part : parts) {
    INFO(part);
    CHECK(text.find(part) != std::string::npos);
  }
  return !text.empty();
}

constexpr const char* kPower = "power: {model: counted, active: 1W, idle: 200mW}\n";

}  // namespace

TEST_CASE("a step begins at its threshold and ends at its release") {
  Throttle t(steps());
  CHECK(t.lowest() == 70'000);
  CHECK_FALSE(t.observe(69'999));
  CHECK(t.observe(70'000));
  CHECK(t.level() == 1);
  CHECK(t.step().dies == 0.5);
  CHECK_FALSE(t.observe(65'001));  // within the hysteresis, on the way down
  CHECK_FALSE(t.observe(79'999));
  CHECK(t.observe(80'000));
  CHECK(t.level() == 2);
  CHECK_FALSE(t.observe(75'001));
  CHECK(t.observe(75'000));
  CHECK(t.level() == 1);
  CHECK(t.observe(65'000));
  CHECK(t.level() == 0);
  CHECK_FALSE(t.observe(69'000));  // and on the way up
}

TEST_CASE("a leap passes several steps at once, the stop has a hysteresis of its own") {
  Throttle t(steps());
  CHECK(t.observe(95'000));
  CHECK(t.level() == 2);
  CHECK(t.halted());
  CHECK(t.observe(62'000));
  CHECK(t.level() == 0);
  CHECK(t.halted());
  CHECK(t.observe(60'000));
  CHECK_FALSE(t.halted());
}

TEST_CASE("good power and heat keys pass") {
  CHECK(messages("") == "");
  CHECK(messages(std::string(kPower) +
                 "thermal:\n"
                 "  model: two_node\n"
                 "  ambient: 40.5C\n"
                 "  throttle:\n"
                 "    - {at: 70C, release: 65C, dies: 50%}\n"
                 "    - {at: 80C, release: 75C, dies: 50%, host_rate: 1GB/s}\n"
                 "  critical: {at: 90C, release: 60C}\n") == "");
}

TEST_CASE("bad combinations name both keys and their places") {
  const std::string two_node = std::string(kPower) + "thermal:\n  model: two_node\n";
  CHECK(says(messages("thermal: {model: two_node}\n"), {"thermal.model: ", "power.model"}));
  CHECK(says(
      messages(two_node + "  throttle: [{at: 70C, release: 71C, dies: 50%}]\n"),
      {"thermal.throttle[0].release: 71 C must be below thermal.throttle[0].at (drive.yaml:"}));
  CHECK(says(messages(two_node + "  throttle:\n"
                                 "    - {at: 70C, release: 60C, dies: 50%}\n"
                                 "    - {at: 69C, release: 65C, dies: 20%}\n"),
             {"thermal.throttle[1].at: 69 C must be above thermal.throttle[0].at (drive.yaml:"}));
  CHECK(says(messages(two_node + "  throttle:\n"
                                 "    - {at: 70C, release: 60C, dies: 50%}\n"
                                 "    - {at: 75C, release: 59C, dies: 20%}\n"),
             {"thermal.throttle[1].release: 59 C must not be below thermal.throttle[0].release"}));
  CHECK(says(messages(two_node + "  throttle:\n"
                                 "    - {at: 70C, release: 60C, dies: 20%, host_rate: 1GB/s}\n"
                                 "    - {at: 75C, release: 65C, dies: 50%, host_rate: 2GB/s}\n"),
             {"thermal.throttle[1].dies: ", "thermal.throttle[1].host_rate: ",
              "thermal.throttle[0].dies (drive.yaml:"}));
  CHECK(says(messages(two_node + "  throttle: [{at: 70C, release: 60C}]\n"),
             {"thermal.throttle[0]: the step does nothing"}));
  CHECK(says(messages(two_node + "  throttle: [{at: 90C, release: 60C, dies: 50%}]\n"
                                 "  critical: {at: 85C, release: 60C}\n"),
             {"thermal.critical.at: 85 C must be above the last throttle step, "
              "thermal.throttle[0].at (drive.yaml:"}));
  CHECK(says(messages(two_node + "  critical: {at: 85C, release: 86C}\n"),
             {"thermal.critical.release: 86 C must be below thermal.critical.at"}));
  CHECK(says(messages(two_node + "  ambient: 58C\n  critical: {at: 85C, release: 59C}\n"),
             {"thermal.critical.release: 59 C is out of reach",
              "thermal.ambient (drive.yaml:", "power.idle (drive.yaml:"}));
  CHECK(says(messages(two_node + "  period: 1500us\n"), {"thermal.period: "}));
}

TEST_CASE("bad tables of power states name both keys and their places") {
  const std::string head =
      "power:\n  model: counted\n  idle: 200mW\n  states:\n    - {power: 3W}\n";
  CHECK(says(messages(head + "    - {power: 4W}\n"),
             {"power.states[1].power: ", "power.states[0].power (drive.yaml:"}));
  CHECK(says(messages(head + "    - {power: 100mW, idle: 1ms}\n"),
             {"power.states[1].idle: only a non-operational", "power.states[1].operational"}));
  CHECK(says(messages(head + "    - {power: 900mW, operational: false, idle: 1ms}\n"),
             {"power.states[1].power: ", "power.idle (drive.yaml:"}));
  CHECK(says(messages(head + "    - {power: 100mW, operational: false, entry: 2ms, idle: 10ms}\n"
                             "    - {power: 10mW, operational: false, idle: 11ms}\n"),
             {"power.states[2].idle: ", "power.states[1].idle (drive.yaml:"}));
  CHECK(says(messages("power: {states: [{power: 3W}]}\n"), {"power.states: ", "power.model"}));
}

}  // namespace ftlsim::test
