#include "workloads/procedure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/config.h"
#include "sim/config_scalar.h"
#include "workloads/fio_draft.h"
#include "workloads/fio_jobs.h"
#include "workloads/job_check.h"
#include "workloads/job_file.h"
#include "workloads/procedure_config.h"
#include "workloads/trace/replay_load.h"

namespace ftlsim {
namespace {

constexpr size_t kMaxPhases = 20'000;

constexpr uint32_t bit(StepKind kind) { return 1u << static_cast<uint32_t>(kind); }
constexpr uint32_t kIo = bit(StepKind::kWrite) | bit(StepKind::kRead) | bit(StepKind::kMix);

// Which steps take which keys. `step` is for all.
struct KeyUse {
  std::string_view key;
  uint32_t steps;
};
constexpr KeyUse kKeyUses[] = {
    {"name", ~bit(StepKind::kRepeat)},
    {"pattern", kIo},
    {"block_size", kIo | bit(StepKind::kTrim) | bit(StepKind::kFill)},
    {"iodepth", kIo | bit(StepKind::kTrim) | bit(StepKind::kReplay) | bit(StepKind::kFill)},
    {"jobs", kIo},
    {"offset", kIo | bit(StepKind::kTrim) | bit(StepKind::kFill)},
    {"size", kIo | bit(StepKind::kTrim) | bit(StepKind::kFill)},
    {"io_size", kIo},
    {"duration", kIo | bit(StepKind::kIdle)},
    {"read_percent", bit(StepKind::kMix)},
    {"read_ahead", bit(StepKind::kRead) | bit(StepKind::kMix)},
    {"seed", kIo},
    {"norandommap", kIo},
    {"hold", kIo},
    {"count", bit(StepKind::kRepeat)},
    {"days", bit(StepKind::kAge)},
    {"temperature", bit(StepKind::kAge)},
    {"powered", bit(StepKind::kAge)},
    {"until_steady", bit(StepKind::kRepeat)},
    {"fio", bit(StepKind::kJob)},
    {"steps", bit(StepKind::kRepeat)},
};

// Simulated time ends after 36 years.
constexpr double kMostPoweredDays = 3'650;

// The place of a step and of its keys.
class StepPlaces final : public JobPlaces {
 public:
  StepPlaces(const Origins& origins, std::string path)
      : origins_(origins), path_(std::move(path)) {}

  std::string_view word(JobKey key) const override {
    constexpr std::array<std::string_view, 9> kWords{"block_size", "offset",   "size",
                                                     "io_size",    "iodepth",  "jobs",
                                                     "duration",   "duration", "read_percent"};
    return kWords[static_cast<size_t>(key)];
  }
  Origin where(JobKey key) const override { return origin(word(key)); }

  Origin origin(std::string_view key) const {
    return origins_.origin_of(fmt::format("{}.{}", path_, key));
  }
  Origin step() const { return origin("step"); }
  bool written(std::string_view key) const { return !origin(key).is_default; }

 private:
  const Origins& origins_;
  std::string path_;
};

class Builder {
 public:
  Builder(const DriveLimits& drive, const Origins& origins, Diagnostics& diagnostics)
      : drive_(drive), origins_(origins), diagnostics_(diagnostics) {}

  // The phases of a list of steps, repeats expanded.
  std::vector<PhaseSpec> phases_of(const std::vector<StepConfig>& steps, const std::string& path) {
    std::vector<PhaseSpec> phases;
    for (size_t i = 0; i < steps.size(); ++i) {
      const std::string at = fmt::format("{}[{}]", path, i);
      const StepPlaces places(origins_, at);
      if (!check_keys(steps[i], places)) continue;
      if (steps[i].step == StepKind::kRepeat) {
        add_repeat(steps[i], at, places, phases);
      } else if (steps[i].step == StepKind::kJob) {
        add_fio(steps[i], places, phases);
      } else {
        phases.push_back(phase_of(steps[i], places));
      }
    }
    return phases;
  }

 private:
  bool check_keys(const StepConfig& step, const StepPlaces& places) {
    const std::string_view kind = name_of(step.step);
    if (!is_modelled(step.step)) {
      diagnostics_.error(places.step(), fmt::format("step '{}' is not modelled yet", kind));
      return false;
    }
    for (const KeyUse& use : kKeyUses) {
      if ((use.steps & bit(step.step)) == 0 && places.written(use.key))
        diagnostics_.error(places.origin(use.key),
                           fmt::format("step '{}' has no key '{}'", kind, use.key));
    }
    for (const std::string_view key : kReplayKeys) {
      const bool of_job = step.step == StepKind::kJob && key == "file";
      if (step.step != StepKind::kReplay && !of_job && places.written(key))
        diagnostics_.error(places.origin(key), fmt::format("step '{}' has no key '{}'", kind, key));
    }
    return true;
  }

  void add_repeat(const StepConfig& step, const std::string& path, const StepPlaces& places,
                  std::vector<PhaseSpec>& phases) {
    const std::vector<PhaseSpec> once = phases_of(step.steps, path + ".steps");
    if (step.steps.empty()) {
      diagnostics_.error(places.step(), "step 'repeat' needs a list of steps in the key 'steps'");
      return;
    }
    if (!places.written("count"))
      diagnostics_.error(places.step(), "step 'repeat' needs the key 'count'");
    if (once.size() * step.count + phases.size() > kMaxPhases) {
      diagnostics_.error(places.origin("count"),
                         fmt::format("count: {} times {} steps are too many; a procedure may "
                                     "have {} when all repeats are written out",
                                     step.count, once.size(), kMaxPhases));
      return;
    }
    const std::optional<RoundEnd> round = round_of(step, once, places);
    for (uint32_t i = 0; i < step.count && !once.empty(); ++i) {
      phases.insert(phases.end(), once.begin(), once.end());
      if (!round) continue;
      phases.back().round = round;
      phases.back().round->number = i + 1;
    }
  }

  // What ends a repeat that runs until it is steady; without a number yet.
  std::optional<RoundEnd> round_of(const StepConfig& step, const std::vector<PhaseSpec>& once,
                                   const StepPlaces& places) {
    if (!places.written("until_steady") || once.empty()) return std::nullopt;
    const Origin where = places.origin("until_steady");
    const SteadyRule& rule = step.until_steady.rule;
    RoundEnd round{"", 0, step.count, static_cast<uint32_t>(once.size()), rule, {}};
    if (step.count < rule.window)
      diagnostics_.error(where, fmt::format("until_steady: a window of {} rounds does not fit into "
                                            "a count of {}",
                                            rule.window, step.count));
    for (const PhaseSpec& phase : once)
      if (phase.round)
        diagnostics_.error(where, "until_steady: not possible around another until_steady");
    for (std::string_view name : split_text(step.until_steady.track, ",")) {
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ')) name.remove_suffix(1);
      if (name.empty()) continue;
      const auto tracked = std::find_if(once.begin(), once.end(), [&](const PhaseSpec& phase) {
        return phase.name == name && phase.action == PhaseAction::kJobs;
      });
      if (tracked == once.end()) {
        diagnostics_.error(where, fmt::format("until_steady: track: no phase of the round that "
                                              "moves data is called {}",
                                              quote(name)));
        continue;
      }
      round.tracked.push_back(static_cast<uint32_t>(tracked - once.begin()));
      round.name += (round.name.empty() ? "" : ", ") + std::string(name);
    }
    if (round.tracked.empty() && round.name.empty())
      diagnostics_.error(where, "until_steady: needs the key 'track', the phases to look at");
    return round;
  }

  // The phases of jobs: a file of fio, vdbench or Iometer, or fio's options in the procedure
  // itself.
  void add_fio(const StepConfig& step, const StepPlaces& places, std::vector<PhaseSpec>& phases) {
    const std::string name = step.name.empty() ? "job" : step.name;
    const bool from_file = !step.replay.file.empty();
    if (from_file == !step.fio.empty()) {
      diagnostics_.error(places.step(), "step 'job' needs either the key 'file' or the key 'fio'");
      return;
    }
    std::optional<Workload> jobs;
    if (from_file) {
      const std::filesystem::path folder = std::filesystem::path(places.step().file).parent_path();
      std::error_code error;
      if (!std::filesystem::exists(folder / step.replay.file, error)) {
        diagnostics_.error(
            places.origin("file"),
            fmt::format("cannot read '{}': no such file", (folder / step.replay.file).string()));
        return;
      }
      jobs = load_job_file(folder / step.replay.file, name, drive_, diagnostics_);
    } else {
      // One option a line, wherever the blanks of the YAML text are.
      std::string text = step.fio;
      for (char& c : text)
        if (c == ' ' || c == '\t') c = '\n';
      if (text.find('[') == std::string::npos) text = fmt::format("[{}]\n{}", name, text);
      const Origin at = places.origin("fio");
      jobs = parse_fio_jobs(text, fmt::format("{}:{}: fio", at.file, at.line), name, drive_,
                            diagnostics_);
    }
    if (!jobs) return;
    for (PhaseSpec& phase : jobs->phases) {
      if (!step.name.empty() && (from_file || jobs->phases.size() > 1))
        phase.name = fmt::format("{}-{}", step.name, phase.name);
      phases.push_back(std::move(phase));
    }
  }

  PhaseSpec phase_of(const StepConfig& step, const StepPlaces& places) {
    PhaseSpec phase;
    phase.kind = step.step == StepKind::kFill ? "write" : name_of(step.step);
    phase.name = step.name.empty() ? std::string(name_of(step.step)) : step.name;
    if (step.step == StepKind::kFormat) {
      phase.action = PhaseAction::kFormat;
    } else if (step.step == StepKind::kFlush) {
      phase.action = PhaseAction::kFlush;
    } else if (step.step == StepKind::kIdle) {
      phase.action = PhaseAction::kIdle;
      phase.idle = step.duration;
      if (step.duration <= Duration{})
        diagnostics_.error(places.origin("duration"), "step 'idle' needs a duration above 0");
    } else if (step.step == StepKind::kAge) {
      age_of(step, places, phase);
    } else if (step.step == StepKind::kReplay) {
      phase.action = PhaseAction::kReplay;
      phase.replay = replay_of(step, places);
    } else {
      phase.jobs.push_back(job_of(step, places));
      phase.preconditioning = step.step == StepKind::kFill;
      phase.hold = step.hold;
      phase.series = phase.name;
      phase.read_ahead = step.read_ahead;
    }
    return phase;
  }

  void age_of(const StepConfig& step, const StepPlaces& places, PhaseSpec& phase) {
    constexpr double kNsPerDay = 86'400e9;
    phase.action = PhaseAction::kAge;
    phase.powered = step.powered;
    phase.idle = Duration::ns(static_cast<int64_t>(step.days * kNsPerDay));
    if (places.written("temperature")) phase.ambient = step.temperature;
    if (step.days <= 0)
      diagnostics_.error(places.origin("days"), "step 'age' needs the key 'days' above 0");
    if (step.powered && step.days > kMostPoweredDays)
      diagnostics_.error(places.origin("days"),
                         fmt::format("days: {} days with power on are more than the clock holds, "
                                     "{}; set powered: false",
                                     step.days, kMostPoweredDays));
  }

  ReplaySpec replay_of(const StepConfig& step, const StepPlaces& places) {
    const ReplayConfig& config = step.replay;
    ReplaySpec spec = replay_spec_of(config, places.written("columns"));
    if (places.written("iodepth")) spec.iodepth = step.iodepth;
    const std::filesystem::path folder = std::filesystem::path(places.step().file).parent_path();
    spec.file = (folder / config.file).string();
    if (config.file.empty()) {
      diagnostics_.error(places.step(), "step 'replay' needs the key 'file'");
    } else {
      check_replay(spec, drive_, places.origin("file"), diagnostics_);
    }
    return spec;
  }

  JobSpec job_of(const StepConfig& step, const StepPlaces& places) {
    JobSpec job;
    job.name = step.name;
    job.rw = rw_of(step);
    job.short_tail = true;
    job.norandommap = step.norandommap;
    const size_t errors = diagnostics_.error_count();
    const Bytes page = max_bytes(drive_.lba_size, Bytes::kib(4));
    job.offset = amount(step.offset, "offset", Bytes(0), page, places);
    const Bytes rest =
        job.offset < drive_.capacity ? drive_.capacity - job.offset : drive_.capacity;
    job.size = amount(step.size, "size", rest, page, places);
    job.io_size = amount(step.io_size, "io_size", Bytes(0), Bytes(1), places);
    if (places.written("io_size") && job.io_size == Bytes(0) && !step.io_size.empty() &&
        diagnostics_.error_count() == errors)
      diagnostics_.error(places.origin("io_size"), "io_size: nothing to do");
    job.block_size.fill(step.block_size);
    job.iodepth = step.iodepth;
    if (step.step == StepKind::kTrim) {
      // One request for all, unless the user wants pieces.
      if (!places.written("block_size"))
        job.block_size.fill(max_bytes(floor_to(job.size, drive_.lba_size), drive_.lba_size));
      if (!places.written("iodepth")) job.iodepth = 1;
    } else {
      job.numjobs = step.jobs;
      job.read_percent = step.read_percent;
      job.runtime = step.duration;
      job.time_based = step.duration > Duration{} && step.io_size.empty();
      if (places.written("seed")) job.randseed = step.seed;
      if (places.written("duration") && step.duration == Duration{})
        diagnostics_.error(places.origin("duration"), "duration: must be above 0");
    }
    if (diagnostics_.error_count() == errors) check_job(job, drive_, places, diagnostics_);
    return job;
  }

  static RwKind rw_of(const StepConfig& step) {
    const bool random = step.pattern == Pattern::kRandom;
    switch (step.step) {
      case StepKind::kTrim:
        return RwKind::kTrim;
      case StepKind::kRead:
        return random ? RwKind::kRandRead : RwKind::kRead;
      case StepKind::kMix:
        return random ? RwKind::kRandReadWrite : RwKind::kReadWrite;
      default:
        return random ? RwKind::kRandWrite : RwKind::kWrite;
    }
  }

  static Bytes max_bytes(Bytes a, Bytes b) { return a < b ? b : a; }

  // Bytes, or a part of the drive in percent.
  Bytes amount(const std::string& text, std::string_view key, Bytes if_empty, Bytes step,
               const StepPlaces& places) {
    if (text.empty()) return if_empty;
    std::string error;
    if (text.ends_with('%')) {
      const std::optional<double> ratio = parse_ratio(text, error);
      if (ratio && *ratio >= 0) return part_of(drive_.capacity, *ratio, step);
      if (ratio) error = fmt::format("{} is negative", quote(text));
    } else if (const std::optional<Bytes> bytes = parse_bytes(text, error)) {
      return *bytes;
    }
    diagnostics_.error(places.origin(key), fmt::format("{}: {}", key, error));
    return if_empty;
  }

  const DriveLimits& drive_;
  const Origins& origins_;
  Diagnostics& diagnostics_;
};

// Gives phases and jobs their names and every job its random streams. A step with a seed draws
// the same numbers wherever and however often it stands; without one, every repetition draws
// others.
void name_streams(Workload& workload) {
  make_phase_names_unique(workload);
  for (PhaseSpec& phase : workload.phases) {
    for (JobSpec& job : phase.jobs) {
      if (!job.stream.empty()) {  // fio's jobs have names of their own
        if (!job.randrepeat) job.stream += "/" + phase.name;
        continue;
      }
      job.name = phase.name;
      job.stream = job.randseed ? workload.name : fmt::format("{}/{}", workload.name, phase.name);
    }
  }
}

std::optional<Workload> build(const ProcedureConfig& config, const Origins& origins,
                              const std::string& name, const DriveLimits& drive,
                              Diagnostics& diagnostics, size_t errors_before) {
  Workload workload;
  workload.name = name;
  workload.host = config.host.model;
  if (!origins.origin_of("temperature").is_default) workload.ambient = config.temperature;
  workload.phases = Builder(drive, origins, diagnostics).phases_of(config.steps, "steps");
  if (diagnostics.error_count() != errors_before) return std::nullopt;
  name_streams(workload);
  return workload;
}

}  // namespace

std::optional<Workload> load_procedure(const std::filesystem::path& path, const std::string& name,
                                       const DriveLimits& drive, Diagnostics& diagnostics) {
  const size_t errors = diagnostics.error_count();
  const size_t first = diagnostics.items().size();
  ProcedureConfig config;
  Origins origins;
  load_config(path, {}, config, diagnostics, &origins);
  std::optional<Workload> workload = build(config, origins, name, drive, diagnostics, errors);
  diagnostics.sort_by_place(first);
  return workload;
}

std::optional<Workload> parse_procedure(std::string_view text, const std::string& file,
                                        const std::string& name, const DriveLimits& drive,
                                        Diagnostics& diagnostics) {
  const size_t errors = diagnostics.error_count();
  const size_t first = diagnostics.items().size();
  ProcedureConfig config;
  Origins origins;
  load_config_text(text, file, {}, config, diagnostics, &origins);
  std::optional<Workload> workload = build(config, origins, name, drive, diagnostics, errors);
  diagnostics.sort_by_place(first);
  return workload;
}

}  // namespace ftlsim
