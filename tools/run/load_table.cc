#include "tools/run/load_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "tools/run/numbers.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;
__extension__ using Wide = unsigned __int128;

double us_of(int64_t ns) { return static_cast<double>(ns) / 1000.0; }

double rate_of(uint64_t count, Duration span) {
  return rounded(static_cast<Wide>(count) * 1'000'000'000, static_cast<Wide>(span.to_ns()), 1);
}

double mean_us(const LoadRecord& r) {
  return rounded(r.sum, static_cast<Wide>(r.all_requests()) * 1000, 3);
}

// Points by table, in the order of the first point of each.
std::vector<std::pair<std::string, std::vector<const NamedLoad*>>> by_table(
    const std::vector<NamedLoad>& loads) {
  std::vector<std::pair<std::string, std::vector<const NamedLoad*>>> tables;
  for (const NamedLoad& load : loads) {
    const std::string& name = load.record.point.table;
    auto table = std::find_if(tables.begin(), tables.end(),
                              [&](const auto& entry) { return entry.first == name; });
    if (table == tables.end()) table = tables.insert(tables.end(), {name, {}});
    table->second.push_back(&load);
  }
  return tables;
}

Json point_json(const NamedLoad& load) {
  const LoadRecord& r = load.record;
  Json out = Json::object();
  out["phase"] = load.phase;
  out["load"] = r.point.load;
  out["outstanding"] = r.point.outstanding;
  if (r.rate_milli != 0) {
    out["asked_iops"] = rounded(r.rate_milli, 1000, 3);
  } else {
    out["asked_iops"] = nullptr;
  }
  out["measured_s"] = seconds(r.span);
  out["iops"] = rate_of(r.all_requests(), r.span);
  out["read_iops"] = rate_of(r.requests[index_of(Direction::kRead)], r.span);
  out["write_iops"] = rate_of(r.requests[index_of(Direction::kWrite)], r.span);
  out["MBps"] = mb_per_s(r.bytes, r.span);
  out["latency_us"] = {{"mean", mean_us(r)},
                       {"p50", us_of(r.p50)},
                       {"p99", us_of(r.p99)},
                       {"p99_9", us_of(r.p99_9)},
                       {"max", us_of(r.max)}};
  return out;
}

}  // namespace

LoadRecord load_record(const PhaseResult& result) {
  LoadRecord r;
  r.point = *result.spec->load;
  r.rate_milli = result.rate_milli;
  r.span = result.measured_span();
  LatencyHistogram all;
  for (const Direction d : kAllDirections) {
    const DirectionResult measured = result.measured(d);
    r.requests[index_of(d)] = measured.completed;
    r.bytes += measured.bytes;
    all.merge(measured.latency);
  }
  r.sum = all.sum_ns();
  r.p50 = all.percentile(50);
  r.p99 = all.percentile(99);
  r.p99_9 = all.percentile(99.9);
  r.max = all.max_ns();
  return r;
}

Json load_tables_json(const std::vector<NamedLoad>& loads) {
  Json tables = Json::array();
  for (const auto& [name, points] : by_table(loads)) {
    Json list = Json::array();
    for (const NamedLoad* point : points) list.push_back(point_json(*point));
    tables.push_back({{"table", name}, {"points", std::move(list)}});
  }
  return tables;
}

std::string load_tables_text(const std::vector<NamedLoad>& loads) {
  std::string out;
  for (const auto& [name, points] : by_table(loads)) {
    if (points.size() < 2) continue;
    fmt::format_to(std::back_inserter(out),
                   "\nlatency against load: {}\n{:<12} {:>5} {:>11} {:>11} "
                   "{:>9} {:>9} {:>9} {:>9}\n",
                   name, "load", "QD", "asked IOPS", "IOPS", "MB/s", "mean us", "p99 us",
                   "p99.9 us");
    for (const NamedLoad* point : points) {
      const LoadRecord& r = point->record;
      const std::string asked =
          r.rate_milli == 0 ? "" : fmt::format("{:.0f}", rounded(r.rate_milli, 1000, 0));
      fmt::format_to(std::back_inserter(out),
                     "{:<12.12} {:>5} {:>11} {:>11.0f} {:>9.1f} {:>9.1f} {:>9.1f} {:>9.1f}\n",
                     r.point.load, r.point.outstanding, asked, rate_of(r.all_requests(), r.span),
                     mb_per_s(r.bytes, r.span), mean_us(r), us_of(r.p99), us_of(r.p99_9));
    }
  }
  if (!out.empty()) out += "\n";
  return out;
}

}  // namespace ftlsim
