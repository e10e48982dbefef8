// One I/O of a trace, in the units of the simulator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ftlsim {

enum class TraceOp : uint8_t { kRead, kWrite, kTrim, kFlush };
inline constexpr size_t kTraceOps = 4;
constexpr std::string_view name_of(TraceOp op) {
  constexpr std::string_view kNames[kTraceOps] = {"read", "write", "trim", "flush"};
  return kNames[static_cast<size_t>(op)];
}

// The latest time that a reader gives: readers can add and subtract such times without overflow.
inline constexpr int64_t kMaxTraceNs = INT64_MAX / 3;

struct TraceRecord {
  int64_t time_ns = 0;  // when it was issued, counted from the trace's own epoch
  uint64_t offset = 0;  // bytes; not aligned to anything
  uint64_t bytes = 0;   // 0 for a flush, and for what the trace gives no size of
  uint32_t device = 0;  // index into the trace's DeviceNames
  TraceOp op = TraceOp::kRead;
  bool fua = false;
};

}  // namespace ftlsim
