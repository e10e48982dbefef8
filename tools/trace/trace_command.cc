#include "tools/trace/trace_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "tools/run/run_command.h"
#include "tools/trace/trace_convert.h"
#include "tools/trace/trace_source.h"
#include "tools/trace/trace_statistics.h"
#include "workloads/trace/replay_load.h"

namespace ftlsim {
namespace {

struct Options {
  TraceSourceOptions source;
  std::string out;
  std::string to;
  std::string target;
};

int fail(const Diagnostics& diagnostics) {
  fmt::print(stderr, "{}", diagnostics.to_string());
  return kExitInput;
}

// Says that a trace ends where it cannot be read any further.
bool damaged(const Options& options, const TraceTally& tally) {
  if (!tally.damaged) return false;
  fmt::print(stderr,
             "{}: error: the file is damaged or cut off: what follows record {} is missing; get it "
             "anew\n",
             options.source.file, tally.read - 1);
  return true;
}

int info(const Options& options) {
  Diagnostics diagnostics;
  const std::unique_ptr<TraceSource> source = TraceSource::open(options.source, diagnostics);
  if (source == nullptr) return fail(diagnostics);
  TraceStatistics statistics;
  TraceRecord record;
  while (source->next(record)) {
    statistics.add(record);
    ++source->tally().issued;
  }
  if (statistics.records() == 0) {
    source->report_nothing(diagnostics);
    return fail(diagnostics);
  }
  fmt::print("{}", statistics.text(*source));
  return damaged(options, source->tally()) ? kExitInput : kExitOk;
}

int convert(const Options& options) {
  Diagnostics diagnostics;
  std::error_code ignored;
  if (std::filesystem::equivalent(options.source.file, options.out, ignored))
    diagnostics.error(Origin{options.out}, "the output is the trace itself");
  const std::unique_ptr<TraceSource> source = TraceSource::open(options.source, diagnostics);
  if (source == nullptr || diagnostics.has_errors()) return fail(diagnostics);
  const std::unique_ptr<TraceWriter> writer = make_trace_writer(options.to, options.target);
  std::string error;
  if (!convert_trace(*source, *writer, options.out, error)) {
    fmt::print(stderr, "ftlsim: error: {}\n", error);
    return kExitInput;
  }
  const TraceTally& tally = source->tally();
  if (tally.issued == 0) {
    source->report_nothing(diagnostics);
    return fail(diagnostics);
  }
  fmt::print("{}: {} records read = {} written + {} left out{} + {} rejected{}\n", options.out,
             tally.read, tally.issued, tally.filtered.total(), reasons_text(tally.filtered),
             tally.rejected.total(), reasons_text(tally.rejected));
  if (const std::string note = writer->note(); !note.empty())
    fmt::print(stderr, "{}: note: {}\n", options.out, note);
  return damaged(options, tally) ? kExitInput : kExitOk;
}

void add_source_options(CLI::App* command, TraceSourceOptions& options) {
  std::string formats;
  for (const TraceFormatInfo& f : trace_formats())
    formats += fmt::format("{}{}", formats.empty() ? "" : " ", f.name);
  command->add_option("--format", options.format, "Format, else from the content: " + formats);
  command->add_option("--columns", options.columns, "YAML file with the columns of a CSV")
      ->type_name("FILE");
  command->add_option("--device", options.device, "Only the records of this device");
  command->add_option("--event", options.event, "Which event counts in blktrace and blkparse")
      ->check(CLI::IsMember({"Q", "D", "C"}))
      ->capture_default_str();
  command->add_option("--iolog-wait", options.iolog_wait, "What 'wait' means in a fio iolog 2")
      ->check(CLI::IsMember({"abs_ms", "rel_us"}))
      ->capture_default_str();
  command->add_option("--lba-size", options.lba_size, "Logical block of an nvme_ftrace trace")
      ->check(CLI::Range(uint64_t{512}, uint64_t{65536}))
      ->capture_default_str();
}

}  // namespace

CLI::App* add_trace_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<Options>();
  CLI::App* trace = app.add_subcommand("trace", "Looks into a block trace, or converts it");
  trace->require_subcommand(1);

  CLI::App* info_app = trace->add_subcommand("info", "Prints what a trace holds");
  info_app->add_option("FILE", options->source.file, "Trace, plain or packed")->required();
  add_source_options(info_app, options->source);
  info_app->callback([options, &exit_code] { exit_code = info(*options); });

  CLI::App* convert_app = trace->add_subcommand("convert", "Writes a trace in another format");
  convert_app->add_option("IN", options->source.file, "Trace, plain or packed")->required();
  convert_app->add_option("OUT", options->out, "File to write")->required();
  convert_app->add_option("--to", options->to, "Format to write: fio3, mqsim or csv")
      ->required()
      ->check(CLI::IsMember({"fio3", "mqsim", "csv"}));
  convert_app->add_option("--target", options->target,
                          "File or device that all records go to; else one per device");
  add_source_options(convert_app, options->source);
  convert_app->callback([options, &exit_code] { exit_code = convert(*options); });
  return trace;
}

}  // namespace ftlsim
