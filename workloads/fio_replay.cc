#include "workloads/fio_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

#include "workloads/trace/replay_load.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr uint32_t kMostReplayDepth = 65536;

// What would shape a replay in fio and does not here.
bool refuse_other_options(const FioDraft& draft, Diagnostics& diagnostics) {
  struct Other {
    FioKey key;
    std::string_view name;
    bool used;
  };
  const JobSpec& spec = draft.spec;
  const auto any = [](const auto& values) {
    return std::any_of(values.begin(), values.end(),
                       [](const auto& v) { return v != decltype(v){}; });
  };
  const Other others[] = {
      {FioKey::kNumjobs, "numjobs", draft.numjobs != 1},
      {FioKey::kTimeBased, "time_based", spec.time_based},
      {FioKey::kRampTime, "ramp_time", spec.ramp_time > Duration{}},
      {FioKey::kStartdelay, "startdelay", spec.start_delay_max > Duration{}},
      {FioKey::kWaitFor, "wait_for", !draft.wait_for.empty()},
      {FioKey::kLoops, "loops", spec.loops > 1},
      {FioKey::kNumberIos, "number_ios", spec.number_ios != 0},
      {FioKey::kRate, "rate", any(draft.rate)},
      {FioKey::kRateIops, "rate_iops", any(draft.rate_iops)},
      {FioKey::kRateMin, "rate_min", any(spec.limits.rate_min)},
      {FioKey::kRateIopsMin, "rate_iops_min", any(spec.limits.iops_min)},
      {FioKey::kMaxLatency, "max_latency", any(spec.limits.max_latency)},
      {FioKey::kThinktime, "thinktime", spec.pace.think > Duration{}},
      {FioKey::kFlow, "flow", spec.flow.weight != 0},
      {FioKey::kSteadystate, "steadystate", spec.steady.measure != SteadyMeasure::kNone},
      {FioKey::kLatencyTarget, "latency_target", spec.latency_target.target > Duration{}},
  };
  bool good = true;
  for (const Other& other : others) {
    if (!other.used) continue;
    good = false;
    diagnostics.error(draft.place(other.key),
                      fmt::format("{}: not modelled in a job with read_iolog, which runs once, as "
                                  "its log says",
                                  other.name));
  }
  return good;
}

}  // namespace

std::optional<PhaseSpec> fio_replay(const FioDraft& draft, const std::optional<fs::path>& folder,
                                    const DriveLimits& drive, Diagnostics& diagnostics) {
  if (!refuse_other_options(draft, diagnostics)) return std::nullopt;
  if (draft.iodepth < 1 || draft.iodepth > kMostReplayDepth) {
    diagnostics.error(draft.place(FioKey::kIodepth), fmt::format("iodepth: {} is outside 1 to {}",
                                                                 draft.iodepth, kMostReplayDepth));
    return std::nullopt;
  }
  PhaseSpec phase;
  phase.name = draft.spec.name;
  phase.kind = "replay";
  phase.action = PhaseAction::kReplay;
  ReplaySpec& replay = phase.replay.emplace(draft.replay);
  std::error_code ignored;
  replay.file = draft.read_iolog;
  if (folder && fs::exists(*folder / draft.read_iolog, ignored))
    replay.file = (*folder / draft.read_iolog).string();
  replay.options.event = BlockEvent::kQueue;  // the one that fio takes from a blktrace
  replay.mode = draft.replay_no_stall ? ReplayMode::kClosed : ReplayMode::kFioGaps;
  replay.time_scale_q32 = (uint64_t{100} << 32) / draft.replay_time_percent;
  replay.address_policy = AddressPolicy::kError;
  replay.iodepth = static_cast<uint32_t>(draft.iodepth);
  replay.runtime = draft.spec.runtime;
  if (!check_replay(replay, drive, draft.place(FioKey::kReadIolog), diagnostics))
    return std::nullopt;
  JobSpec job = draft.spec;
  job.iodepth = replay.iodepth;
  phase.replay_job = std::move(job);
  return phase;
}

}  // namespace ftlsim
