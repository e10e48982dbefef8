// The registry of statistics: names, units and sentences for plain fields.
//
// A component keeps its counters as plain uint64_t members and registers each once; nothing here is
// touched while the simulation runs. A registered field must outlive the registry's last use. Names
// are unique; output is sorted by name.
//
// A conservation law says that two groups of counters have the same sum. Laws are checked at the
// end of every run.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/histogram.h"

namespace ftlsim {

class StatRegistry {
 public:
  // `unit` and `doc` must be literals or outlive the registry; `unit` is a plural noun ("slots").
  void counter(std::string name, std::string_view unit, std::string_view doc,
               const uint64_t* field);
  // A latency distribution, in ns.
  void histogram(std::string name, std::string_view doc, const LatencyHistogram* field);

  // The sum of the counters `lhs` equals that of `rhs`. All names must be registered counters by
  // the time check_laws() runs.
  void law(std::string name, std::vector<std::string> lhs, std::vector<std::string> rhs);
  // One text per violated law, with every term and the difference; empty if all hold.
  std::vector<std::string> check_laws() const;

  // The current value of a registered counter.
  uint64_t value(std::string_view name) const;
  bool has_counter(std::string_view name) const;

  // {"name": {"value": .., "unit": .., "doc": ..}, ..} sorted by name; a histogram has count, sum,
  // min, mean, p50, p90, p99, p99_9, p99_99 and max in place of value.
  nlohmann::ordered_json dump() const;

  // 64-bit hash over all names and values: the `stats` fingerprint. Units and sentences do not
  // count.
  uint64_t hash() const;

 private:
  struct Entry {
    std::string_view unit;
    std::string_view doc;
    const uint64_t* counter = nullptr;
    const LatencyHistogram* histogram = nullptr;
  };
  struct Law {
    std::string name;
    std::vector<std::string> lhs;
    std::vector<std::string> rhs;
  };

  void add(std::string name, Entry entry);

  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<Law> laws_;
};

}  // namespace ftlsim
