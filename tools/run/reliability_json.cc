#include "tools/run/reliability_json.h"

#include <fmt/format.h>

#include <string>

#include "nand/reliability/snapshot.h"
#include "tools/run/numbers.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

// Six significant digits: what the models are worth, and less to compare.
double short_number(double value) { return std::stod(fmt::format("{:.6g}", value)); }

Json distribution_json(const ReliabilitySnapshot& s) {
  Json out = Json::object();
  out["slots"] = s.slots;
  out["mean_age_days"] = short_number(s.mean_days);
  out["oldest_days"] = short_number(s.oldest_days);
  out["mean_cycles"] = short_number(s.mean_cycles);
  out["most_cycles"] = short_number(s.most_cycles);
  out["mean_rber"] = short_number(s.mean_rber);
  out["first_read_failure"] = short_number(s.first_read_failure);
  out["mean_retries"] = short_number(s.mean_retries);
  Json ages = Json::array();
  for (size_t i = 0; i < s.by_age.size(); ++i) {
    Json item = Json::object();
    if (i < s.kDays.size()) item["below_days"] = short_number(s.kDays[i]);
    item["slots"] = s.by_age[i];
    ages.push_back(std::move(item));
  }
  Json rbers = Json::array();
  for (uint32_t i = 0; i < s.kRberClasses; ++i) {
    Json item = Json::object();
    if (i + 1 < s.kRberClasses) item["below"] = short_number(s.rber_end(i));
    item["slots"] = s.by_rber[i];
    rbers.push_back(std::move(item));
  }
  out["age"] = std::move(ages);
  out["rber"] = std::move(rbers);
  return out;
}

}  // namespace

Json reliability_json(const Device& device, Time now) {
  const Reliability* r = device.reliability();
  if (r == nullptr) return nullptr;
  const ReliabilityStats& s = r->stats();
  Json out = Json::object();
  out["model"] = name_of(r->config().model);
  out["policy"] = name_of(r->config().retry.policy);
  out["temperature_C"] = static_cast<double>(r->clock().millidegrees()) / 1000;
  out["age_days"] = short_number(r->clock().age(now) / 86'400);
  out["reads"] = {{"total", s.reads},
                  {"first_ok", s.first_ok},
                  {"retried", s.retried},
                  {"soft", s.soft},
                  {"uncorrectable", s.uncorrectable}};
  out["senses"] = {{"first", s.first_senses},
                   {"table", s.table_senses},
                   {"search", s.search_senses},
                   {"soft", s.soft_senses}};
  size_t classes = s.pages.size();
  while (classes > 1 && s.pages[classes - 1] == 0) --classes;
  Json pages = Json::array();
  uint64_t read = s.pages_lost;
  uint64_t retries = 0;
  for (size_t i = 0; i < classes; ++i) {
    pages.push_back(s.pages[i]);
    read += s.pages[i];
    retries += i * s.pages[i];
  }
  out["retries_per_page"] = std::move(pages);
  out["pages_lost"] = s.pages_lost;
  out["mean_retries_per_page"] = rounded(retries, read, 6);
  const FtlStats& f = device.firmware().stats();
  if (device.firmware().superblocks().parity().on())
    out["rebuild"] = {
        {"pages", f.rebuilt_pages}, {"reads", f.rebuild_reads}, {"failed", f.rebuild_failures}};
  out["host_errors"] = f.unrecovered_commands;
  out["lost_slots"] = device.firmware().media().lost_slots();
  out["distribution"] = distribution_json(take_snapshot(
      *r, device.firmware().media(), now, device.firmware().superblocks().valid_counts()));
  return out;
}

}  // namespace ftlsim
