// Checks a replay before it runs: the trace opens, its format is known, and something of it can be
// issued on the drive.
#pragma once

#include <optional>
#include <string>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/job_spec.h"
#include "workloads/trace/replay_config.h"
#include "workloads/trace/replay_spec.h"
#include "workloads/trace/trace.h"
#include "workloads/trace/trace_tally.h"

namespace ftlsim {

// Reads as much of the trace as it takes: up to the first record that can be issued, or the whole
// one where the address policy must know all addresses (`scale` without a span, `error`). Fills in
// `format` and `address_span`. Every reason against it is an error, at `where` or at a line of the
// trace. True if there is none.
bool check_replay(ReplaySpec& spec, const DriveLimits& drive, const Origin& where,
                  Diagnostics& diagnostics);

// A workload of one phase that replays a trace with the defaults. `path_or_name` is a path, or a
// format, a colon and a path. Nothing if there was an error.
std::optional<Workload> load_trace(const std::string& path_or_name, const DriveLimits& drive,
                                   Diagnostics& diagnostics);

// Whether `path_or_name` names an existing file, with or without a format before a colon.
bool names_trace(const std::string& path_or_name);

// Adds an error that says why nothing of a trace was usable, and one for each of the first rejected
// lines. `device`: the one that was asked for, or empty.
void report_unusable(const Trace& trace, const std::string& file, const std::string& device,
                     const Origin& where, Diagnostics& diagnostics);

// "3 of other device, 2 of ...": for messages.
std::string reasons_text(const ReasonCounts& counts);

}  // namespace ftlsim
