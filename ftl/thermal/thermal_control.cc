#include "ftl/thermal/thermal_control.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/assert.h"

namespace ftlsim {
namespace {

constexpr int kWeightBits = 20;
// The largest change of a node in one jump while catching up: what followers see as one stretch.
constexpr int64_t kJump = 250 * kNanoPerMilli;
// Closer than this to where it stays, a temperature that keeps a throttle step in force is settled.
constexpr int64_t kStill = 10 * kNanoPerMilli;
constexpr int64_t kShown = 50 * kNanoPerMilli;

constexpr std::string_view kConsumerSentences[kConsumers] = {
    "controller, for host commands",
    "PCI Express, for data of host commands",
    "controller and DRAM while the drive works",
    "controller and DRAM while it is quiet in an operational state",
    "whole drive in non-operational states",
    "TLC senses",
    "SLC senses",
    "TLC programs",
    "SLC programs",
    "erases of TLC blocks",
    "erases of SLC blocks",
    "data and commands on the flash channels",
    "dies that wait, in operational states",
};

int64_t distance(int64_t a, int64_t b) { return a < b ? b - a : a - b; }

bool within(NodeTemperatures a, NodeTemperatures b, int64_t bound) {
  return distance(a.controller, b.controller) <= bound && distance(a.nand, b.nand) <= bound;
}

int64_t to_milli(int64_t nano) {
  return (nano + (nano < 0 ? -kNanoPerMilli : kNanoPerMilli) / 2) / kNanoPerMilli;
}

}  // namespace

ThermalControl::ThermalControl(Simulator& sim, const DriveConfig& config, const WorkByPurpose& work,
                               const Link& link, const FtlStats& stats, ThrottleSink& sink)
    : sim_(sim),
      config_(config.thermal),
      sink_(sink),
      meter_(config, work, link, stats, sim.now()),
      network_(config.thermal),
      throttle_(config.thermal),
      weight_(static_cast<int64_t>(config.thermal.controller_weight * (1 << kWeightBits) + 0.5)),
      ambient_(config.thermal.ambient * kNanoPerMilli),
      now_{ambient_, ambient_},
      grid_(sim.now()),
      start_(sim.now()),
      throttle_since_(sim.now()),
      hottest_(rounded(now_)),
      step_(this, Phase::kFirmware) {
  if (config_.model == HeatModel::kTwoNode && !may_sleep())
    sim_.schedule(step_, grid_ + config_.period);
}

void ThermalControl::set_listener(TemperatureListener& listener) {
  listener_ = &listener;
  told_ = temperatures(sim_.now()).nand;
  listener_->nand_temperature(sim_.now(), told_);
}

Time ThermalControl::last_grid(Time now) const {
  return start_ + config_.period * ((now - start_) / config_.period);
}

int64_t ThermalControl::composite(NodeTemperatures t) const {
  const int64_t whole = int64_t{1} << kWeightBits;
  return (t.controller * weight_ + t.nand * (whole - weight_)) / whole;
}

Temperatures ThermalControl::rounded(NodeTemperatures t) const {
  return {to_milli(t.controller), to_milli(t.nand), to_milli(composite(t))};
}

// ------------------------------------------------------------------------------------- activity

void ThermalControl::update_mode() {
  PowerMeter::Mode mode = PowerMeter::Mode::kQuiet;
  if (throttle_.halted())
    mode = PowerMeter::Mode::kHalted;
  else if (host_busy_ || flash_busy_)
    mode = PowerMeter::Mode::kWorking;
  meter_.set_mode(mode, sim_.now());
}

void ThermalControl::host_wakes() {
  wake();
  wake_latency_ = meter_.wake_latency(sim_.now());
  counters_.wakes += wake_latency_ != Duration();
  counters_.wake_ns += static_cast<uint64_t>(wake_latency_.to_ns());
  host_busy_ = true;
  update_mode();
}

void ThermalControl::host_rests() {
  host_busy_ = false;
  update_mode();
}

// Work of the drive's own, such as folding, wakes it without a wait that anybody could notice.
void ThermalControl::flash_active(bool active) {
  if (active) wake();
  flash_busy_ = active;
  update_mode();
}

void ThermalControl::wake() {
  if (config_.model == HeatModel::kNone || step_.pending()) return;
  catch_up(last_grid(sim_.now()));
  sim_.schedule(step_, grid_ + config_.period);
}

void ThermalControl::set_ambient(int64_t millidegrees) {
  if (ambient_ == millidegrees * kNanoPerMilli) return;
  wake();
  ambient_ = millidegrees * kNanoPerMilli;
  if (config_.model == HeatModel::kNone) now_ = {ambient_, ambient_};
}

void ThermalControl::rest_unpowered(Duration span, int64_t millidegrees) {
  if (config_.model == HeatModel::kNone) return;
  wake();
  now_ = network_.advance(now_, static_cast<uint64_t>(span / config_.period), {},
                          millidegrees * kNanoPerMilli);
  if (listener_ == nullptr) return;
  told_ = to_milli(now_.nand);
  listener_->nand_temperature(sim_.now(), told_);
}

// ---------------------------------------------------------------------------------------- steps

void ThermalControl::step() {
  const Heat heat = meter_.take(sim_.now());
  arrive(network_.advance(now_, 1, heat, ambient_), 1, heat);
  react();
  if (!may_sleep()) sim_.schedule_in(step_, config_.period);
}

// The network has come so many periods further, with `heat` in each.
void ThermalControl::arrive(NodeTemperatures reached, uint64_t periods, Heat heat) {
  const auto n = static_cast<int64_t>(periods);
  now_ = reached;
  grid_ += config_.period * n;
  arrived_ = arrived_ + heat * n;
  counters_.peak_period =
      std::max(counters_.peak_period, static_cast<uint64_t>(heat.controller + heat.nand));
  const Temperatures t = rounded(reached);
  hottest_.controller = std::max(hottest_.controller, t.controller);
  hottest_.nand = std::max(hottest_.nand, t.nand);
  hottest_.composite = std::max(hottest_.composite, t.composite);
  if (listener_ == nullptr || distance(t.nand, told_) < kReported) return;
  told_ = t.nand;
  listener_->nand_temperature(grid_, told_);
}

void ThermalControl::react() {
  const size_t level = throttle_.level();
  const bool halted = throttle_.halted();
  book_throttle();
  if (!throttle_.observe(to_milli(composite(now_)))) return;
  counters_.throttle_raises += throttle_.level() > level;
  counters_.halts += throttle_.halted() && !halted;
  ThrottleAction action;
  action.halted = throttle_.halted();
  if (throttle_.level() != 0) {
    action.dies = throttle_.step().dies;
    action.host_rate = throttle_.step().host_rate;
  }
  update_mode();
  sink_.apply_throttle(action);
}

void ThermalControl::book_throttle() {
  const auto ns = static_cast<uint64_t>((sim_.now() - throttle_since_).to_ns());
  counters_.throttle_ns[throttle_.level()] += ns;
  if (throttle_.halted()) counters_.halted_ns += ns;
  throttle_since_ = sim_.now();
}

// Whether nothing can happen before the next command or operation. The excess over the steady state
// of constant power never exceeds, in any node, the largest excess of a node now (the network only
// averages), and a quiet drive never draws more than an idle one.
bool ThermalControl::may_sleep() const {
  if (host_busy_ || flash_busy_ || throttle_.halted()) return false;
  if (throttle_.level() == 0) {
    const NodeTemperatures end =
        network_.steady(meter_.steady_heat(PowerStates::kIdle, config_.period), ambient_);
    const int64_t excess =
        std::max({int64_t{0}, now_.controller - end.controller, now_.nand - end.nand});
    if (to_milli(composite(end) + excess) < throttle_.lowest()) return true;
  }
  if (meter_.next_change(sim_.now()) != Time::never()) return false;
  const Heat each = meter_.steady_heat(meter_.level(sim_.now()), config_.period);
  return within(now_, network_.steady(each, ambient_), kStill);
}

// -------------------------------------------------------------------------------------- idle time

// The longest jump of at most so many periods, a power of two, in which no node moves further than
// kJump; at least one period.
uint64_t ThermalControl::jump(uint64_t periods, Heat each, NodeTemperatures& reached) const {
  uint64_t n = 1;
  while (n * 2 <= periods) n *= 2;
  for (;; n /= 2) {
    reached = network_.advance(now_, n, each, ambient_);
    if (n == 1 || within(reached, now_, kJump)) return n;
  }
}

// Advances through time in which nothing was under way.
void ThermalControl::catch_up(Time to) {
  while (grid_ < to) {
    const Time steady_to = min(to, meter_.next_change(grid_));
    const auto whole = static_cast<uint64_t>((steady_to - grid_) / config_.period);
    if (whole == 0) {  // the power changes within this period
      const Heat heat = meter_.take(grid_ + config_.period);
      arrive(network_.advance(now_, 1, heat, ambient_), 1, heat);
      continue;
    }
    const Heat each = meter_.steady_heat(meter_.level(grid_), config_.period);
    NodeTemperatures reached;
    const uint64_t n = jump(whole, each, reached);
    const auto periods = static_cast<int64_t>(n);
    const Heat drawn = meter_.take(grid_ + config_.period * periods);
    SIM_ASSERT(drawn == each * periods, "an idle drive drew {} + {} nJ in {} periods, not {} + {}",
               drawn.controller, drawn.nand, n, each.controller * periods, each.nand * periods);
    arrive(reached, n, each);
  }
}

// The temperatures at a multiple of the period that the model may not have reached yet.
NodeTemperatures ThermalControl::at(Time grid) const {
  NodeTemperatures t = now_;
  for (Time from = grid_; from < grid;) {
    const Time steady_to = min(grid, meter_.next_change(from));
    const int64_t whole = std::max(int64_t{1}, (steady_to - from) / config_.period);
    const Heat each = meter_.quiet_heat(from, from + config_.period);
    t = network_.advance(t, static_cast<uint64_t>(whole), each, ambient_);
    from += config_.period * whole;
  }
  return t;
}

Temperatures ThermalControl::temperatures(Time now) const {
  if (config_.model == HeatModel::kNone || step_.pending()) return rounded(now_);
  return rounded(at(last_grid(now)));
}

bool ThermalControl::settled(Time now) const {
  if (meter_.mode() != PowerMeter::Mode::kQuiet) return false;
  if (meter_.next_change(now) != Time::never()) return false;
  if (config_.model == HeatModel::kNone) return true;
  const Heat each = meter_.steady_heat(meter_.level(now), config_.period);
  return within(step_.pending() ? now_ : at(last_grid(now)), network_.steady(each, ambient_),
                kShown);
}

// ---------------------------------------------------------------------------------------- figures

void ThermalControl::settle() {
  const Time now = sim_.now();
  if (config_.model == HeatModel::kTwoNode && !step_.pending()) catch_up(last_grid(now));
  book_throttle();
  EnergyCounters& c = counters_;
  const Heat heat = arrived_ + meter_.untaken(now);
  c.heat_controller = static_cast<uint64_t>(heat.controller);
  c.heat_nand = static_cast<uint64_t>(heat.nand);
  c.time_ns = static_cast<uint64_t>((now - start_).to_ns());
  for (size_t i = 0; i < kConsumers; ++i)
    c.consumer[i] = meter_.energy(static_cast<Consumer>(i), now);
  for (size_t i = 0; i < kPurposes; ++i) c.purpose[i] = meter_.energy(static_cast<Purpose>(i));
  for (size_t level = 0; level < meter_.states().levels(); ++level)
    c.level_ns[level] = static_cast<uint64_t>(meter_.residency_ns(level, now));
}

void ThermalControl::register_stats(StatRegistry& registry, const std::string& prefix) const {
  const EnergyCounters& c = counters_;
  std::vector<std::string> parts;
  for (size_t i = 0; i < kConsumers; ++i) {
    parts.push_back(fmt::format("{}energy.{}", prefix, kConsumerNames[i]));
    registry.counter(parts.back(), "nJ", kConsumerSentences[i], &c.consumer[i]);
  }
  const std::vector<std::string> heat = {prefix + "energy.heat.controller",
                                         prefix + "energy.heat.nand"};
  registry.counter(heat[0], "nJ", "went into the controller node", &c.heat_controller);
  registry.counter(heat[1], "nJ", "went into the NAND node", &c.heat_nand);
  registry.law(prefix + "energy", heat, parts);
  // Every operation of the array has a purpose.
  const std::vector<std::string> array(
      parts.begin() + static_cast<std::ptrdiff_t>(Consumer::kSense),
      parts.begin() + static_cast<std::ptrdiff_t>(Consumer::kStandby));
  std::vector<std::string> purposes;
  for (size_t i = 0; i < kPurposes; ++i) {
    purposes.push_back(fmt::format("{}energy.for.{}", prefix, kPurposeNames[i]));
    registry.counter(purposes.back(), "nJ", "array and channels, on this behalf", &c.purpose[i]);
  }
  registry.law(prefix + "energy by purpose", array, purposes);

  const std::string time = prefix + "power.time";
  registry.counter(time, "ns", "during which energy was counted", &c.time_ns);
  std::vector<std::string> levels;
  for (size_t level = 0; level < meter_.states().levels(); ++level) {
    levels.push_back(prefix + "power." + level_name(meter_.states(), level));
    registry.counter(levels.back(), "ns", "time in this power state", &c.level_ns[level]);
  }
  registry.law(prefix + "power states", {time}, levels);
  std::vector<std::string> steps;
  for (size_t n = 0; n <= throttle_.steps(); ++n) {
    steps.push_back(fmt::format("{}thermal.throttle.{}", prefix, n));
    registry.counter(steps.back(), "ns", "time with so many throttle steps in force",
                     &c.throttle_ns[n]);
  }
  registry.law(prefix + "throttle steps", {time}, steps);
  registry.counter(prefix + "thermal.halted", "ns", "time in the critical stop", &c.halted_ns);
  registry.counter(prefix + "thermal.halts", "events", "critical stops", &c.halts);
  registry.counter(prefix + "thermal.raises", "events", "a throttle step began",
                   &c.throttle_raises);
  registry.counter(prefix + "power.wakes", "commands",
                   "that found the drive in a non-operational state", &c.wakes);
  registry.counter(prefix + "power.wake_wait", "ns", "that those waited", &c.wake_ns);
}

}  // namespace ftlsim
