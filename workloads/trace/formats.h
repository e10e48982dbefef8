// The formats with code of their own, for the table in trace_formats.cc.
#pragma once

#include <memory>

#include "workloads/trace/trace_reader.h"

namespace ftlsim {

std::unique_ptr<LineFormat> make_fio_iolog(const TraceOptions& options);
std::unique_ptr<LineFormat> make_blkparse(const TraceOptions& options);
std::unique_ptr<LineFormat> make_biosnoop();
std::unique_ptr<LineFormat> make_nvme_ftrace(const TraceOptions& options);
std::unique_ptr<LineFormat> make_etw_xperf();
std::unique_ptr<LineFormat> make_etw_wpa();

std::unique_ptr<TraceReader> make_blktrace_reader(const TraceOptions& options, TraceInput& input,
                                                  DeviceNames& devices, TraceTally& tally);
std::unique_ptr<TraceReader> make_vscsi_reader(TraceInput& input, DeviceNames& devices,
                                               TraceTally& tally);

// Why an event of blktrace or blkparse is left out: "event Q", ...
std::string_view event_reason(char action);

}  // namespace ftlsim
