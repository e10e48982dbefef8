// How a trace is replayed: resolved, as the engine takes it.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/units.h"
#include "workloads/trace/trace_options.h"
#include "workloads/trace/trace_record.h"

namespace ftlsim {

// What to do with addresses past the end of the drive.
enum class AddressPolicy : uint8_t {
  kWrap,   // modulo the capacity; a request across the end goes on at 0
  kScale,  // all addresses are shrunk so that the trace's highest one fits
  kDrop,   // leave such records out
  kError,  // do not replay a trace that has them
};

enum class ReplayMode : uint8_t {
  kOpen,     // at the recorded times, as far as the depth allows
  kClosed,   // the next one when another completes; times count for the order alone
  kFioGaps,  // as fio replays: the recorded gap after the issue before, so that delays add up
};

struct ReplaySpec {
  std::string file;
  std::string format;  // empty: from the content
  TraceOptions options;
  std::string device;                           // only the records of this one; empty: all
  uint64_t time_scale_q32 = uint64_t{1} << 32;  // recorded times are multiplied by this over 2^32
  AddressPolicy address_policy = AddressPolicy::kWrap;
  uint64_t address_span = 0;  // kScale: bytes that become the drive's capacity
  ReplayMode mode = ReplayMode::kOpen;
  uint32_t iodepth = 256;  // requests in flight at most
  Duration runtime;        // nothing is issued after it; 0: the whole trace is
  // As fio has it for logs of larger drives: addresses are divided, then rounded down.
  uint64_t address_divisor = 1;           // 1 or more
  uint64_t address_align = 0;             // a power of two, or 0
  std::array<bool, kTraceOps> skip = {};  // records of these kinds are left out; their time passes
};

// A request in flight may become so many NVMe commands at most; larger records are cut up.
inline constexpr uint32_t kReplayPartsPerRequest = 8;

}  // namespace ftlsim
