#include "tools/trace/trace_source.h"

#include <fmt/format.h>

#include <utility>

#include "sim/config.h"
#include "workloads/trace/replay_load.h"

namespace ftlsim {
namespace {

TraceOptions content_options(const TraceSourceOptions& options, Diagnostics& diagnostics) {
  TraceOptions content;
  content.event = options.event == "Q"   ? BlockEvent::kQueue
                  : options.event == "C" ? BlockEvent::kComplete
                                         : BlockEvent::kIssue;
  content.wait = options.iolog_wait == "rel_us" ? IologWait::kRelativeUs : IologWait::kAbsoluteMs;
  content.lba_size = Bytes(options.lba_size);
  content.has_columns = !options.columns.empty();
  if (content.has_columns) load_config(options.columns, {}, content.columns, diagnostics);
  return content;
}

}  // namespace

TraceSource::TraceSource(std::unique_ptr<Trace> trace, const TraceSourceOptions& options)
    : trace_(std::move(trace)), options_(options), order_(trace_->reader().resolution().to_ns()) {
  if (!options_.device.empty()) device_ = trace_->devices().id_of(options_.device);
}

std::unique_ptr<TraceSource> TraceSource::open(const TraceSourceOptions& options,
                                               Diagnostics& diagnostics) {
  const TraceOptions content = content_options(options, diagnostics);
  if (diagnostics.has_errors()) return nullptr;
  std::string error;
  std::unique_ptr<Trace> trace = Trace::open(options.file, options.format, content, error);
  if (trace == nullptr) {
    diagnostics.error(Origin{options.file}, error);
    return nullptr;
  }
  return std::unique_ptr<TraceSource>(new TraceSource(std::move(trace), options));
}

bool TraceSource::next(TraceRecord& record) {
  while (order_.needs_input()) {
    TraceRecord read;
    if (!trace_->reader().next(read)) {
      order_.end();
    } else if (admit(read)) {
      order_.push(read);
    }
  }
  return order_.pop(record);
}

bool TraceSource::admit(const TraceRecord& record) {
  TraceReader& reader = trace_->reader();
  if (!options_.device.empty() && record.device != device_) {
    reader.tally().filtered.add("other device");
  } else if (record.op != TraceOp::kFlush && record.bytes == 0) {
    reader.reject_last("size of zero");
  } else if (record.offset > UINT64_MAX / 2 || record.bytes > UINT64_MAX / 4) {
    reader.reject_last("address or size out of range");
  } else {
    return true;
  }
  return false;
}

void TraceSource::report_nothing(Diagnostics& diagnostics) const {
  report_unusable(*trace_, options_.file, options_.device, Origin{options_.file}, diagnostics);
}

}  // namespace ftlsim
