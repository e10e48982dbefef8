// Fuzz target: fio iologs of both versions.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  TraceOptions options;
  fuzz_trace(data, size, "fio3", options);
  options.wait = IologWait::kRelativeUs;
  fuzz_trace(data, size, "fio2", options);
  return 0;
}
