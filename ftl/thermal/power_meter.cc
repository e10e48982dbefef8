#include "ftl/thermal/power_meter.h"

#include "sim/assert.h"

namespace ftlsim {
namespace {

__extension__ using WideUint = unsigned __int128;

// nJ of a power in uW during a time in ns, rounded down.
uint64_t nanojoules(int64_t microwatts, int64_t ns) {
  const WideUint femtojoules =
      WideUint{static_cast<uint64_t>(microwatts)} * static_cast<uint64_t>(ns);
  return static_cast<uint64_t>(femtojoules / 1'000'000);
}

uint64_t product(int64_t each, uint64_t count) { return static_cast<uint64_t>(each) * count; }

}  // namespace

PowerMeter::PowerMeter(const DriveConfig& config, const WorkByPurpose& work, const Link& link,
                       const FtlStats& stats, Time now)
    : work_(work),
      link_(link),
      stats_(stats),
      nand_(config.nand.energy),
      config_(config.power),
      standby_(config.nand.energy.standby * config.nand.geometry.dies()),
      states_(config.power),
      since_(now),
      booked_(now) {
  SIM_ASSERT(states_.levels() <= kMaxLevels, "{} levels of power", states_.levels());
  power_[PowerStates::kActive] = config.power.active;
  power_[PowerStates::kIdle] = config.power.idle;
  for (size_t level = PowerStates::kFirstState; level < states_.levels(); ++level)
    power_[level] = config.power.states[states_.state_of(level)].power;
}

// Adds the time since the last booking to the levels that it was spent in.
PowerMeter::Residency PowerMeter::booked(Time now) const {
  Residency r = residency_;
  for (Time at = booked_; at < now;) {
    const Time end = min(now, next_change(at));
    r[level(at)] += (end - at).to_ns();
    at = end;
  }
  return r;
}

void PowerMeter::set_mode(Mode mode, Time now) {
  if (mode == mode_) return;
  residency_ = booked(now);
  booked_ = now;
  mode_ = mode;
  since_ = now;
}

size_t PowerMeter::level(Time now) const {
  if (mode_ == Mode::kWorking) return PowerStates::kActive;
  return mode_ == Mode::kHalted ? PowerStates::kIdle : states_.level_after(quiet(now));
}

Time PowerMeter::next_change(Time now) const {
  if (mode_ != Mode::kQuiet) return Time::never();
  const Duration change = states_.next_change(quiet(now));
  return change == Duration::max() ? Time::never() : since_ + change;
}

Duration PowerMeter::wake_latency(Time now) const {
  return mode_ == Mode::kQuiet ? states_.wake_latency(quiet(now)) : Duration();
}

Heat PowerMeter::steady_heat(size_t level, Duration span) const {
  const int64_t ns = span.to_ns();
  const bool operational = level < PowerStates::kFirstState;
  return {static_cast<int64_t>(nanojoules(power_[level], ns)),
          operational ? static_cast<int64_t>(nanojoules(standby_, ns)) : 0};
}

Heat PowerMeter::quiet_heat(Time from, Time to) const {
  Heat heat;
  while (from < to) {
    const Time end = min(to, next_change(from));
    heat = heat + steady_heat(level(from), end - from);
    from = end;
  }
  return heat;
}

uint64_t PowerMeter::energy(Consumer consumer, const Residency& r) const {
  constexpr size_t kSlc = static_cast<size_t>(CellMode::kSlc);
  constexpr size_t kTlc = static_cast<size_t>(CellMode::kTlc);
  const auto of_array = [this](auto count, int64_t each) {
    uint64_t sum = 0;
    for (const FlashWork& work : work_) sum += count(work);
    return product(each, sum);
  };
  switch (consumer) {
    case Consumer::kCommand:
      return product(config_.command, stats_.fetched_commands);
    case Consumer::kLink:
      return product(config_.link, link_.slots());
    case Consumer::kActive:
      return nanojoules(config_.active, r[PowerStates::kActive]);
    case Consumer::kIdle:
      return nanojoules(config_.idle, r[PowerStates::kIdle]);
    case Consumer::kStates: {
      uint64_t sum = 0;
      for (size_t level = PowerStates::kFirstState; level < states_.levels(); ++level)
        sum += nanojoules(power_[level], r[level]);
      return sum;
    }
    case Consumer::kSense:
      return of_array([](const FlashWork& w) { return w.sensed_planes[kTlc]; }, nand_.sense);
    case Consumer::kSenseSlc:
      return of_array([](const FlashWork& w) { return w.sensed_planes[kSlc]; }, nand_.sense_slc);
    case Consumer::kProgram:
      return of_array([](const FlashWork& w) { return w.programmed_planes[kTlc]; }, nand_.program);
    case Consumer::kProgramSlc:
      return of_array([](const FlashWork& w) { return w.programmed_planes[kSlc]; },
                      nand_.program_slc);
    case Consumer::kErase:
      return of_array([](const FlashWork& w) { return w.erased_planes[kTlc]; }, nand_.erase);
    case Consumer::kEraseSlc:
      return of_array([](const FlashWork& w) { return w.erased_planes[kSlc]; }, nand_.erase_slc);
    case Consumer::kTransfer:
      return of_array([](const FlashWork& w) { return w.bus_slots; }, nand_.transfer);
    case Consumer::kStandby:
      return nanojoules(standby_, r[PowerStates::kActive] + r[PowerStates::kIdle]);
  }
  SIM_ASSERT(false, "no such consumer");
  return 0;
}

uint64_t PowerMeter::energy(Purpose purpose) const {
  constexpr size_t kSlc = static_cast<size_t>(CellMode::kSlc);
  constexpr size_t kTlc = static_cast<size_t>(CellMode::kTlc);
  const FlashWork& w = work_[static_cast<size_t>(purpose)];
  return product(nand_.sense, w.sensed_planes[kTlc]) +
         product(nand_.sense_slc, w.sensed_planes[kSlc]) +
         product(nand_.program, w.programmed_planes[kTlc]) +
         product(nand_.program_slc, w.programmed_planes[kSlc]) +
         product(nand_.erase, w.erased_planes[kTlc]) +
         product(nand_.erase_slc, w.erased_planes[kSlc]) + product(nand_.transfer, w.bus_slots);
}

Heat PowerMeter::sum(const Residency& r) const {
  Heat heat;
  for (size_t i = 0; i < kConsumers; ++i) {
    const auto e = static_cast<int64_t>(energy(static_cast<Consumer>(i), r));
    (i < kControllerConsumers ? heat.controller : heat.nand) += e;
  }
  return heat;
}

Heat PowerMeter::take(Time now) {
  residency_ = booked(now);
  booked_ = now;
  const Heat all = sum(residency_);
  const Heat fresh = all - taken_;
  taken_ = all;
  return fresh;
}

uint64_t PowerMeter::total(Time now) const {
  const Heat all = sum(booked(now));
  return static_cast<uint64_t>(all.controller + all.nand);
}

}  // namespace ftlsim
