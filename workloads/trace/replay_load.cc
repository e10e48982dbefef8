#include "workloads/trace/replay_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "workloads/trace/replay_stream.h"
#include "workloads/trace/trace.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<Trace> open_trace(const ReplaySpec& spec, std::string& error) {
  return Trace::open(spec.file, spec.format, spec.options, error);
}

// The first rejected records, each at its line.
void report_examples(const TraceTally& tally, const std::string& file, Diagnostics& diagnostics) {
  for (const RejectedRecord& r : tally.examples()) {
    const bool fits = r.line <= static_cast<uint64_t>(INT32_MAX);
    const std::string text = r.length > 0 ? fmt::format(": {}", quote(r.start())) : "";
    diagnostics.error(Origin{file, fits ? static_cast<int>(r.line) : 0},
                      fmt::format("{}{}", r.reason, text));
  }
}

// One past the highest byte that the trace addresses.
uint64_t span_of(Trace& trace, const std::string& device) {
  const bool all = device.empty();
  const uint32_t id = all ? 0 : trace.devices().id_of(device);
  uint64_t span = 0;
  TraceRecord record;
  while (trace.reader().next(record)) {
    if ((!all && record.device != id) || record.offset > UINT64_MAX / 2) continue;
    if (record.bytes <= UINT64_MAX / 2) span = std::max(span, record.offset + record.bytes);
  }
  return span;
}

std::string devices_text(const Trace& trace, const std::string& asked) {
  constexpr size_t kShown = 8;
  std::string text;
  size_t shown = 0;
  const DeviceNames& names = trace.devices();
  for (uint32_t i = 0; i < names.size() && shown < kShown; ++i) {
    if (names.name(i) == asked) continue;
    text += fmt::format("{}{}", shown == 0 ? "" : ", ", quote(names.name(i)));
    ++shown;
  }
  return text.empty() ? "" : fmt::format("; it has the devices {}", text);
}

}  // namespace

std::string reasons_text(const ReasonCounts& counts) {
  std::string text;
  for (const ReasonCounts::Entry& e : counts.entries())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", e.reason, e.count);
  return text.empty() ? "" : fmt::format(" ({})", text);
}

void report_unusable(const Trace& trace, const std::string& file, const std::string& device,
                     const Origin& where, Diagnostics& diagnostics) {
  const TraceTally& tally = trace.tally();
  std::string why = "it holds no records";
  if (tally.read > 0) {
    why = fmt::format("{} records read, {} left out{}, {} rejected{}", tally.read,
                      tally.filtered.total(), reasons_text(tally.filtered), tally.rejected.total(),
                      reasons_text(tally.rejected));
    if (!device.empty()) why += devices_text(trace, device);
    const auto other_event = [](const ReasonCounts::Entry& e) {
      return e.reason.starts_with("event ");
    };
    if (std::any_of(tally.filtered.entries().begin(), tally.filtered.entries().end(), other_event))
      why += "; name the event that counts (--event, or the key 'event')";
  }
  diagnostics.error(where, fmt::format("nothing of the trace {} ({}) is usable: {}", quote(file),
                                       trace.format(), why));
  report_examples(tally, file, diagnostics);
}

bool check_replay(ReplaySpec& spec, const DriveLimits& drive, const Origin& where,
                  Diagnostics& diagnostics) {
  std::string error;
  std::unique_ptr<Trace> trace = open_trace(spec, error);
  if (trace == nullptr) {
    diagnostics.error(where, error);
    return false;
  }
  spec.format = trace->format();
  if (spec.address_policy == AddressPolicy::kScale && spec.address_span == 0) {
    spec.address_span = span_of(*trace, spec.device);
    trace = open_trace(spec, error);
    if (trace == nullptr) {
      diagnostics.error(where, error);
      return false;
    }
  }
  ReplayStream stream(*trace, spec, drive);
  ReplayRequest request;
  const bool whole = spec.address_policy == AddressPolicy::kError;
  bool any = false;
  while (stream.next(request)) {
    any = true;
    if (!whole) break;
  }
  if (!any) {
    report_unusable(*trace, spec.file, spec.device, where, diagnostics);
    return false;
  }
  uint64_t outside = 0;
  for (const ReasonCounts::Entry& e : trace->tally().rejected.entries())
    if (e.reason == kPastTheEndOfDrive) outside = e.count;
  if (whole && outside > 0) {
    diagnostics.error(where, fmt::format("{} records of the trace {} lie past the end of the drive "
                                         "(see address_policy, or replay_scale of a fio job)",
                                         outside, quote(spec.file)));
    report_examples(trace->tally(), spec.file, diagnostics);
    return false;
  }
  return true;
}

bool names_trace(const std::string& path_or_name) {
  std::error_code error;
  if (fs::exists(path_or_name, error)) return true;
  const size_t colon = path_or_name.find(':');
  return colon != std::string::npos && is_trace_format(path_or_name.substr(0, colon));
}

std::optional<Workload> load_trace(const std::string& path_or_name, const DriveLimits& drive,
                                   Diagnostics& diagnostics) {
  PhaseSpec phase;
  phase.name = phase.kind = "replay";
  phase.action = PhaseAction::kReplay;
  ReplaySpec& spec = phase.replay.emplace();
  spec.file = path_or_name;
  const size_t colon = path_or_name.find(':');
  std::error_code error;
  if (colon != std::string::npos && !fs::exists(path_or_name, error)) {
    spec.format = path_or_name.substr(0, colon);
    spec.file = path_or_name.substr(colon + 1);
  }
  if (!check_replay(spec, drive, Origin{spec.file}, diagnostics)) return std::nullopt;
  Workload workload;
  workload.name = fs::path(spec.file).stem().string();
  workload.phases.push_back(std::move(phase));
  return workload;
}

}  // namespace ftlsim
