// Fuzz target: tables of biosnoop.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  fuzz_trace(data, size, "biosnoop");
  return 0;
}
