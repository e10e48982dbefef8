#include "tools/trace/trace_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "sim/diagnostics.h"
#include "workloads/trace/replay_load.h"

namespace ftlsim {
namespace {

constexpr size_t kMostSizes = 4096;
constexpr size_t kShown = 8;

size_t index_of(TraceOp op) { return static_cast<size_t>(op); }

double percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

// In decimal units, as large as leaves a digit before the point.
std::string amount_text(uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"B", "kB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 999.9995 && unit + 1 < kUnits.size(); ++unit) value /= 1000;
  return fmt::format("{:.3f} {}", value, kUnits[unit]);
}

std::string size_text(uint64_t bytes) {
  if (bytes >= 1024 && bytes % 1024 == 0) return fmt::format("{} KiB", bytes / 1024);
  return fmt::format("{} B", bytes);
}

}  // namespace

void TraceStatistics::add(const TraceRecord& record) {
  if (records_ == 0) first_ns_ = record.time_ns;
  ++records_;
  last_ns_ = record.time_ns;
  OfOp& op = ops_[index_of(record.op)];
  ++op.count;
  op.bytes += record.bytes;
  if (record.device >= by_device_.size()) {
    by_device_.resize(record.device + 1);
    ends_.resize(record.device + 1, kNoEnd);
  }
  ++by_device_[record.device];
  per_second_.add(record.time_ns - first_ns_, record.bytes);
  per_10ms_.add(record.time_ns - first_ns_, record.bytes);
  if (record.op != TraceOp::kFlush) add_extent(record);
}

void TraceStatistics::add_extent(const TraceRecord& record) {
  uint64_t& end = ends_[record.device][index_of(record.op)];
  if (record.offset == end) ++ops_[index_of(record.op)].sequential;
  end = record.offset + record.bytes;
  highest_ = std::max(highest_, end);
  if (record.op == TraceOp::kRead || record.op == TraceOp::kWrite) {
    touched_.add(record.device, record.offset, record.bytes);
    if (record.op == TraceOp::kWrite) written_.add(record.device, record.offset, record.bytes);
  }
  const auto found = sizes_.find(record.bytes);
  if (found != sizes_.end()) {
    ++found->second;
  } else if (sizes_.size() < kMostSizes) {
    sizes_.emplace(record.bytes, 1);
  } else {
    ++other_sizes_;
  }
}

std::string TraceStatistics::text(const TraceSource& source) const {
  const Trace& trace = source.trace();
  const TraceTally& tally = trace.tally();
  const std::string_view packing = trace.input().packing();
  const bool waits = trace.format() == "fio2";
  std::string out =
      fmt::format("format          {}{}{}\n", trace.format(),
                  packing.empty() ? "" : fmt::format(", packed by {}", packing),
                  waits ? fmt::format(", 'wait' read as {}", source.options().iolog_wait) : "");
  fmt::format_to(std::back_inserter(out),
                 "records         {} read = {} usable + {} left out{} + {} rejected{}\n",
                 tally.read, tally.issued, tally.filtered.total(), reasons_text(tally.filtered),
                 tally.rejected.total(), reasons_text(tally.rejected));
  for (const RejectedRecord& r : tally.examples())
    fmt::format_to(std::back_inserter(out), "                line {}: {}{}\n", r.line, r.reason,
                   r.length > 0 ? fmt::format(": {}", quote(r.start())) : "");
  out += period_text();
  if (source.order().backward_steps() > 0)
    fmt::format_to(std::back_inserter(out),
                   "order           {} records earlier than one before them, {} of them too far to "
                   "be sorted\n",
                   source.order().backward_steps(), source.order().delayed());
  return out + ops_text() + space_text() + sizes_text() + devices_text(source.trace().devices());
}

std::string TraceStatistics::period_text() const {
  const double s = static_cast<double>(last_ns_ - first_ns_) * 1e-9;
  const double mean = s > 0 ? static_cast<double>(records_) / s : 0;
  return fmt::format(
      "period          {:.6f} s, from {}.{:09} s\n"
      "arrivals        {:.1f}/s on average; at most {} and {} in 1 s, {} in 10 ms\n",
      s, first_ns_ / 1'000'000'000, std::max<int64_t>(first_ns_, 0) % 1'000'000'000, mean,
      per_second_.most_requests(), amount_text(per_second_.most_bytes()),
      per_10ms_.most_requests());
}

std::string TraceStatistics::ops_text() const {
  std::string out;
  for (size_t i = 0; i < kTraceOps; ++i) {
    const OfOp& op = ops_[i];
    if (op.count == 0) continue;
    fmt::format_to(std::back_inserter(out), "{:<15} {} ({:.1f} %)",
                   name_of(static_cast<TraceOp>(i)), op.count, percent(op.count, records_));
    if (op.bytes > 0)
      fmt::format_to(std::back_inserter(out), ", {}, {} B on average, {:.1f} % sequential",
                     amount_text(op.bytes), op.bytes / op.count, percent(op.sequential, op.count));
    out += '\n';
  }
  return out;
}

std::string TraceStatistics::space_text() const {
  return fmt::format(
      "footprint       {} touched, {} of it written (in units of {})\n"
      "highest address {}\n",
      amount_text(touched_.bytes()), amount_text(written_.bytes()),
      size_text(std::max(touched_.unit_bytes(), written_.unit_bytes())), amount_text(highest_));
}

std::string TraceStatistics::sizes_text() const {
  std::vector<std::pair<uint64_t, uint64_t>> sizes(sizes_.begin(), sizes_.end());
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  uint64_t all = other_sizes_;
  for (const auto& [size, count] : sizes) all += count;
  if (all == 0) return "";
  std::string out = "sizes          ";
  uint64_t shown = 0;
  for (size_t i = 0; i < std::min(sizes.size(), kShown); ++i) {
    fmt::format_to(std::back_inserter(out), "{} {} {:.1f} %", i == 0 ? "" : ",",
                   size_text(sizes[i].first), percent(sizes[i].second, all));
    shown += sizes[i].second;
  }
  if (shown < all)
    fmt::format_to(std::back_inserter(out), ", others {:.1f} %", percent(all - shown, all));
  return out + '\n';
}

std::string TraceStatistics::devices_text(const DeviceNames& names) const {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < by_device_.size(); ++i)
    if (by_device_[i] > 0) order.push_back(i);
  if (names.size() == 0 || order.empty()) return "";
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return by_device_[a] > by_device_[b]; });
  std::string out = fmt::format("devices         {}:", order.size());
  for (size_t i = 0; i < std::min(order.size(), kShown); ++i)
    fmt::format_to(std::back_inserter(out), "{} {} {:.1f} %", i == 0 ? "" : ",",
                   quote(names.name(order[i])), percent(by_device_[order[i]], records_));
  return out + (order.size() > kShown ? ", ...\n" : "\n");
}

}  // namespace ftlsim
