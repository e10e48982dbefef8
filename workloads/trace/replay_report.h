// What a replay did with its trace.
//
// Laws at the end: tally.balanced(), and completed == tally.issued.
#pragma once

#include <cstdint>
#include <string>

#include "sim/histogram.h"
#include "sim/units.h"
#include "workloads/trace/trace_tally.h"

namespace ftlsim {

struct ReplayReport {
  std::string file;
  std::string format;
  std::string packing;  // gzip, bzip2, zstd or empty
  TraceTally tally;
  uint64_t completed = 0;       // records
  uint64_t requests = 0;        // sent to the block layer: records may be cut up
  uint64_t moved = 0;           // records whose address the address policy has changed
  uint64_t rounded = 0;         // records widened to whole logical blocks
  uint64_t backward_steps = 0;  // records that were earlier than one before them
  uint64_t delayed = 0;         // of those, too far out of order to be sorted
  Duration recorded;            // from the first to the last record issued, scaled
  // How much later than its (scaled) time a request was issued. Not in closed mode.
  LatencyHistogram lateness;
  std::string error;  // why the trace could not be opened at all
};

}  // namespace ftlsim
