// Fuzz target: traces whose format is told from the content, plain or packed.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  fuzz_trace(data, size, "");
  return 0;
}
