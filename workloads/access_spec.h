// Access specifications: requests of a job that are drawn one by one from a weighted list of lines,
// as vdbench and Iometer have it. fio's jobs have patterns instead (see SyntheticSource).
//
// All threads of such a job take their requests from one source.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/units.h"

namespace ftlsim {

// Shares and percentages in parts per million, so that a third of the requests is one.
inline constexpr uint32_t kMillion = 1'000'000;

struct AccessSize {
  Bytes size;
  uint32_t share = kMillion;
};

// One kind of request.
struct AccessLine {
  uint32_t share = kMillion;  // of the job's requests; relative to the other lines
  std::vector<AccessSize> sizes;
  // Instead, if not 0: sizes uniform in [sizes[0], size_max] in steps of `size_step`.
  Bytes size_max;
  Bytes size_step;
  uint32_t reads = kMillion;
  uint32_t random = kMillion;  // the others go on where the last request of the stream ended
  // Multiple that places start at, counted from the region for random ones unless `align_all`,
  // which moves every request up to a multiple counted from the start of the drive. 0: random
  // requests lie on multiples of their own size, the others where they come to lie.
  Bytes align;
  bool align_all = false;
  Bytes offset;         // of the region that the line works on
  Bytes length;         // its length
  uint32_t stream = 0;  // lines of one stream share the place where the last request ended
  bool ends = false;    // the line is used up at the end of its region, else it starts again
  Duration delay;       // before each burst
  uint32_t burst = 1;   // requests of one line in a row
};

enum class Arrivals : uint8_t { kExponential, kUniform, kRegular };

struct AccessSpec {
  std::vector<AccessLine> lines;  // none: the job has no access specification
  // Requests per second of the job, in thousandths; 0: as fast as they complete.
  uint64_t rate_milli = 0;
  // Instead, of the rate of the phase (see PhaseSpec::load), the job's share.
  uint32_t rate_share = 0;
  Arrivals arrivals = Arrivals::kExponential;

  bool any() const { return !lines.empty(); }
};

}  // namespace ftlsim
