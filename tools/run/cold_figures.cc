#include "tools/run/cold_figures.h"

#include <fmt/format.h>

#include <cstdlib>

#include "tools/run/numbers.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

template <class Counts>
Json histogram_json(const Counts& counts) {
  Json out = Json::object();
  uint32_t value = 0;
  for (const uint64_t count : counts) {
    if (count != 0) out[fmt::format("{}", value)] = count;
    ++value;
  }
  return out;
}

// As text and back: the same digits whatever the compiler did to the last bit.
double six_digits(double value) {
  return std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
}

double megabytes(uint64_t kilobytes) { return rounded(kilobytes, 1'000, 3); }

}  // namespace

Json placement_json(const Placement& p) {
  Json out = Json::object();
  out["windows"] = p.windows;
  out["slc_share"] = rounded(p.slc_slots, p.slots, 5);
  out["dies_per_MiB"] = rounded(p.dies, p.windows, 4);
  out["busiest_die_pages"] = rounded(p.busiest, p.windows, 4);
  out["ideal_die_pages"] = rounded(p.ideal, p.windows, 4);
  out["senses_per_MiB"] = rounded(p.senses, p.windows, 4);
  out["planes_per_sense"] = rounded(p.pages, p.senses, 4);
  out["extents_per_MiB"] = rounded(p.extents, p.windows, 4);
  out["windows_by_dies"] = histogram_json(p.windows_by_dies);
  out["windows_by_busiest_die_pages"] = histogram_json(p.windows_by_busiest);
  out["senses_by_planes"] = histogram_json(p.by_planes);
  return out;
}

Json speed_json(const SpeedSummary& s) {
  Json out = Json::object();
  out["region_bytes"] = SpeedMap::kRegion.count();
  out["regions"] = s.regions;
  out["rows"] = s.rows;
  out["MBps"] = {{"min", megabytes(s.slowest)},
                 {"p10", megabytes(s.p10)},
                 {"p50", megabytes(s.median)},
                 {"p90", megabytes(s.p90)},
                 {"max", megabytes(s.fastest)}};
  return out;
}

Json age_json(const DataAge& a) {
  Json out = Json::object();
  out["windows"] = a.windows;
  out["clock_days"] = six_digits(a.clock_days);
  out["mean_days"] = six_digits(a.mean_days);
  out["min_days"] = six_digits(a.least_days);
  out["max_days"] = six_digits(a.most_days);
  out["rber_mean"] = six_digits(a.mean_rber);
  out["rber_max"] = six_digits(a.most_rber);
  return out;
}

Json retries_json(const RetryCounts& r) {
  Json out = Json::object();
  out["mean"] = rounded(r.retries(), r.total(), 6);
  out["lost"] = r.lost;
  out["pages"] = histogram_json(r.pages);
  return out;
}

Json refresh_json(const RefreshWork& w) {
  return {{"bytes", w.slots * kSlotBytes},
          {"superblocks", w.superblocks},
          {"patrol_reads", w.patrol_reads}};
}

std::string age_text(const DataAge& a, const RetryCounts& r) {
  return fmt::format(
      "  data {:.2f} days old at 25 C (oldest {:.2f}), RBER {:.2e}; {:.3f} % of the pages retried, "
      "{:.4f} retries per page, {} lost\n",
      a.mean_days, a.most_days, a.mean_rber, 100 * rounded(r.retried_pages(), r.total(), 7),
      rounded(r.retries(), r.total(), 6), r.lost);
}

std::string placement_text(const Placement& p) {
  return fmt::format(
      "  per MiB: {:.2f} dies, busiest die {:.2f} pages (ideal {:.2f}), {:.2f} senses of {:.2f} "
      "planes, {:.2f} extents{}\n",
      rounded(p.dies, p.windows, 4), rounded(p.busiest, p.windows, 4),
      rounded(p.ideal, p.windows, 4), rounded(p.senses, p.windows, 4),
      rounded(p.pages, p.senses, 4), rounded(p.extents, p.windows, 4),
      p.slc_slots == 0 ? std::string()
                       : fmt::format("; {:.1f} % in SLC", 100 * rounded(p.slc_slots, p.slots, 5)));
}

std::string speed_text(const SpeedSummary& s) {
  return fmt::format(
      "  {} regions of 32 MiB: {:.0f} / {:.0f} / {:.0f} / {:.0f} / {:.0f} MB/s (min, 10 %, median, "
      "90 %, max)\n",
      s.regions, megabytes(s.slowest), megabytes(s.p10), megabytes(s.median), megabytes(s.p90),
      megabytes(s.fastest));
}

}  // namespace ftlsim
