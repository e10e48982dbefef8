// Tables of load ramps: figures after the warm-up, grouping, and both forms of output.
#include "tools/run/load_table.h"

#include <doctest/doctest.h>

#include <string>

namespace ftlsim {
namespace {

// 1,000 reads of 4 KiB in a warm-up of 1 s with 10 us each, then `reads` with 100 us and `writes`
// with 200 us in 2 s.
LoadRecord record(const std::string& table, const std::string& load, uint64_t reads,
                  uint64_t writes, uint64_t rate_milli = 0) {
  PhaseSpec spec;
  spec.load = LoadPoint{table, load, 32, rate_milli, 0, 0};
  PhaseResult result;
  result.spec = &spec;
  result.begin = Time() + Duration::s(10);
  result.measure_begin = Time() + Duration::s(11);
  result.end = Time() + Duration::s(13);
  result.rate_milli = rate_milli;
  const auto add = [&](Direction d, uint64_t count, Duration latency) {
    DirectionResult& r = result[d];
    r.completed += count;
    r.bytes += count * 4096;
    for (uint64_t i = 0; i < count; ++i) r.latency.add(latency);
  };
  add(Direction::kRead, 1000, Duration::us(10));
  result.warmup = result.directions;
  add(Direction::kRead, reads, Duration::us(100));
  add(Direction::kWrite, writes, Duration::us(200));
  return load_record(result);
}

TEST_CASE("a point: what completed after the warm-up, all directions together") {
  const LoadRecord r = record("t", "50 %", 3000, 1000, 2'000'000);
  CHECK(r.span == Duration::s(2));
  CHECK(r.all_requests() == 4000);
  const nlohmann::ordered_json json = load_tables_json({{"phase", r}});
  REQUIRE(json.size() == 1);
  CHECK(json[0]["table"] == "t");
  const auto& point = json[0]["points"][0];
  CHECK(point["phase"] == "phase");
  CHECK(point["load"] == "50 %");
  CHECK(point["outstanding"] == 32);
  CHECK(point["asked_iops"] == 2000.0);
  CHECK(point["measured_s"] == 2.0);
  CHECK(point["iops"] == 2000.0);
  CHECK(point["read_iops"] == 1500.0);
  CHECK(point["write_iops"] == 500.0);
  CHECK(point["MBps"] == 8.192);
  CHECK(point["latency_us"]["mean"] == 125.0);
  CHECK(point["latency_us"]["max"] == 200.0);
  CHECK(point["latency_us"]["p99"].get<double>() == doctest::Approx(200).epsilon(0.04));
}

TEST_CASE("points of one table stand together, in the order of their first points") {
  const std::vector<NamedLoad> loads{{"a1", record("a", "max", 10, 0)},
                                     {"b1", record("b", "max", 10, 0)},
                                     {"a2", record("a", "10 %", 20, 0, 10'000)}};
  const nlohmann::ordered_json json = load_tables_json(loads);
  REQUIRE(json.size() == 2);
  CHECK(json[0]["points"].size() == 2);
  CHECK(json[0]["points"][0]["asked_iops"].is_null());
  CHECK(json[0]["points"][1]["phase"] == "a2");
  const std::string text = load_tables_text(loads);
  CHECK(text.find("latency against load: a\n") != std::string::npos);
  CHECK(text.find("latency against load: b") == std::string::npos);  // one point is no curve
  CHECK(text.find("10 %            32          10          10       0.0     100.0") !=
        std::string::npos);
  CHECK(load_tables_text({}).empty());
}

}  // namespace
}  // namespace ftlsim
