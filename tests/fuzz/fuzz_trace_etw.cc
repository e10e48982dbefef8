// Fuzz target: both forms of Windows ETW.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  fuzz_trace(data, size, "etw_xperf");
  fuzz_trace(data, size, "etw_wpa");
  return 0;
}
