// What must hold for every trace, whatever its bytes, checked by the fuzz targets of the readers:
// every record is accounted for, and requests are whole logical blocks of the drive in order of
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sim/assert.h"
#include "workloads/trace/replay_stream.h"
#include "workloads/trace/trace.h"

namespace ftlsim {

inline void check_replay_of(std::string_view bytes, const ReplaySpec& spec) {
  constexpr uint64_t kMostRequests = 200'000;
  const DriveLimits drive{Bytes::mib(64), Bytes(4096), Bytes::kib(128)};
  std::string error;
  const std::unique_ptr<Trace> trace = Trace::of_memory(bytes, spec.format, spec.options, error);
  SIM_ASSERT((trace == nullptr) != error.empty(), "refused without a reason");
  if (trace == nullptr) return;
  ReplayStream stream(*trace, spec, drive);
  ReplayRequest request;
  Duration last;
  uint64_t requests = 0;
  while (requests < kMostRequests && stream.next(request)) {
    ++requests;
    SIM_ASSERT(request.due >= last && request.gap >= Duration{}, "time goes backwards");
    last = request.due;
    if (request.flush) continue;
    const uint64_t block = drive.lba_size.count();
    SIM_ASSERT(request.bytes > 0 && request.bytes % block == 0 && request.offset % block == 0 &&
                   request.offset + request.bytes <= drive.capacity.count(),
               "request {}+{}", request.offset, request.bytes);
  }
  stream.stop();
  SIM_ASSERT(trace->tally().balanced(), "{} records read, {} issued", trace->tally().read,
             trace->tally().issued);
}

// All address policies; `options`: what else the reader takes.
inline void fuzz_trace(const uint8_t* data, size_t size, std::string_view format,
                       const TraceOptions& options = {}) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ReplaySpec spec;
  spec.format = format;
  spec.options = options;
  check_replay_of(bytes, spec);
  spec.address_policy = AddressPolicy::kScale;
  spec.address_span = uint64_t{1} << 40;
  spec.time_scale_q32 = uint64_t{1} << 40;
  check_replay_of(bytes, spec);
  spec.address_policy = AddressPolicy::kDrop;
  spec.device = "0";
  check_replay_of(bytes, spec);
}

}  // namespace ftlsim
