#include "workloads/iometer/iometer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "workloads/access_source.h"
#include "workloads/block_layer.h"
#include "workloads/iometer/icf_settings.h"
#include "workloads/job_check.h"
#include "workloads/text_file.h"

namespace ftlsim {
namespace {

constexpr size_t kMostIcfPhases = 20'000;
constexpr uint32_t kPercent = kMillion / 100;

class WorkerPlaces final : public JobPlaces {
 public:
  WorkerPlaces(const IcfWorker& worker, const IcfSpec& spec) : worker_(worker), spec_(spec) {}

  std::string_view word(JobKey key) const override {
    constexpr std::array<std::string_view, 9> kWords{"size",
                                                     "starting sector",
                                                     "disk maximum size",
                                                     "disk maximum size",
                                                     "outstanding I/Os",
                                                     "workers",
                                                     "run time",
                                                     "run time",
                                                     "% reads"};
    return kWords[static_cast<size_t>(key)];
  }
  Origin where(JobKey key) const override {
    switch (key) {
      case JobKey::kOffset:
      case JobKey::kSize:
        return worker_.sectors_origin.file.empty() ? worker_.origin : worker_.sectors_origin;
      case JobKey::kIodepth:
        return worker_.outstanding_origin.file.empty() ? worker_.origin
                                                       : worker_.outstanding_origin;
      case JobKey::kBlockSize:
        return spec_.origin;
      default:
        return worker_.origin;
    }
  }

 private:
  const IcfWorker& worker_;
  const IcfSpec& spec_;
};

class IcfBuilder {
 public:
  IcfBuilder(IcfSettings settings, std::string file, std::string workload, const DriveLimits& drive,
             Diagnostics& diagnostics)
      : settings_(std::move(settings)),
        file_(std::move(file)),
        workload_(std::move(workload)),
        drive_(drive),
        diagnostics_(diagnostics) {
    add_built_in_specs();
  }

  std::vector<PhaseSpec> run() {
    check_targets();
    if (settings_.run_time <= Duration{})
      diagnostics_.error(
          settings_.run_time_origin.file.empty() ? Origin{file_} : settings_.run_time_origin,
          "run time: an endless test is not possible; give hours, minutes or "
          "seconds");
    size_t tests = 0;
    for (const IcfWorker& worker : settings_.workers) tests = std::max(tests, worker.specs.size());
    if (tests == 0)
      diagnostics_.error(Origin{file_}, "no worker has an access specification assigned");
    const std::vector<uint32_t> depths = cycle();
    const size_t errors = diagnostics_.error_count();
    for (size_t test = 0; test < tests && diagnostics_.error_count() == errors; ++test)
      for (const uint32_t depth : depths)
        if (phases_.size() < kMostIcfPhases) add_phase(test, depth);
    return std::move(phases_);
  }

 private:
  // What Iometer has without a file: a default, and one that does nothing.
  void add_built_in_specs() {
    IcfSpec standard;
    standard.name = "Default";
    standard.origin = Origin{file_};
    standard.lines.push_back({2048, 100, 67, 100, 0, 1, 0, standard.origin});
    IcfSpec idle;
    idle.name = "Idle";
    settings_.specs.push_back(standard);
    settings_.specs.push_back(idle);
  }

  void check_targets() {
    const std::string* first = nullptr;
    for (const IcfWorker& worker : settings_.workers) {
      for (const std::string& target : worker.targets) {
        if (first == nullptr) first = &target;
        if (target != *first)
          return diagnostics_.error(worker.targets_origin,
                                    fmt::format("target {} besides {}: several drives are not "
                                                "modelled",
                                                quote(target), quote(*first)));
      }
      if (worker.targets.size() > 1)
        diagnostics_.error(worker.targets_origin, "a worker with several targets is not modelled");
    }
    if (first == nullptr && !settings_.workers.empty())
      diagnostics_.note(settings_.workers[0].origin,
                        "no targets: the workers work on the simulated drive");
  }

  // Numbers of outstanding I/Os per worker, one test after the other; 0: each worker's own.
  std::vector<uint32_t> cycle() {
    if (settings_.test == IcfTest::kNormal) return {0};
    std::vector<uint32_t> depths;
    const bool linear = !settings_.cycle_exponential || settings_.cycle_step == 1;
    uint64_t depth = settings_.cycle_first;
    while (depth <= settings_.cycle_last) {
      depths.push_back(static_cast<uint32_t>(depth));
      depth = linear ? depth + settings_.cycle_step : depth * settings_.cycle_step;
    }
    if (depths.empty())
      diagnostics_.error(
          settings_.cycle_origin.file.empty() ? Origin{file_} : settings_.cycle_origin,
          "queue depth cycling: the end is below the start");
    return depths;
  }

  void add_phase(size_t test, uint32_t depth) {
    PhaseSpec phase;
    LoadPoint point;
    std::vector<std::string> names;
    uint64_t parts = 0;
    for (const IcfWorker& worker : settings_.workers) {
      if (test >= worker.specs.size()) continue;
      const IcfSpec* spec = find_spec(worker, test);
      if (spec == nullptr) return;
      if (spec->lines.empty()) continue;
      JobSpec job = job_of(worker, *spec, depth);
      if (!check_job(job, drive_, WorkerPlaces(worker, *spec), diagnostics_)) return;
      point.outstanding += job.iodepth;
      parts += parts_in_flight(job, drive_.mdts);
      if (std::find(names.begin(), names.end(), spec->name) == names.end())
        names.push_back(spec->name);
      phase.jobs.push_back(std::move(job));
    }
    if (phase.jobs.empty()) return add_rest();
    if (parts > kMaxParts)
      return diagnostics_.error(
          settings_.workers[0].origin,
          fmt::format("{} commands in flight; the limit is {}", parts, kMaxParts));
    for (const std::string& name : names) point.table += (point.table.empty() ? "" : " + ") + name;
    point.load = fmt::format("QD {}", point.outstanding);
    phase.name = depth == 0 ? point.table : fmt::format("{} {}", point.table, point.load);
    phase.kind = kind_of(phase.jobs);
    phase.warmup = settings_.ramp_time;
    for (JobSpec& job : phase.jobs)
      job.stream = fmt::format("{}/{}/{}", workload_, phase.name, job.name);
    phase.load = std::move(point);
    phases_.push_back(std::move(phase));
  }

  // Every worker does nothing for the time of a test.
  void add_rest() {
    PhaseSpec rest;
    rest.name = rest.kind = "idle";
    rest.action = PhaseAction::kIdle;
    rest.idle = settings_.ramp_time + settings_.run_time;
    phases_.push_back(std::move(rest));
  }

  const IcfSpec* find_spec(const IcfWorker& worker, size_t test) {
    for (const IcfSpec& spec : settings_.specs)
      if (spec.name == worker.specs[test]) return &spec;
    diagnostics_.error(
        worker.spec_origins[test],
        fmt::format("access specification {} is not defined", quote(worker.specs[test])));
    return nullptr;
  }

  JobSpec job_of(const IcfWorker& worker, const IcfSpec& spec, uint32_t depth) {
    JobSpec job;
    job.name = worker.name.empty() ? "worker" : worker.name;
    // Two workers may have one name: their streams must differ.
    job.name = fmt::format("{}#{}", job.name, &worker - settings_.workers.data());
    job.iodepth = depth == 0 ? worker.outstanding : depth;
    job.runtime = settings_.ramp_time + settings_.run_time;
    job.time_based = true;
    const Bytes sector = drive_.lba_size;
    const Bytes begin = sector * std::min(worker.first_sector, drive_.capacity / sector);
    const Bytes rest = drive_.capacity - begin;
    for (const IcfAccess& access : spec.lines) {
      AccessLine line;
      line.share = access.of_size * kPercent;
      line.sizes = {{Bytes(access.size)}};
      line.reads = access.reads * kPercent;
      line.random = access.random * kPercent;
      line.align = std::max(Bytes(access.align), sector);
      line.align_all = true;
      line.offset = begin;
      line.length = worker.sectors == 0 ? rest : sector * worker.sectors;
      line.delay = Duration::ms(static_cast<int64_t>(access.delay_ms));
      line.burst = access.burst;
      check_line(access, line);
      if (line.delay > Duration{}) job.pace.open_loop = job.pace.from_issue = true;
      job.access.lines.push_back(std::move(line));
    }
    describe_access(job);
    return job;
  }

  void check_line(const IcfAccess& access, const AccessLine& line) {
    const uint64_t sector = drive_.lba_size.count();
    if (access.size % sector != 0 || line.align.count() % sector != 0)
      diagnostics_.error(access.origin, fmt::format("size {} and align {} must be multiples of the "
                                                    "drive's {} B logical block",
                                                    access.size, access.align, sector));
    const uint64_t align = line.align.count();
    const uint64_t first = (line.offset.count() + align - 1) / align * align;
    if (first + access.size > (line.offset + line.length).count())
      diagnostics_.error(access.origin, "the region of the worker has no room for a request");
  }

  IcfSettings settings_;
  std::string file_;
  std::string workload_;
  const DriveLimits& drive_;
  Diagnostics& diagnostics_;
  std::vector<PhaseSpec> phases_;
};

}  // namespace

std::optional<Workload> parse_icf(std::string_view text, const std::string& file,
                                  const std::string& name, const DriveLimits& drive,
                                  Diagnostics& diagnostics) {
  const size_t errors = diagnostics.error_count();
  const size_t first = diagnostics.items().size();
  IcfSettings settings = read_icf(text, file, diagnostics);
  Workload workload;
  workload.name = name;
  if (diagnostics.error_count() == errors)
    workload.phases = IcfBuilder(std::move(settings), file, name, drive, diagnostics).run();
  const bool does_something =
      std::any_of(workload.phases.begin(), workload.phases.end(),
                  [](const PhaseSpec& phase) { return !phase.jobs.empty(); });
  if (diagnostics.error_count() == errors && !does_something)
    diagnostics.error(Origin{file}, "all workers are idle");
  diagnostics.sort_by_place(first);
  if (diagnostics.error_count() != errors) return std::nullopt;
  make_phase_names_unique(workload);
  return workload;
}

std::optional<Workload> load_icf(const std::filesystem::path& path, const std::string& name,
                                 const DriveLimits& drive, Diagnostics& diagnostics) {
  const std::optional<std::string> text = read_text_file(path, Origin{path.string()}, diagnostics);
  if (!text) return std::nullopt;
  return parse_icf(*text, path.string(), name, drive, diagnostics);
}

}  // namespace ftlsim
