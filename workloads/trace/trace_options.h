// What the user may have to say about the content of a trace.
#pragma once

#include <cstdint>

#include "sim/units.h"
#include "workloads/trace/columns.h"

namespace ftlsim {

// Which event of an I/O of blktrace and blkparse counts.
enum class BlockEvent : uint8_t { kQueue, kIssue, kComplete };

// What `wait` of a fio iolog of version 2 means: milliseconds since the start,
// as fio's code does it, or microseconds since the entry before, as its manual
// says.
enum class IologWait : uint8_t { kAbsoluteMs, kRelativeUs };

// What the content of a trace does not say.
struct TraceOptions {
  BlockEvent event = BlockEvent::kIssue;
  IologWait wait = IologWait::kAbsoluteMs;
  Bytes lba_size = Bytes(512);  // of the traced namespace: addresses of nvme_ftrace
  ColumnsConfig columns;        // of the format "csv"
  bool has_columns = false;     // the user gave them
};

}  // namespace ftlsim
