// Fuzz target: events of nvme_setup_cmd.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  TraceOptions options;
  options.lba_size = Bytes(4096);
  fuzz_trace(data, size, "nvme_ftrace", options);
  return 0;
}
