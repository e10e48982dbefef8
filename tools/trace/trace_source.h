// A trace as the subcommands of `ftlsim trace` read it: opened by the user's options, filtered by
// device, in the order of time, with every record accounted for.
#pragma once

#include <memory>
#include <string>

#include "sim/diagnostics.h"
#include "workloads/trace/trace.h"
#include "workloads/trace/trace_order.h"

namespace ftlsim {

struct TraceSourceOptions {
  std::string file;
  std::string format;
  std::string columns;  // YAML file with a column map
  std::string device;
  std::string event = "D";
  std::string iolog_wait = "abs_ms";
  uint64_t lba_size = 512;
};

class TraceSource {
 public:
  // Nothing if there was an error.
  static std::unique_ptr<TraceSource> open(const TraceSourceOptions& options,
                                           Diagnostics& diagnostics);

  // The next record that is usable, in the order of time; a flush has no size. The caller counts it
  // as issued, as left out or as rejected in tally(). False at the end.
  bool next(TraceRecord& record);

  Trace& trace() { return *trace_; }
  const Trace& trace() const { return *trace_; }
  TraceTally& tally() { return trace_->reader().tally(); }
  const TraceOrder& order() const { return order_; }
  const TraceSourceOptions& options() const { return options_; }

  // Adds an error for a trace of which nothing was usable, with its first rejected lines.
  void report_nothing(Diagnostics& diagnostics) const;

 private:
  TraceSource(std::unique_ptr<Trace> trace, const TraceSourceOptions& options);
  bool admit(const TraceRecord& record);

  std::unique_ptr<Trace> trace_;
  TraceSourceOptions options_;
  TraceOrder order_;
  uint32_t device_ = 0;
};

}  // namespace ftlsim
