// Fuzz target: vdbench parameter files. Any bytes give diagnostics or a workload that is sound on
// the drive.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tests/fuzz/fuzz_workload.h"
#include "workloads/vdbench/vdbench.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  const DriveLimits drive{Bytes(1'000'204'886'016), Bytes(512), Bytes::kib(128)};
  Diagnostics diagnostics;
  const std::optional<Workload> workload =
      parse_vdbench(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz", "fuzz",
                    drive, diagnostics);
  SIM_ASSERT(workload.has_value() != diagnostics.has_errors(), "refused without a reason");
  if (workload) check_workload(*workload, drive);
  return 0;
}
