#include "tools/run/run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "sim/assert.h"
#include "tools/decisions/decision_csv.h"
#include "tools/fio/fio_output.h"
#include "tools/fio/fio_recorder.h"
#include "tools/report/measured.h"
#include "tools/run/inputs.h"
#include "tools/run/memory.h"
#include "tools/run/output_dir.h"
#include "tools/run/run_session.h"
#include "tools/timeline/trace_json.h"
#include "workloads/loader.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

volatile std::sig_atomic_t g_interrupted = 0;

// The first signal ends the run in an orderly way, the next one at once.
void catch_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { g_interrupted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// A failed check ends the process: what was written so far goes first.
OutputDir* output_in_use = nullptr;
[[noreturn]] void fail(std::string_view message) {
  fmt::print(stderr, "\nftlsim: internal error: {}\n", message);
  if (output_in_use != nullptr) output_in_use->discard();
  std::_Exit(kExitInternal);
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string effective_yaml(const DriveInput& drive, const RunOptions& options,
                           const Workload& workload) {
  DriveConfig config = drive.config;
  return fmt::format(
      "# The drive of this run with every key written out; a drive file of its own right.\n"
      "# drive {}, workload {}, seed {}\n{}",
      drive.id, workload.name, options.seed, echo_config(config));
}

void write_inputs(const DriveInput& drive, const RunOptions& options, const Workload& workload,
                  const OutputDir& out) {
  const fs::path file = workload_file(options.workload, config_dir());
  out.write("effective.yaml", effective_yaml(drive, options, workload));
  // A trace can be of any size: the run directory names it and does not hold a copy.
  if (!file.empty()) out.write("workload" + file.extension().string(), read_file(file));
  if (options.prepare) {
    const fs::path first = workload_file(*options.prepare, config_dir());
    if (!first.empty()) out.write("prepare" + first.extension().string(), read_file(first));
  }
  if (options.measured) out.write(kMeasuredFile, read_file(*options.measured));
}

// The reserves and, if there is a workload, the memory that it takes.
void check_fit(const DriveInput& drive, const RunOptions& options,
               const std::optional<Workload>& workload, Diagnostics& diagnostics) {
  const Media media = build_media(drive, options.seed);
  check_reserves(drive, media, diagnostics);
  const std::optional<uint64_t> available = available_memory();
  if (!workload || !available) return;
  const std::string shortage =
      memory_shortage(estimate_memory(drive.config, media, *workload), *available);
  if (!shortage.empty()) diagnostics.error(Origin{drive.path.string()}, shortage);
}

// The window of the timeline that the options ask for. Adds an error if it cannot be read or the
// file cannot be made.
std::optional<TimelineWindow> timeline_window(const RunOptions& options, Diagnostics& diagnostics) {
  if (!options.timeline) return std::nullopt;
  std::optional<TimelineWindow> window = TimelineWindow();
  if (options.timeline_window) {
    std::string error;
    window = parse_timeline_window(*options.timeline_window, error);
    if (!window) diagnostics.error(Origin{"<cmdline>"}, "--timeline-window: " + error);
  }
  if (options.timeline->empty()) return window;
  const fs::path file = *options.timeline;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code code;
  if (fs::is_directory(file, code) || !fs::is_directory(folder, code) ||
      access(folder.c_str(), W_OK | X_OK) != 0) {
    diagnostics.error(Origin{"<cmdline>"},
                      fmt::format("--timeline: cannot write {}: it is a directory, or in one that "
                                  "does not exist or cannot be written",
                                  quote(file.string())));
  }
  return window;
}

void write_timeline(Timeline& timeline, const RunOptions& options, const OutputDir& out) {
  timeline.finish();
  const bool inside = options.timeline->empty();
  write_trace_json(timeline,
                   inside ? (out.partial_path() / "timeline.json").string() : *options.timeline);
  const auto ms = [](Time t) { return static_cast<double>(t.to_ns()) * 1e-6; };
  fmt::print(stderr, "timeline {}: {} slices from {:.3f} ms to {:.3f} ms{}\n",
             inside ? (out.final_path() / "timeline.json").string() : *options.timeline,
             timeline.slices().size(), ms(timeline.begin()), ms(timeline.end()),
             timeline.slices().empty() ? "; note: nothing happened in this window: see "
                                         "--timeline-window, and sim_s in summary.json"
             : timeline.cut()
                 ? fmt::format("; note: cut there at the limit of {} slices, ask for a "
                               "shorter window to see the rest",
                               Timeline::kMaxSlices)
                 : "");
}

// Says which jobs did not come to their end.
void note_failures(const Recorder& recorder) {
  for (const PhaseRecord& phase : recorder.phases())
    if (phase.threads_failed != 0)
      fmt::print(stderr, "ftlsim: warning: phase {}: {} of its threads ended early; first {}\n",
                 quote(phase.name), phase.threads_failed, phase.failure);
}

// Says which phases read what is not there: on a real drive such reads say little, too.
void note_unwritten(const Recorder& recorder) {
  constexpr double kWorthANote = 0.1;
  for (const PhaseRecord& phase : recorder.phases())
    if (phase.unwritten_share() >= kWorthANote)
      fmt::print(
          stderr,
          "ftlsim: note: {:.0f} % of what phase {} read was never written, or was trimmed: it "
          "took no time on the medium. Write it first, for instance with --prepare "
          "precondition\n",
          100 * phase.unwritten_share(), quote(phase.name));
}

// Says which traces ended before their end.
bool note_damaged(const Recorder& recorder) {
  bool any = false;
  for (const PhaseRecord& phase : recorder.phases()) {
    if (!phase.replay || !phase.replay->tally.damaged) continue;
    any = true;
    fmt::print(
        stderr,
        "{}: error: the file is damaged or cut off: what follows record {} was not replayed; "
        "get it anew\n",
        phase.replay->file, phase.replay->tally.read - 1);
  }
  return any;
}

// Says why a run, or a phase of it that should have loaded the drive, issued nothing.
bool issued_nothing(const RunFacts& facts) {
  for (const std::string& phase : facts.silent_phases)
    fmt::print(stderr,
               "ftlsim: error: phase {} issued nothing: its time was over before its first request "
               "was due\n",
               quote(phase));
  const bool rests_only = facts.complete && !facts.asked;
  if (rests_only)
    fmt::print(stderr,
               "ftlsim: error: the run issued nothing: no step of the workload asks anything of "
               "the drive\n");
  return rests_only || !facts.silent_phases.empty();
}

int simulate(const DriveInput& drive, const RunOptions& options, const Workload& workload,
             const std::optional<TimelineWindow>& window, OutputDir& out) {
  output_in_use = &out;
  set_assert_handler(fail);
  catch_interrupts();
  write_inputs(drive, options, workload, out);
  RunSession session(drive, workload, options.seed, out, g_interrupted, isatty(STDERR_FILENO) != 0);
  std::optional<FioRecorder> fio;
  if (options.output_format || wants_fio_logs(workload)) {
    fio.emplace(workload, out.partial_path());
    session.observe_requests(&*fio);
  }
  std::optional<DecisionCsv> decisions;
  if (options.decision_log) {
    std::string ignored;  // checked before
    decisions.emplace(session.simulator(), out.partial_path() / "decisions",
                      *parse_decision_kinds(*options.decision_log, ignored));
    session.device().firmware().set_decision_log(&*decisions);
  }
  std::optional<Timeline> timeline;
  if (window) {
    timeline.emplace(session.simulator(), session.device(), *window);
    session.device().firmware().set_observers(&*timeline, &*timeline);
  }
  session.run();
  if (decisions) decisions->close();
  if (timeline) write_timeline(*timeline, options, out);
  if (fio) out.write("fio.json", render_fio_json(fio->report(), true));
  out.commit();
  output_in_use = nullptr;
  if (options.output_format) {
    fmt::print("{}", render_fio(fio->report(), *fio_format(*options.output_format)));
  } else {
    fmt::print("{}report {}\n", session.table(), (out.final_path() / "report.html").string());
  }
  note_failures(session.recorder());
  note_unwritten(session.recorder());
  for (const std::string& law : session.facts().violated_laws)
    fmt::print(stderr, "ftlsim: error: conservation law violated: {}\n", law);
  if (!session.facts().violated_laws.empty()) return kExitInternal;
  const bool damaged = note_damaged(session.recorder());
  if (issued_nothing(session.facts()) || damaged) return kExitInput;
  return session.facts().complete ? kExitOk : kExitInterrupted;
}

}  // namespace

int run_command(const RunOptions& options) {
  Diagnostics diagnostics;
  const DriveInput drive = load_drive(options.drive, options.overrides, config_dir(), diagnostics);
  std::optional<Workload> workload =
      load_workload(options.workload, limits_of(drive.config), config_dir(), diagnostics);
  if (options.prepare) {
    std::optional<Workload> first =
        load_workload(*options.prepare, limits_of(drive.config), config_dir(), diagnostics);
    if (workload && first) prepare_with(*workload, std::move(*first));
  }
  if (options.output_format && !fio_format(*options.output_format))
    diagnostics.error(Origin{"<cmdline>"},
                      fmt::format("unknown output format {} (known: normal, json, json+, terse)",
                                  quote(*options.output_format)));
  const std::optional<TimelineWindow> window = timeline_window(options, diagnostics);
  if (std::string error;
      options.decision_log && !parse_decision_kinds(*options.decision_log, error))
    diagnostics.error(Origin{"<cmdline>"}, "--decision-log: " + error);
  std::string measured_error;
  if (options.measured && !load_measured(*options.measured, measured_error)) {
    fmt::print(stderr, "{}{}\n", diagnostics.to_string(), measured_error);
    return kExitInput;
  }
  if (workload && options.fio_logs_ms)
    add_fio_plot_logs(*workload, Duration::ms(*options.fio_logs_ms));
  if (drive.valid) check_fit(drive, options, workload, diagnostics);
  const std::string name = fs::path(options.workload).filename().replace_extension().string();
  OutputDir out(options.output.value_or(fmt::format("out/{}-{}", drive.id, name)), diagnostics);
  if (!diagnostics.has_errors()) out.create(diagnostics);
  fmt::print(stderr, "{}", diagnostics.to_string());
  if (diagnostics.has_errors()) return kExitInput;
  try {
    return simulate(drive, options, *workload, window, out);
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "ftlsim: error: {}\n", error.what());
    return kExitInternal;
  }
}

}  // namespace ftlsim
