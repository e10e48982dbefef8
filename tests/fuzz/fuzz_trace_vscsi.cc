// Fuzz target: binary traces of virtual disks.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  fuzz_trace(data, size, "vscsi");
  return 0;
}
