#include "tools/trace/replay_result.h"

#include <fmt/format.h>

#include <iterator>

#include "sim/diagnostics.h"
#include "workloads/trace/replay_load.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

double as_microseconds(int64_t ns) { return static_cast<double>(ns) / 1000.0; }

Json reasons_json(const ReasonCounts& counts) {
  Json out = Json::object();
  out["total"] = counts.total();
  for (const ReasonCounts::Entry& e : counts.entries())
    out["reasons"][std::string(e.reason)] = e.count;
  return out;
}

// Bytes of a trace that are no UTF-8 text must not break the JSON: quote() leaves control
// characters out, what is not ASCII goes as well.
std::string ascii(std::string_view text) {
  std::string out = quote(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  return out;
}

Json examples_json(const TraceTally& tally) {
  Json out = Json::array();
  for (const RejectedRecord& r : tally.examples())
    out.push_back({{"line", r.line}, {"reason", r.reason}, {"text", ascii(r.start())}});
  return out;
}

}  // namespace

Json replay_json(const ReplayReport& r) {
  Json out = Json::object();
  out["file"] = r.file;
  out["format"] = r.format;
  out["packing"] = r.packing;
  if (!r.error.empty()) out["error"] = r.error;
  out["read"] = r.tally.read;
  out["issued"] = r.tally.issued;
  out["completed"] = r.completed;
  out["left_out"] = reasons_json(r.tally.filtered);
  out["rejected"] = reasons_json(r.tally.rejected);
  out["first_rejected"] = examples_json(r.tally);
  out["requests"] = r.requests;
  out["moved"] = r.moved;
  out["rounded"] = r.rounded;
  out["earlier_than_before"] = r.backward_steps;
  out["not_sorted"] = r.delayed;
  out["recorded_s"] = static_cast<double>(r.recorded.to_ns()) * 1e-9;
  const LatencyHistogram& late = r.lateness;
  if (late.count() > 0)
    out["lateness_us"] = {{"p50", as_microseconds(late.percentile(50))},
                          {"p99", as_microseconds(late.percentile(99))},
                          {"p99_9", as_microseconds(late.percentile(99.9))},
                          {"max", as_microseconds(late.max_ns())}};
  return out;
}

std::string replay_text(const ReplayReport& r) {
  if (!r.error.empty()) return fmt::format("trace: {}\n", r.error);
  std::string out = fmt::format(
      "trace {} ({}): {} records read = {} issued + {} left out{} + {} rejected{}; {} completed\n",
      r.file, r.format, r.tally.read, r.tally.issued, r.tally.filtered.total(),
      reasons_text(r.tally.filtered), r.tally.rejected.total(), reasons_text(r.tally.rejected),
      r.completed);
  for (const RejectedRecord& e : r.tally.examples())
    fmt::format_to(std::back_inserter(out), "  line {}: {}\n", e.line, e.reason);
  if (r.moved + r.rounded + r.delayed > 0)
    fmt::format_to(std::back_inserter(out),
                   "  {} addresses moved onto the drive, {} records widened to whole blocks, {} "
                   "too far out of order\n",
                   r.moved, r.rounded, r.delayed);
  if (r.lateness.count() > 0)
    fmt::format_to(
        std::back_inserter(out),
        "  recorded {:.3f} s; lateness p50 {:.1f} us, p99 {:.1f} us, max {:.1f} us\n",
        static_cast<double>(r.recorded.to_ns()) * 1e-9, as_microseconds(r.lateness.percentile(50)),
        as_microseconds(r.lateness.percentile(99)), as_microseconds(r.lateness.max_ns()));
  return out;
}

}  // namespace ftlsim
