// Fuzz target: the text of blkparse, for every event.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  TraceOptions options;
  for (const BlockEvent event : {BlockEvent::kQueue, BlockEvent::kIssue, BlockEvent::kComplete}) {
    options.event = event;
    fuzz_trace(data, size, "blkparse", options);
  }
  return 0;
}
