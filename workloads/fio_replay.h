// Jobs of a job file that replay a log (read_iolog).
#pragma once

#include <filesystem>
#include <optional>

#include "sim/diagnostics.h"
#include "workloads/drive_limits.h"
#include "workloads/fio_draft.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// The phase that replays the log of `draft`, with the gaps of fio. `folder` is where a relative
// path is looked up first; without one, or if there is no such file, it counts from the working
// directory. Nothing if there was an error: the log cannot be used, or the draft has options that
// are not modelled of a replay, each of which is named.
std::optional<PhaseSpec> fio_replay(const FioDraft& draft,
                                    const std::optional<std::filesystem::path>& folder,
                                    const DriveLimits& drive, Diagnostics& diagnostics);

}  // namespace ftlsim
