#include "workloads/fio_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "workloads/block_layer.h"
#include "workloads/fio_draft.h"
#include "workloads/fio_files.h"
#include "workloads/fio_job_spec.h"
#include "workloads/fio_replay.h"
#include "workloads/fio_syntax.h"
#include "workloads/job_check.h"
#include "workloads/text_file.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

// Engines that keep many requests in flight, and those that wait for each.
constexpr std::string_view kAsyncEngines[] = {
    "libaio", "io_uring", "io_uring_cmd", "posixaio", "windowsaio", "solarisaio",
    "null",   "xnvme",    "libblkio",     "spdk",     "sg"};
constexpr std::string_view kSyncEngines[] = {"sync",    "psync", "vsync", "pvsync",
                                             "pvsync2", "mmap",  "splice"};

class DraftPlaces final : public JobPlaces {
 public:
  explicit DraftPlaces(const FioDraft& draft) : draft_(draft) {}
  std::string_view word(JobKey key) const override { return of(key).first; }
  Origin where(JobKey key) const override { return draft_.place(of(key).second); }

 private:
  static std::pair<std::string_view, FioKey> of(JobKey key) {
    static constexpr std::array<std::pair<std::string_view, FioKey>, 9> kWords{{
        {"bs", FioKey::kBs},
        {"offset", FioKey::kOffset},
        {"size", FioKey::kSize},
        {"io_size", FioKey::kIoSize},
        {"iodepth", FioKey::kIodepth},
        {"numjobs", FioKey::kNumjobs},
        {"runtime", FioKey::kRuntime},
        {"time_based", FioKey::kTimeBased},
        {"rwmixread", FioKey::kRwmixread},
    }};
    return kWords[static_cast<size_t>(key)];
  }

  const FioDraft& draft_;
};

class JobFile {
 public:
  JobFile(std::string workload, const std::optional<fs::path>& folder, const DriveLimits& drive,
          Diagnostics& diagnostics)
      : workload_name_(std::move(workload)),
        folder_(folder),
        drive_(drive),
        diagnostics_(diagnostics),
        reader_(diagnostics),
        files_(drive, diagnostics) {}

  void read(const std::vector<FioSection>& sections) {
    FioDraft defaults;
    defaults.spec.limits.ends_on_error.fill(true);  // unless continue_on_error says otherwise
    bool defaults_are_good = true;
    for (const FioSection& section : sections) {
      const size_t errors = diagnostics_.error_count();
      if (section.global()) {
        reader_.apply(section, defaults);
        defaults_are_good = defaults_are_good && diagnostics_.error_count() == errors;
        for (FioOptionText& text : option_texts(section)) global_options_.push_back(text);
        continue;
      }
      FioDraft& draft = drafts_.emplace_back(defaults);
      draft.section = section.origin;
      draft.spec.name = section.name;
      reader_.apply(section, draft);
      note_engine(draft);
      // What follows from wrong values would only confuse.
      if (!defaults_are_good || diagnostics_.error_count() != errors) drafts_.pop_back();
    }
    for (FioDraft& draft : drafts_) draft.settle_sizes();
    for (const FioDraft& draft : drafts_) files_.add(draft);
    const size_t errors = diagnostics_.error_count();
    files_.lay_out();
    if (diagnostics_.error_count() != errors) return;
    for (const FioDraft& draft : drafts_) add(draft);
    set_exits();
  }

  std::vector<PhaseSpec> take_phases() { return std::move(phases_); }
  std::vector<FioOptionText> take_global_options() { return std::move(global_options_); }

 private:
  void add(const FioDraft& draft) {
    if (phases_.empty() || draft.stonewall) {
      phases_.emplace_back();
      parts_in_phase_ = 0;
    }
    if (!draft.read_iolog.empty() || phases_.back().replay) return add_replay(draft);
    JobSpec job = fio_job(draft, files_.regions(jobs_), workload_name_, drive_, diagnostics_);
    if (!draft.randrepeat) job.stream += fmt::format("#{}", jobs_);
    ++jobs_;
    if (!draft.wait_for.empty()) job.wait_for = awaited(draft);
    names_.insert(job.name);
    const bool good = check_job(job, drive_, DraftPlaces(draft), diagnostics_);
    const uint64_t before = parts_in_phase_;
    if (good) parts_in_phase_ += parts_in_flight(job, drive_.mdts);
    if (before <= kMaxParts && parts_in_phase_ > kMaxParts)
      diagnostics_.error(draft.place(FioKey::kIodepth),
                         fmt::format("the jobs up to here, which run side by side, are {} commands "
                                     "in flight; the limit is {}",
                                     parts_in_phase_, kMaxParts));
    phases_.back().jobs.push_back(std::move(job));
  }

  // A replay is a phase of its own.
  void add_replay(const FioDraft& draft) {
    ++jobs_;
    names_.insert(draft.spec.name);
    PhaseSpec& phase = phases_.back();
    if (phase.replay || !phase.jobs.empty()) {
      diagnostics_.error(draft.place(FioKey::kReadIolog),
                         "a job with read_iolog does not run beside others here: separate them "
                         "by 'stonewall'");
      return;
    }
    phase.replay.emplace();  // also if it is no good, so that jobs beside it are noticed
    if (std::optional<PhaseSpec> replay = fio_replay(draft, folder_, drive_, diagnostics_))
      phase = std::move(*replay);
  }

  // `exitall` anywhere counts for all jobs, as in fio.
  void set_exits() {
    bool exitall = false;
    for (const FioDraft& draft : drafts_) exitall = exitall || draft.exitall;
    for (size_t p = 0; p < phases_.size(); ++p) {
      uint32_t group = 0;
      for (JobSpec& job : phases_[p].jobs) {
        if (job.report.new_group) ++group;
        job.exit.on_end = exitall;
        job.exit.group = group;
        job.exit.phases_left = static_cast<uint32_t>(phases_.size() - 1 - p);
      }
    }
  }

  // The job of the same phase that `wait_for` names; one of an earlier phase has ended anyway.
  uint32_t awaited(const FioDraft& draft) {
    const std::vector<JobSpec>& jobs = phases_.back().jobs;
    for (size_t i = jobs.size(); i > 0; --i)
      if (jobs[i - 1].name == draft.wait_for) return static_cast<uint32_t>(i - 1);
    if (!names_.contains(draft.wait_for))
      diagnostics_.error(draft.place(FioKey::kWaitFor),
                         fmt::format("wait_for: no job above is called {}", quote(draft.wait_for)));
    return kNoJob;
  }

  // The engine decides how many requests fio really keeps in flight.
  void note_engine(FioDraft& draft) {
    const auto is_in = [&](const auto& names) {
      return std::find(std::begin(names), std::end(names), draft.ioengine) != std::end(names);
    };
    const Origin where = draft.place(FioKey::kIoengine);
    if (is_in(kSyncEngines)) {
      if (draft.iodepth > 1)
        diagnostics_.warning(draft.place(FioKey::kIodepth),
                             fmt::format("iodepth: the engine '{}' keeps one request in flight "
                                         "whatever the depth says; so does this job",
                                         draft.ioengine));
      draft.iodepth = std::min<uint64_t>(draft.iodepth, 1);
    } else if (draft.ioengine.empty()) {
      if (draft.iodepth > 1)
        reader_.note_once("no ioengine", where,
                          "no ioengine: fio's default would keep one request in flight; iodepth is "
                          "taken as written");
    } else if (is_in(kAsyncEngines)) {
      reader_.note_once("ioengine", where,
                        "option 'ioengine' has no effect: every asynchronous engine is the same "
                        "host model");
    } else {
      diagnostics_.warning(where, fmt::format("ioengine: {} is not known; it is taken for an "
                                              "asynchronous one",
                                              quote(draft.ioengine)));
    }
    if (!draft.direct)
      reader_.note_once("direct", draft.place(FioKey::kDirect),
                        "without direct=1 fio goes through the page cache, which is not modelled: "
                        "jobs work on the drive directly");
  }

  std::string workload_name_;
  const std::optional<fs::path>& folder_;
  const DriveLimits& drive_;
  Diagnostics& diagnostics_;
  FioOptionReader reader_;
  FioFiles files_;
  std::vector<FioDraft> drafts_;  // of the jobs that can be read, in order
  std::vector<PhaseSpec> phases_;
  std::vector<FioOptionText> global_options_;
  std::set<std::string> names_;
  size_t jobs_ = 0;
  uint64_t parts_in_phase_ = 0;
};

// A phase is called after its jobs.
void name_phases(Workload& workload) {
  constexpr size_t kMostNames = 4;
  for (PhaseSpec& phase : workload.phases) {
    if (phase.replay) continue;  // has its name
    for (size_t i = 0; i < phase.jobs.size() && i < kMostNames; ++i)
      phase.name += (i == 0 ? "" : "+") + phase.jobs[i].name;
    if (phase.jobs.size() > kMostNames)
      phase.name += fmt::format("+{}", phase.jobs.size() - kMostNames);
    phase.kind = kind_of(phase.jobs);
  }
  make_phase_names_unique(workload);
}

std::optional<Workload> build(std::string_view text, const std::string& file,
                              const std::optional<fs::path>& folder, const std::string& name,
                              const DriveLimits& drive, Diagnostics& diagnostics) {
  const size_t errors = diagnostics.error_count();
  const size_t first = diagnostics.items().size();
  const std::vector<FioSection> sections = read_fio_sections(text, file, folder, diagnostics);
  Workload workload;
  workload.name = name;
  JobFile jobs(name, folder, drive, diagnostics);
  jobs.read(sections);
  workload.phases = jobs.take_phases();
  workload.global_options = jobs.take_global_options();
  const bool has_job = std::any_of(sections.begin(), sections.end(),
                                   [](const FioSection& section) { return !section.global(); });
  if (!has_job) diagnostics.error(Origin{file, 0, 0}, "no job: the file has no [section]");
  diagnostics.sort_by_place(first);
  if (diagnostics.error_count() != errors) return std::nullopt;
  name_phases(workload);
  return workload;
}

}  // namespace

std::optional<Workload> load_fio_jobs(const fs::path& path, const std::string& name,
                                      const DriveLimits& drive, Diagnostics& diagnostics) {
  const std::optional<std::string> text =
      read_text_file(path, Origin{path.string(), 0, 0}, diagnostics);
  if (!text) return std::nullopt;
  return build(*text, path.string(), path.parent_path(), name, drive, diagnostics);
}

std::optional<Workload> parse_fio_jobs(std::string_view text, const std::string& file,
                                       const std::string& name, const DriveLimits& drive,
                                       Diagnostics& diagnostics) {
  return build(text, file, std::nullopt, name, drive, diagnostics);
}

}  // namespace ftlsim
