// Registration, dump, fingerprint and laws.
#include "sim/stats.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/assert.h"
#include "sim/rng.h"

namespace ftlsim {
namespace {

nlohmann::ordered_json describe(const LatencyHistogram& h) {
  return {{"count", h.count()},      {"sum", h.sum_ns()},           {"min", h.min_ns()},
          {"mean", h.mean_ns()},     {"p50", h.percentile(50)},     {"p90", h.percentile(90)},
          {"p99", h.percentile(99)}, {"p99_9", h.percentile(99.9)}, {"p99_99", h.percentile(99.99)},
          {"max", h.max_ns()}};
}

}  // namespace

void StatRegistry::counter(std::string name, std::string_view unit, std::string_view doc,
                           const uint64_t* field) {
  SIM_ASSERT(field != nullptr, "statistic '{}' has no field", name);
  add(std::move(name), {unit, doc, field, nullptr});
}

void StatRegistry::histogram(std::string name, std::string_view doc,
                             const LatencyHistogram* field) {
  SIM_ASSERT(field != nullptr, "statistic '{}' has no field", name);
  add(std::move(name), {"ns", doc, nullptr, field});
}

void StatRegistry::add(std::string name, Entry entry) {
  const auto [it, is_new] = entries_.emplace(std::move(name), entry);
  SIM_ASSERT(is_new, "statistic '{}' is registered twice", it->first);
}

void StatRegistry::law(std::string name, std::vector<std::string> lhs,
                       std::vector<std::string> rhs) {
  laws_.push_back({std::move(name), std::move(lhs), std::move(rhs)});
}

std::vector<std::string> StatRegistry::check_laws() const {
  // The terms as text, and their sum modulo 2^64: equal sums stay equal.
  const auto side = [this](const std::vector<std::string>& names) {
    std::pair<std::string, uint64_t> result;
    for (const std::string& name : names) {
      const uint64_t term = value(name);
      result.first += fmt::format("{}{} {}", result.first.empty() ? "" : " + ", name, term);
      result.second += term;
    }
    return result;
  };
  std::vector<std::string> violated;
  for (const Law& law : laws_) {
    const auto [left, left_sum] = side(law.lhs);
    const auto [right, right_sum] = side(law.rhs);
    if (left_sum == right_sum) continue;
    violated.push_back(fmt::format("{}: {} = {} differs from {} = {} by {}", law.name, left,
                                   left_sum, right, right_sum,
                                   static_cast<int64_t>(left_sum - right_sum)));
  }
  return violated;
}

uint64_t StatRegistry::value(std::string_view name) const {
  const auto it = entries_.find(name);
  SIM_ASSERT(it != entries_.end() && it->second.counter != nullptr, "no counter named '{}'", name);
  return *it->second.counter;
}

bool StatRegistry::has_counter(std::string_view name) const {
  const auto it = entries_.find(name);
  return it != entries_.end() && it->second.counter != nullptr;
}

nlohmann::ordered_json StatRegistry::dump() const {
  nlohmann::ordered_json all = nlohmann::ordered_json::object();
  for (const auto& [name, entry] : entries_) {
    nlohmann::ordered_json stat = nlohmann::ordered_json::object();
    if (entry.counter != nullptr) {
      stat["value"] = *entry.counter;
    } else {
      stat = describe(*entry.histogram);
    }
    stat["unit"] = std::string(entry.unit);
    stat["doc"] = std::string(entry.doc);
    all[name] = std::move(stat);
  }
  return all;
}

uint64_t StatRegistry::hash() const {
  uint64_t state = 0;
  const auto add_word = [&state](uint64_t word) { state = mix64(state ^ word); };
  for (const auto& [name, entry] : entries_) {
    add_word(hash_name(name));
    if (entry.counter != nullptr) {
      add_word(*entry.counter);
      continue;
    }
    const LatencyHistogram& h = *entry.histogram;
    add_word(h.count());
    add_word(h.sum_ns());
    add_word(static_cast<uint64_t>(h.min_ns()));
    add_word(static_cast<uint64_t>(h.max_ns()));
    for (size_t i = 0; i < LatencyHistogram::kBuckets; ++i) {
      if (h.bucket(i) == 0) continue;
      add_word(i);
      add_word(h.bucket(i));
    }
  }
  return state;
}

}  // namespace ftlsim
