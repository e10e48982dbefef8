#include "workloads/procedure_config.h"

#include <limits>

namespace ftlsim {
namespace {

constexpr Choice<StepKind> kSteps[] = {
    {"format", StepKind::kFormat, "erase the whole drive"},
    {"write", StepKind::kWrite, "write a region"},
    {"read", StepKind::kRead, "read a region"},
    {"mix", StepKind::kMix, "read and write a region at once"},
    {"idle", StepKind::kIdle, "leave the drive alone"},
    {"trim", StepKind::kTrim, "deallocate a region"},
    {"flush", StepKind::kFlush, "bring everything acknowledged to the medium"},
    {"repeat", StepKind::kRepeat, "run the nested steps several times"},
    {"replay", StepKind::kReplay, "replay a trace"},
    {"fill", StepKind::kFill, "write a region once in order, to bring the drive into a state"},
    {"age", StepKind::kAge, "let the data grow older, with or without power"},
    {"power_cycle", StepKind::kPowerCycle, "not modelled yet"},
    {"snapshot", StepKind::kSnapshot, "not modelled yet"},
    {"job", StepKind::kJob, "run a fio, vdbench or Iometer file, or fio options"},
};

constexpr Choice<RoundMeasure> kMeasures[] = {
    {"iops", RoundMeasure::kIops, "requests per second"},
    {"bandwidth", RoundMeasure::kBandwidth, "bytes per second"},
};

constexpr Choice<Pattern> kPatterns[] = {
    {"sequential", Pattern::kSequential, "ascending addresses, from the start again at the end"},
    {"random", Pattern::kRandom, "each block once a pass, in random order"},
};

constexpr uint32_t kMaxCount = std::numeric_limits<uint32_t>::max();
constexpr double kMostDays = 36'525;
constexpr int64_t kColdest = -55'000;  // thousandths of a degree
constexpr int64_t kHottest = 150'000;
constexpr size_t kMaxSteps = 10'000;
constexpr Duration kMaxDuration = Duration::s(int64_t{100} * 366 * 86'400);

}  // namespace

std::string_view name_of(StepKind kind) {
  for (const Choice<StepKind>& c : kSteps)
    if (c.value == kind) return c.name;
  return "?";
}

void StepConfig::visit(FieldVisitor& v) {
  v.choice({"step", "what to do", true}, step, kSteps);
  v.field({"name", "name of the phase in all outputs; the kind of step if left out"}, name);
  v.choice({"pattern", "order of the addresses"}, pattern, kPatterns);
  v.field({"block_size", "bytes per request"}, block_size, Bytes(0), Bytes::gib(1));
  v.field({"iodepth", "requests that each thread keeps in flight"}, iodepth, 1, 65536);
  v.field({"jobs", "threads; each works on the whole region"}, jobs, 1, 1024);
  v.field({"offset", "start of the region: bytes ('1GiB') or part of the drive ('25%')"}, offset);
  v.field({"size", "length of the region: bytes or part of the drive; else up to its end"}, size);
  v.field({"io_size", "bytes to move, if not once the region: bytes or part of the drive"},
          io_size);
  v.field({"duration",
           "how long: the region is repeated until then, or until io_size if that is given"},
          duration, Duration{}, kMaxDuration);
  v.field({"read_percent", "share of reads in a mix, in percent of the requests"}, read_percent, 0,
          100);
  v.field({"read_ahead", "whether the drive may read ahead of the host during the step"},
          read_ahead);
  v.field({"seed", "seed of the step's random numbers instead of the run's"}, seed, 0,
          std::numeric_limits<uint64_t>::max());
  v.number({"days", "how long to age"}, days, 0, kMostDays);
  v.physical({"temperature", "while ageing; that of the surroundings so far if left out"},
             Physical::kTemperature, temperature, kColdest, kHottest);
  v.field({"powered", "whether the drive is powered and idle while it ages, or off"}, powered);
  v.field({"norandommap", "random blocks with replacement instead of each once a pass"},
          norandommap);
  v.field({"hold",
           "report how long the phase stayed at the rate of the SLC cache, and how many of "
           "its repetitions did so for this long"},
          hold, Duration{}, kMaxDuration);
  v.field({"count", "how often to run the nested steps; at most, with until_steady"}, count, 1,
          kMaxCount);
  v.section({"until_steady", "run the nested steps until these of them are steady"}, until_steady);
  v.field({"fio", "fio options of a job, or whole sections of a job file, separated by blanks"},
          fio);
  v.list({"steps", "the nested steps of a repeat"}, steps, 0, kMaxSteps);
  replay.visit(v);
}

void UntilSteadyConfig::visit(FieldVisitor& v) {
  constexpr uint32_t kMostRounds = 1000;
  v.field({"track", "names of the phases that must be steady, separated by commas"}, track);
  v.choice({"measure", "what of them"}, rule.measure, kMeasures);
  v.field({"window", "rounds that are looked at"}, rule.window, 2, kMostRounds);
  v.ratio({"range", "largest less smallest value, at most this part of the mean"}, rule.range, 0,
          1);
  v.ratio(
      {"slope", "rise or fall of the fitted line over the window, at most this part of the mean"},
      rule.slope, 0, 1);
}

void HostConfig::visit(FieldVisitor& v) {
  const Duration most = Duration::ms(10);
  v.field({"submit_cpu", "CPU time to submit one command"}, model.submit_cpu, Duration{}, most);
  v.field({"complete_cpu", "CPU time to handle one completion"}, model.complete_cpu, Duration{},
          most);
  v.field({"interrupt_latency", "from the posted completion to the host's handler"},
          model.interrupt_latency, Duration{}, most);
}

void ProcedureConfig::visit(FieldVisitor& v) {
  v.field({"description", "what the procedure is for"}, description);
  v.physical({"temperature", "of the surroundings; as the drive has it if left out"},
             Physical::kTemperature, temperature, kColdest, kHottest);
  v.section({"host", "cost of a command on the host's CPU"}, host);
  v.list({"steps", "what to do, one after the other", true}, steps, 1, kMaxSteps);
}

}  // namespace ftlsim
