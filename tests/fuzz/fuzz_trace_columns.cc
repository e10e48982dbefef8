// Fuzz target: every trace that is columns, and columns of the user.
#include "tests/fuzz/fuzz_trace.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ftlsim;
  for (const TraceFormatInfo& format : trace_formats()) fuzz_trace(data, size, format.name);
  TraceOptions options;
  options.has_columns = true;
  options.columns.header = true;
  options.columns.delimiter = Delimiter::kSemicolon;
  options.columns.time = "t";
  options.columns.latency = "l";
  options.columns.op = "2";
  options.columns.offset = "3";
  options.columns.offset_unit = Bytes(512);
  options.columns.size = "4";
  options.columns.device = "5";
  fuzz_trace(data, size, "csv", options);
  return 0;
}
