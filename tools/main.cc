// The command line of ftlsim: names commands and options, and passes them on.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>

#include "ftl/config.h"
#include "sim/config.h"
#include "sim/config_schema.h"
#include "tools/compare/report_command.h"
#include "tools/explain/explain.h"
#include "tools/policies/policies.h"
#include "tools/run/run_command.h"
#include "tools/trace/trace_command.h"

namespace {

constexpr const char* kVersion = "ftlsim 0.1";

constexpr const char* kExitCodes =
    "Exit codes: 0 done, 1 internal error, 2 wrong input (every problem is printed), "
    "3 interrupted (the run directory is valid and marked incomplete)";

int print_schema() {
  ftlsim::DriveConfig config;
  fmt::print("{}\n", ftlsim::schema_of(config).dump(2));
  return ftlsim::kExitOk;
}

void add_overrides(CLI::App* command, std::vector<std::string>& overrides) {
  command->add_option("--set", overrides, "Changes a key of the drive: slc.mode=none")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

// What looks into a run.
void add_inspection(CLI::App* run_app, ftlsim::RunOptions& run) {
  CLI::Option* timeline =
      run_app
          ->add_flag("--timeline{}", run.timeline,
                     "Writes what dies, channels, cores and queues did, for ui.perfetto.dev "
                     "[timeline.json in the run directory]; a file is named with --timeline=FILE")
          ->type_name("[=FILE]");
  run_app
      ->add_option("--timeline-window", run.timeline_window,
                   "Its stretch of simulated time [0s,100ms]")
      ->type_name("START,LENGTH")
      ->needs(timeline);

  run_app
      ->add_flag(
          "--decision-log{}", run.decision_log,
          "Writes what policies saw and decided: decisions/*.csv in the run directory; "
          "--decision-log=KIND,... or =all chooses (slc_route, sched and map_victim must be named)")
      ->type_name("[=KINDS]");
  run_app
      ->add_option("--measured", run.measured,
                   "Lays a measured curve over the report: a CSV file with write_MBps and t_s or "
                   "written_GB")
      ->type_name("FILE.csv");
}

// A number that fits 64 bits: the conversion itself takes signs and cuts off what is too large.
std::string whole_number(const std::string& text) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && at == end) return "";
  return fmt::format("'{}' is no whole number from 0 to {}", text, UINT64_MAX);
}

void add_run_command(CLI::App& app, ftlsim::RunOptions& run) {
  CLI::App* run_app = app.add_subcommand("run", "Runs a workload on a drive");
  run_app->footer(kExitCodes);
  run_app->add_option("DRIVE", run.drive, "Name under configs/drives, or a .yaml file")->required();
  run_app
      ->add_option("WORKLOAD", run.workload,
                   "Name under configs/procedures, .yaml or .fio file, a trace, or FORMAT:TRACE")
      ->required();
  run_app
      ->add_option("--prepare", run.prepare,
                   "A workload that runs first, such as precondition; not in fio's results")
      ->type_name("WORKLOAD");
  run_app->add_option("-o,--output", run.output, "Run directory [out/DRIVE-WORKLOAD]")
      ->type_name("DIR");
  add_overrides(run_app, run.overrides);
  run_app->add_option("--seed", run.seed, "Seed of every random choice")
      ->capture_default_str()
      ->check(whole_number);

  run_app->add_option("--output-format", run.output_format,
                      "Prints fio's results instead of the table: normal, json, json+, terse");
  run_app
      ->add_option("--fio-logs", run.fio_logs_ms,
                   "Writes fio's log files of every job, one row per so many ms (0: per request)")
      ->type_name("MSEC")
      ->check(CLI::Range(0, 86'400'000));
  add_inspection(run_app, run);
}

CLI::App* add_report_command(CLI::App& app, ftlsim::ReportOptions& report) {
  CLI::App* report_app = app.add_subcommand(
      "report", "Compares runs on one page and in a table, or renders the report of one run again");
  report_app->footer(kExitCodes);
  report_app->add_option("RUN", report.runs, "Run directories, or LABEL=DIRECTORY")
      ->required()
      ->expected(1, -1);
  report_app
      ->add_option("-o,--output", report.output,
                   "The page [RUN/report.html of one run, out/comparison/report.html of several]")
      ->type_name("FILE.html");
  report_app
      ->add_option(
          "--measured", report.measured,
          "Lays a measured curve over it: a CSV file with write_MBps and t_s or written_GB")
      ->type_name("FILE.csv");
  report_app->add_flag("--json", report.json, "Prints the figures as JSON instead of the table");
  report_app->add_flag("--incomplete", report.incomplete, "Takes runs that were interrupted too");
  return report_app;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("A simulator of NVMe SSDs as their firmware sees them");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(0, 1);  // so that an unknown one is named as not expected
  app.footer(kExitCodes);

  ftlsim::RunOptions run;
  add_run_command(app, run);
  ftlsim::ReportOptions report;
  CLI::App* report_app = add_report_command(app, report);

  std::string explain_drive;
  std::vector<std::string> explain_overrides;
  CLI::App* explain_app =
      app.add_subcommand("explain", "Prints the derived figures of a drive, with their formulas");
  explain_app->add_option("DRIVE", explain_drive, "Name under configs/drives, or a .yaml file")
      ->required();
  add_overrides(explain_app, explain_overrides);

  int trace_exit = ftlsim::kExitOk;
  CLI::App* trace_app = ftlsim::add_trace_command(app, trace_exit);

  std::string policy;
  bool policies_markdown = false;
  CLI::App* policies_app =
      app.add_subcommand("policies", "Lists the policies that a drive file can name");
  policies_app->add_option("NAME", policy, "A decision (gc.victim) or a policy (gc.greedy)");
  policies_app->add_flag("--markdown", policies_markdown, "Prints the reference page");

  CLI::App* schema_app = app.add_subcommand("schema", "Prints the JSON Schema of drive files");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? ftlsim::kExitOk : ftlsim::kExitInput;
  }
  if (app.get_subcommands().empty()) {
    fmt::print(stderr, "error: a subcommand is missing\n{}", app.help());
    return ftlsim::kExitInput;
  }
  if (schema_app->parsed()) return print_schema();
  if (policies_app->parsed()) return ftlsim::policies_command(policy, policies_markdown);
  if (trace_app->parsed()) return trace_exit;
  if (report_app->parsed()) return ftlsim::report_command(report);
  if (explain_app->parsed())
    return ftlsim::explain_command(explain_drive, explain_overrides, run.seed);
  return ftlsim::run_command(run);
}
