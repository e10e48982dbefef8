// The definitions of a vdbench parameter file: storage (SD), workload (WD) and run (RD), with
// their values read and their places kept, names not yet resolved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/diagnostics.h"
#include "workloads/access_spec.h"
#include "workloads/vdbench/vdb_syntax.h"
#include "workloads/vdbench/vdb_values.h"

namespace ftlsim {

// What `range=` or the lack of it says: percent of the storage up to 200, bytes above.
struct VdbRange {
  double low = 0;
  double high = 100;
  Origin origin;
};

struct VdbSync {
  bool direct = false;
  bool fua = false;  // o_sync, o_dsync: every write is on the medium before it completes
};

struct VdbSd {
  std::string name;
  Origin origin;
  std::string lun;
  Origin lun_origin;
  double size = 0;  // 0: the rest of the drive
  Origin size_origin;
  double offset = 0;
  double align = 0;
  double threads = 8;
  Origin threads_origin;
  std::optional<VdbRange> range;
  VdbSync sync;
};

struct VdbWd {
  std::string name;
  Origin origin;
  std::vector<std::string> sds;
  double skew = 0;  // 0: an equal part of the rest
  // One size, pairs of size and percent, or smallest, largest and step.
  std::vector<double> xfersize{4096};
  Origin xfersize_origin;
  double rdpct = 100;
  double seekpct = 100;
  bool ends = false;  // seekpct=eof
  std::optional<VdbRange> range;
  VdbSync sync;
};

// One of the values of `iorate`.
struct VdbRate {
  bool max = false;
  VdbNumber number;  // requests per second, or percent of what the last run reached
};

// Values that runs are repeated for.
enum class VdbLoopKey : uint8_t { kXfersize, kThreads, kRdpct, kSeekpct };
std::string_view name_of(VdbLoopKey key);
struct VdbLoop {
  VdbLoopKey key = VdbLoopKey::kThreads;
  std::vector<double> values;
  Origin origin;
};

struct VdbRd {
  std::string name;
  Origin origin;
  std::vector<std::string> wds;
  std::vector<std::string> sds;  // instead of those of the WDs
  std::vector<VdbRate> rates;
  Origin rates_origin;
  bool curve = false;
  std::vector<double> curve_points{10, 50, 70, 80, 90, 100};
  double elapsed = 30;
  double interval = 1;
  double warmup = 0;
  double pause = 0;
  Origin elapsed_origin;
  Arrivals arrivals = Arrivals::kExponential;
  double maxdata = 0;
  std::vector<VdbLoop> loops;  // the first is the outermost
  VdbSync sync;
};

struct VdbDefinitions {
  std::vector<VdbSd> sds;
  std::vector<VdbWd> wds;
  std::vector<VdbRd> rds;
};

// Reads the parameters of a file. Keywords may be cut short, to two characters or more, as in
// vdbench. Parameters that cannot matter give one note each, those that would matter and are not
// modelled are errors.
VdbDefinitions read_vdb_definitions(const std::vector<VdbParameter>& parameters,
                                    Diagnostics& diagnostics);

}  // namespace ftlsim
