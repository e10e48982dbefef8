#include "tools/run/run_table.h"

#include <fmt/format.h>

#include <iterator>

#include "tools/report/course.h"
#include "tools/run/cold_figures.h"
#include "tools/run/numbers.h"
#include "tools/trace/replay_result.h"

namespace ftlsim {
namespace {

// Samples of a phase that is long enough to show the end of its SLC segment: 4 s.
constexpr size_t kShortest = 40;

void append_phase(std::string& out, const PhaseRecord& phase) {
  const double waf = write_amplification(phase.programmed_slots, phase[Direction::kWrite].bytes);
  bool first = true;
  for (const Direction d : kAllDirections) {
    const DirectionResult& r = phase[d];
    if (r.completed == 0) continue;
    const LatencyHistogram& h = r.latency;
    const auto us = [&h](double percent) {
      return static_cast<double>(h.percentile(percent)) / 1e3;
    };
    fmt::format_to(std::back_inserter(out),
                   "{:<20.20} {:>10.1f} {:<5} {:>9.2f} {:>8.0f} {:>9.0f} {:>6} {:>9.1f} {:>9.1f} "
                   "{:>9.1f}\n",
                   first ? phase.name : "", seconds(phase.duration()), name_of(d),
                   static_cast<double>(r.bytes) * 1e-9, mb_per_s(r.bytes, phase.duration()),
                   rounded(static_cast<unsigned __int128>(r.completed) * 1'000'000'000,
                           static_cast<unsigned __int128>(phase.duration().to_ns()), 0),
                   d == Direction::kWrite ? fmt::format("{:.3f}", waf) : "", us(50), us(99),
                   us(99.9));
    first = false;
  }
  if (first)
    fmt::format_to(std::back_inserter(out), "{:<20.20} {:>10.1f} {:<5}\n", phase.name,
                   seconds(phase.duration()), phase.kind);
  if (phase.replay) out += replay_text(*phase.replay);
  if (phase.placement && phase.placement->windows != 0) out += placement_text(*phase.placement);
  if (phase.speed) out += speed_text(*phase.speed);
  if (phase.age && phase.age->windows != 0) out += age_text(*phase.age, *phase.retries);
}

void append_segments(std::string& out, const Recorder& recorder, const RunData& run) {
  const std::vector<PhaseSpan> spans = find_phases(run.series, run.summary);
  for (const SlcSegment& s : find_slc_segments(run.series, spans)) {
    const std::string& name = spans[s.span].name;
    if (spans[s.span].kind != "write" || spans[s.span].end - spans[s.span].first < kShortest)
      continue;
    const int phase = spans[s.span].summary_index;
    const bool of_ramp = phase >= 0 && recorder.phases()[static_cast<size_t>(phase)].load;
    if (of_ramp && !s.has_drop) continue;  // one for every load would say nothing
    const std::string after = s.after_MBps > 0 ? fmt::format("{:.0f}", s.after_MBps) : "-";
    if (s.slc_limit_GB <= 0) continue;  // there is no cache
    if (s.has_drop) {
      fmt::format_to(std::back_inserter(out),
                     "SLC segment of {}: {:.1f} GB at {:.0f} MB/s in {:.1f} s, then {} MB/s "
                     "(limit at start {:.1f} GB)\n",
                     name, s.written_GB, s.rate_MBps, s.duration_s, after, s.slc_limit_GB);
    } else {
      fmt::format_to(std::back_inserter(out),
                     "SLC segment of {}: no drop; {:.1f} GB at {:.0f} MB/s\n", name, s.written_GB,
                     s.mean_MBps);
    }
  }
}

void append_waf(std::string& out, const nlohmann::ordered_json& summary) {
  fmt::format_to(std::back_inserter(out),
                 "write amplification {:.3f} =", summary["waf"].get<double>());
  bool first = true;
  for (const auto& [cause, value] : summary["waf_by_cause"].items()) {
    if (value.get<double>() == 0) continue;
    fmt::format_to(std::back_inserter(out), "{} {:.3f} {}", first ? "" : " +", value.get<double>(),
                   cause);
    first = false;
  }
  out += first ? " 0\n" : "\n";
}

void append_energy(std::string& out, const nlohmann::ordered_json& summary) {
  if (!summary.contains("energy")) return;
  const nlohmann::ordered_json& e = summary["energy"];
  const auto value = [](const nlohmann::ordered_json& json) { return json.get<double>(); };
  fmt::format_to(std::back_inserter(out),
                 "energy {:.1f} J, mean {:.3f} W, {:.2f} J/GB:", value(e["joules"]),
                 value(e["mean_W"]), value(e["J_per_GB"]));
  for (const auto& [name, joules] : e["by_consumer"].items())
    if (value(joules) > 0)
      fmt::format_to(std::back_inserter(out), " {} {:.1f}", name, value(joules));
  out += '\n';
  if (!e.contains("temperature")) return;
  const nlohmann::ordered_json& t = e["temperature"];
  fmt::format_to(std::back_inserter(out),
                 "hottest {:.1f} C composite, {:.1f} C controller, {:.1f} C NAND; throttled {:.1f} "
                 "s, stopped {:.1f} s\n",
                 value(t["hottest"]["composite_C"]), value(t["hottest"]["controller_C"]),
                 value(t["hottest"]["nand_C"]), value(e["throttled_s"]), value(e["stopped_s"]));
}

// Commands that failed, whatever the drive; and how the medium's reads ended, if they can fail.
void append_errors(std::string& out, const Recorder& recorder,
                   const nlohmann::ordered_json& summary) {
  uint64_t errors = 0;
  for (const PhaseRecord& phase : recorder.phases()) errors += phase.errors();
  const auto at = summary.find("reliability");
  if (at != summary.end()) {
    const auto& reads = at->at("reads");
    const auto percent = [&reads](const char* key) {
      const auto total = reads.at("total").get<uint64_t>();
      return total == 0 ? 0.0 : 100.0 * reads.at(key).get<double>() / static_cast<double>(total);
    };
    fmt::format_to(std::back_inserter(out),
                   "flash reads: {} = {:.4g} % at once + {:.4g} % after retries + {:.4g} % soft + "
                   "{:.4g} % uncorrectable; {:.4g} retries per page; age {:.4g} d at 25 C\n",
                   reads.at("total").get<uint64_t>(), percent("first_ok"), percent("retried"),
                   percent("soft"), percent("uncorrectable"),
                   at->at("mean_retries_per_page").get<double>(), at->at("age_days").get<double>());
    if (const auto rebuild = at->find("rebuild"); rebuild != at->end())
      fmt::format_to(std::back_inserter(out),
                     "lost pages: {} rebuilt from parity with {} reads, {} not\n",
                     rebuild->at("pages").get<uint64_t>(), rebuild->at("reads").get<uint64_t>(),
                     rebuild->at("failed").get<uint64_t>());
    const auto failed = at->at("host_errors").get<uint64_t>();
    if (failed != 0)
      fmt::format_to(
          std::back_inserter(out),
          "UNRECOVERED READS: {} NVMe commands ended with status 02h/81h; {} slots of the "
          "medium are lost\n",
          failed, at->at("lost_slots").get<uint64_t>());
  }
  if (errors != 0)
    fmt::format_to(std::back_inserter(out), "errors: {} NVMe commands ended with an error\n",
                   errors);
}

}  // namespace

std::string run_table(const RunFacts& facts, const Recorder& recorder, const RunData& run,
                      const std::vector<HoldSeries>& holds) {
  std::string out =
      fmt::format("{:<20} {:>10} {:<5} {:>9} {:>8} {:>9} {:>6} {:>9} {:>9} {:>9}\n", "phase",
                  "time s", "", "GB", "MB/s", "IOPS", "WAF", "p50 us", "p99 us", "p99.9 us");
  for (const PhaseRecord& phase : recorder.phases()) append_phase(out, phase);
  out += load_tables_text(recorder.loads());
  out += rounds_text(recorder);
  out += holds_text(holds);
  if (holds.empty()) append_segments(out, recorder, run);
  append_waf(out, run.summary);
  append_energy(out, run.summary);
  append_errors(out, recorder, run.summary);
  const auto commands = static_cast<double>(recorder.commands());
  const auto events = static_cast<double>(facts.events);
  fmt::format_to(
      std::back_inserter(out),
      "{:.1f} s simulated in {:.2f} s: {:.0f} k commands/s, {:.2f} events per command, {:.2f} M "
      "events/s; peak memory {:.0f} MB\n"
      "fingerprint {:016x}{}\n",
      seconds(facts.end - Time()), facts.wall_s,
      facts.wall_s > 0 ? commands / facts.wall_s * 1e-3 : 0, commands > 0 ? events / commands : 0,
      facts.wall_s > 0 ? events / facts.wall_s * 1e-6 : 0,
      static_cast<double>(facts.peak_rss_bytes) * 1e-6, facts.fingerprint,
      facts.complete ? "" : "  (interrupted: not complete)");
  return out;
}

}  // namespace ftlsim
