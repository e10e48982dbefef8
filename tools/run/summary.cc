#include "tools/run/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

#include "tools/run/cold_figures.h"
#include "tools/run/energy_summary.h"
#include "tools/run/numbers.h"
#include "tools/run/reliability_json.h"
#include "tools/run/wear.h"
#include "tools/trace/replay_result.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

double microseconds(int64_t ns) { return static_cast<double>(ns) / 1000.0; }

Json latency_json(const LatencyHistogram& h) {
  Json out = Json::object();
  out["min"] = microseconds(h.min_ns());
  out["mean"] = rounded(h.sum_ns(), static_cast<unsigned __int128>(h.count()) * 1000, 3);
  out["p50"] = microseconds(h.percentile(50));
  out["p90"] = microseconds(h.percentile(90));
  out["p99"] = microseconds(h.percentile(99));
  out["p99_9"] = microseconds(h.percentile(99.9));
  out["p99_99"] = microseconds(h.percentile(99.99));
  out["max"] = microseconds(h.max_ns());
  return out;
}

double per_second(uint64_t count, Duration span) {
  return rounded(static_cast<unsigned __int128>(count) * 1'000'000'000,
                 static_cast<unsigned __int128>(span.to_ns()), 1);
}

Json direction_json(const DirectionResult& d, Duration span) {
  Json out = Json::object();
  out["commands"] = d.completed;
  out["bytes"] = d.bytes;
  out["MBps"] = mb_per_s(d.bytes, span);
  out["iops"] = per_second(d.completed, span);
  out["latency_us"] = latency_json(d.latency);
  return out;
}

Json phase_json(const PhaseRecord& p, bool counted) {
  Json out = Json::object();
  out["name"] = p.name;
  out["kind"] = p.kind;
  out["complete"] = p.complete;
  out["begin_s"] = seconds(p.begin - Time());
  out["sim_s"] = seconds(p.duration());
  out["wall_s"] = p.wall_s;
  out["commands"] = p.commands();
  out["errors"] = p.errors();
  out["mean_MBps"] = mb_per_s(p.moved_bytes(), p.duration());
  out["iops"] = per_second(p.commands(), p.duration());
  out["waf"] = write_amplification(p.programmed_slots, p[Direction::kWrite].bytes);
  if (counted) {
    out["energy_J"] = joules(p.energy_nj);
    out["mean_W"] = mean_watts(p.energy_nj, p.duration());
    out["J_per_GB"] = joules_per_gb(p.energy_nj, p.moved_bytes());
  }
  for (const Direction d : kAllDirections)
    out[std::string(name_of(d))] = direction_json(p[d], p.duration());
  if (p.threads_failed != 0) {
    out["threads_ended_early"] = p.threads_failed;
    out["failure"] = p.failure;
  }
  if (p.unwritten_slots != 0) out["read_unwritten"] = rounded(p.unwritten_slots, p.read_slots, 4);
  if (p.replay) out["trace"] = replay_json(*p.replay);
  if (p.hold > Duration{}) {
    out["series"] = p.series;
    out["hold_s"] = seconds(p.hold);
  }
  if (p.placement && p.placement->windows != 0) out["placement"] = placement_json(*p.placement);
  if (p.speed) out["speed_map"] = speed_json(*p.speed);
  if (p.age && p.age->windows != 0) out["data_age"] = age_json(*p.age);
  if (p.retries && p.retries->total() != 0) out["retries"] = retries_json(*p.retries);
  if (p.refresh) out["refresh"] = refresh_json(*p.refresh);
  return out;
}

// Twelve significant digits, so that the last bits of a quotient do not matter.
double significant(double value) {
  double out = 0;
  const std::string text = fmt::format("{:.12g}", value);
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

// Ends of the repeats that run until they are steady.
Json rounds_json(const Recorder& recorder) {
  Json out = Json::array();
  for (const PhaseRecord& phase : recorder.phases()) {
    if (!phase.verdict) continue;
    const RoundVerdict& v = *phase.verdict;
    Json tracked = Json::array();
    for (const RoundVerdict::Tracked& t : v.tracked)
      tracked.push_back({{"first_phase", t.phase},
                         {"mean", significant(t.window.mean)},
                         {"range", significant(t.window.range)},
                         {"slope", significant(t.window.slope)},
                         {"steady", t.window.steady}});
    out.push_back({{"track", v.name},
                   {"steady", v.steady},
                   {"rounds", v.rounds},
                   {"most_rounds", v.most},
                   {"window", std::move(tracked)}});
  }
  return out;
}

Json waf_by_cause(const FtlStats& stats, uint64_t host_bytes) {
  Json out = Json::object();
  for (size_t c = 0; c < kCauses; ++c)
    out[kCauseNames[c]] =
        write_amplification(stats.programmed_by(static_cast<Cause>(c)), host_bytes);
  return out;
}

double share(int64_t part, int64_t whole) {
  return rounded(static_cast<unsigned __int128>(part), static_cast<unsigned __int128>(whole), 5);
}

Json utilisation(const BusyTime& busy, uint32_t planes) {
  const int64_t whole = busy.phases.to_ns();
  Json dies = Json::array();
  for (size_t i = 0; i < busy.dies.size(); ++i) {
    const BusyTime::Die& die = busy.dies[i];
    dies.push_back({{"id", i},
                    {"read", share(die.read_plane_ns, whole * planes)},
                    {"program", share(die.program_ns, whole)},
                    {"erase", share(die.erase_ns, whole)}});
  }
  Json channels = Json::array();
  for (size_t i = 0; i < busy.channels.size(); ++i)
    channels.push_back({{"id", i}, {"busy", share(busy.channels[i], whole)}});
  Json out = Json::object();
  out["dies"] = std::move(dies);
  out["channels"] = std::move(channels);
  return out;
}

// Erase cycles of the superblocks that streams may open.
Json erase_spread_json(const Firmware& firmware) {
  const Media& media = firmware.media();
  Json out = Json::object();
  for (const CellMode mode : {CellMode::kSlc, CellMode::kTlc}) {
    const EraseSpread spread =
        erase_spread(media, media.superblocks() - firmware.space().meta(), mode);
    const auto cycles = [](uint64_t hundredths) { return rounded(hundredths, 100, 2); };
    out[mode == CellMode::kSlc ? "slc" : "tlc"] = {
        {"min", cycles(spread.least)}, {"mean", cycles(spread.mean)}, {"max", cycles(spread.most)}};
  }
  return out;
}

Json space_json(const SpaceBudget& space, const DriveConfig& config) {
  return {{"superblocks", space.superblocks},
          {"usable_bytes", space.usable_slots * kSlotBytes},
          {"reserved_bytes", space.reserved_slots * kSlotBytes},
          {"user_bytes", config.capacity.count()}};
}

// Of a map that is not wholly in memory. Ratios are of the look-ups of host commands.
Json map_json(const FtlStats& stats, const DriveConfig& config) {
  const auto ratio = [&stats](uint64_t n) { return rounded(n, stats.map_lookups, 5); };
  const uint64_t hits = stats.map_lookups - stats.map_misses;
  const Bytes memory = config.map.sram + config.map.hmb;
  const uint64_t reach = memory.count() / kSlotBytes * config.map.page_entries * kSlotBytes;
  return {{"cache", std::string(config.map.cache.name())},
          {"sram_bytes", config.map.sram.count()},
          {"hmb_bytes", config.map.hmb.count()},
          {"reach_bytes", std::min(reach, config.capacity.count())},
          {"lookups", stats.map_lookups},
          {"hit_ratio", ratio(hits)},
          {"hit_ratio_sram", ratio(stats.map_hits_sram)},
          {"hit_ratio_hmb", ratio(stats.map_hits_hmb)},
          {"hit_ratio_other", ratio(hits - stats.map_hits_sram - stats.map_hits_hmb)},
          {"relocation_lookups", stats.map_moved_lookups},
          {"relocation_hit_ratio",
           rounded(stats.map_moved_lookups - stats.map_moved_misses, stats.map_moved_lookups, 5)},
          {"flash_reads", stats.map_reads},
          {"flash_writes", stats.programmed_by(Cause::kMeta)},
          {"writes_that_waited", stats.map_waits}};
}

// Cycles are means over all good blocks; a life is one when every block has its rated cycles.
Json wear_json(const Device& device) {
  const WearFigures w =
      wear_figures(device.firmware().media(), device.firmware().config().nand.endurance);
  Json out = Json::object();
  out["cycles_slc"] = rounded(w.cycles[0], w.blocks, 3);
  out["cycles_tlc"] = rounded(w.cycles[1], w.blocks, 3);
  out["most_cycles_slc"] = w.most_cycles[0];
  out["most_cycles_tlc"] = w.most_cycles[1];
  out["life_slc"] = rounded(w.mode_ppm[0], 1'000'000, 6);
  out["life_tlc"] = rounded(w.mode_ppm[1], 1'000'000, 6);
  out["life_mean"] = rounded(w.mean_ppm, 1'000'000, 6);
  out["life_most"] = rounded(w.most_ppm, 1'000'000, 6);
  return out;
}

Json slc_json(const FtlStats& stats) {
  Json out = Json::object();
  out["exhaustions"] = stats.slc_exhaustions;
  out["routed_past_bytes"] = stats.routed_past_slots * kSlotBytes;
  out["read_bytes"] = stats.slc_read_slots * kSlotBytes;
  out["copied_on_chip_bytes"] = stats.copied_on_chip_slots * kSlotBytes;
  out["copy_retries"] = stats.copy_retries;
  return out;
}

}  // namespace

std::string rounds_text(const Recorder& recorder) {
  std::string out;
  for (const PhaseRecord& phase : recorder.phases()) {
    if (!phase.verdict) continue;
    const RoundVerdict& v = *phase.verdict;
    fmt::format_to(std::back_inserter(out), "{}: {} after {} rounds of at most {}\n", v.name,
                   v.steady ? "steady" : "not steady", v.rounds, v.most);
    for (const RoundVerdict::Tracked& t : v.tracked) {
      const double mean = t.window.mean > 0 ? t.window.mean : 1;
      fmt::format_to(std::back_inserter(out),
                     "  from {}: mean {:.0f}, range {:.1f} %, slope {:+.2f} % a round\n", t.phase,
                     t.window.mean, 100 * t.window.range / mean, 100 * t.window.slope / mean);
    }
  }
  return out;
}

Json summary_json(const RunFacts& facts, const Recorder& recorder, const Device& device,
                  const StatRegistry& registry) {
  const FtlStats& stats = device.firmware().stats();
  const uint64_t host_bytes = recorder.bytes(Direction::kWrite);
  const uint64_t commands = recorder.commands();
  Json out = Json::object();
  out["schema"] = kSummarySchema;
  out["complete"] = facts.complete;
  out["drive"] = facts.drive;
  out["drive_name"] = device.firmware().config().name;
  out["workload"] = facts.workload;
  out["seed"] = facts.seed;
  out["fingerprint"] = {{"events", fmt::format("{:016x}", facts.fingerprint)},
                        {"stats", fmt::format("{:016x}", registry.hash())}};
  out["sim_s"] = seconds(facts.end - Time());
  out["wall_s"] = facts.wall_s;
  out["peak_rss_bytes"] = facts.peak_rss_bytes;
  out["commands"] = commands;
  out["events"] = facts.events;
  out["events_per_command"] = rounded(facts.events, commands, 3);
  out["waf"] = write_amplification(stats.programmed_total(), host_bytes);
  out["waf_by_cause"] = waf_by_cause(stats, host_bytes);
  Json phases = Json::array();
  const ThermalControl* thermal = device.firmware().thermal();
  for (const PhaseRecord& phase : recorder.phases())
    phases.push_back(phase_json(phase, thermal != nullptr));
  out["phases"] = std::move(phases);
  if (const std::vector<NamedLoad> loads = recorder.loads(); !loads.empty())
    out["load_tables"] = load_tables_json(loads);
  if (Json rounds = rounds_json(recorder); !rounds.empty()) out["rounds"] = std::move(rounds);
  out["utilisation"] = utilisation(recorder.busy(), device.firmware().media().layout().planes());
  if (thermal != nullptr)
    out["energy"] = energy_json(*thermal, device.firmware().config(), recorder);
  out["erase_cycles"] = erase_spread_json(device.firmware());
  out["slc"] = slc_json(stats);
  out["wear"] = wear_json(device);
  out["space"] = space_json(facts.space, device.firmware().config());
  if (device.reliability() != nullptr) out["reliability"] = reliability_json(device, facts.end);
  if (device.firmware().config().map.paged())
    out["map"] = map_json(stats, device.firmware().config());
  out["calibrated"] = facts.calibrated;
  out["laws"] = Json::object({{"violated", facts.violated_laws}});
  out["statistics"] = registry.dump();
  return out;
}

}  // namespace ftlsim
