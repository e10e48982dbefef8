// Reads a trace from text in a test: all records, the counts and the format.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/trace/trace.h"

namespace ftlsim {

struct ReadTrace {
  explicit ReadTrace(std::string_view bytes, std::string_view name = {},
                     const TraceOptions& options = {}) {
    const std::unique_ptr<Trace> trace = Trace::of_memory(bytes, name, options, error);
    if (trace == nullptr) return;
    format = trace->format();
    packing = trace->input().packing();
    TraceRecord record;
    while (trace->reader().next(record)) {
      records.push_back(record);
      devices.emplace_back(trace->devices().name(record.device));
      ++trace->reader().tally().issued;
    }
    CHECK_FALSE(trace->reader().next(record));  // the end stays the end
    tally = trace->tally();
    CHECK(tally.balanced());
  }

  uint64_t rejected() const { return tally.rejected.total(); }
  uint64_t filtered() const { return tally.filtered.total(); }
  std::string_view first_reason() const {
    return tally.rejected.entries().empty() ? "" : tally.rejected.entries().front().reason;
  }

  std::string error;
  std::string format;
  std::string packing;
  std::vector<TraceRecord> records;
  std::vector<std::string> devices;
  TraceTally tally;
};

inline void check_record(const TraceRecord& r, int64_t ns, TraceOp op, uint64_t offset,
                         uint64_t bytes) {
  CHECK(r.time_ns == ns);
  CHECK(r.op == op);
  CHECK(r.offset == offset);
  CHECK(r.bytes == bytes);
}

}  // namespace ftlsim
