// Figures and tables of a comparison, and measured curves, on small made-up runs.
#include "tools/report/comparison.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tools/report/csv.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

Json moved(double bytes, double p99_9) {
  return {{"commands", bytes / 4096},
          {"bytes", bytes},
          {"MBps", bytes / 1e6},
          {"iops", bytes / 4096},
          {"latency_us", {{"p50", 10.0}, {"p99", 50.0}, {"p99_9", p99_9}, {"max", 2 * p99_9}}}};
}

// Samples of 100 ms: rates[i] in MB/s, all in phase `phase`.
void append(std::string& csv, int& row, double& written, int phase,
            const std::vector<double>& rates) {
  for (const double rate : rates) {
    ++row;
    written += rate / 10'000.0;
    csv += std::to_string(row / 10) + "." + std::to_string(row % 10) + "," + std::to_string(phase) +
           "," + std::to_string(written) + ",0," + std::to_string(rate) + ",0\n";
  }
}

std::vector<double> constant(size_t n, double rate) { return std::vector<double>(n, rate); }

// 10 s at 5,000 MB/s and 30 s at 1,000, with one second of 400 in the slow part.
RunData cliff_run() {
  RunData run;
  run.summary = {{"drive", "d"},
                 {"workload", "w"},
                 {"waf", 1.5},
                 {"waf_by_cause", {{"host", 1.0}, {"fold", 0.5}, {"gc", 0.0}}},
                 {"erase_cycles", {{"tlc", {{"min", 1}, {"mean", 2.5}, {"max", 7}}}}},
                 {"energy", {{"J_per_GB", 1.25}}},
                 {"phases",
                  {{{"name", "fill"}, {"kind", "write"}, {"write", moved(8e10, 900.0)}},
                   {{"name", "read"}, {"kind", "read"}, {"read", moved(1e9, 80.0)}}}}};
  std::string csv = "t_s,phase,written_GB,read_GB,write_MBps,read_MBps\n";
  int row = 0;
  double written = 0.0;
  append(csv, row, written, 0, constant(100, 5000));
  append(csv, row, written, 0, constant(150, 1000));
  append(csv, row, written, 0, constant(10, 400));
  append(csv, row, written, 0, constant(139, 1000));
  append(csv, row, written, 0, {20});  // the phase ends within this sample
  run.series = parse_time_series(csv);
  return run;
}

Comparison of(std::vector<RunData> runs) {
  Comparison comparison;
  for (RunData& run : runs) {
    comparison.figures.push_back(
        run_figures(run, "run" + std::to_string(comparison.figures.size())));
    comparison.runs.push_back(std::move(run));
  }
  return comparison;
}

const ComparisonRow* find_row(const std::vector<ComparisonRow>& rows, const std::string& group,
                              const std::string& name) {
  for (const ComparisonRow& row : rows)
    if (row.group == group && row.name == name) return &row;
  return nullptr;
}

TEST_CASE("figures of a run: cliff, rates around it, worst second, wear and energy") {
  const RunFigures f = run_figures(cliff_run(), "x");
  REQUIRE(f.phases.size() == 2);
  const PhaseFigures& fill = f.phases[0];
  CHECK(fill.direction == "write");
  CHECK(fill.cliff_GB == doctest::Approx(50.0));
  CHECK(fill.before_MBps == doctest::Approx(5000.0));
  // From 5 s past the cliff: 25 s less the slow second and the cut-off sample.
  CHECK(fill.after_MBps == doctest::Approx((24.0 * 1000 + 400 - 100 + 2) / 25.0).epsilon(0.01));
  CHECK(fill.worst_MBps == doctest::Approx(400.0));  // not that of the last sample
  CHECK(fill.p99_9_us == 900.0);
  CHECK(f.phases[1].direction == "read");
  CHECK(std::isnan(f.phases[1].cliff_GB));
  CHECK(std::isnan(f.phases[1].worst_MBps));  // no sample
  REQUIRE(f.tlc_erases);
  CHECK(f.tlc_erases->max == 7.0);
  CHECK_FALSE(f.slc_erases);
  CHECK(f.joules_per_GB == 1.25);
  CHECK(f.waf == 1.5);
}

TEST_CASE("figures of a run: what is missing is not known") {
  const RunFigures f = run_figures(RunData{Json::object(), {}, {}, "", {}}, "x");
  CHECK(f.phases.empty());
  CHECK_FALSE(f.waf);
  CHECK_FALSE(f.tlc_erases);
  CHECK_FALSE(f.joules_per_GB);
  CHECK(comparison_rows(of({RunData{Json::object(), {}, {}, "", {}}})).empty());
  const Json json = figures_json(f);
  CHECK(json["waf"].is_null());
}

TEST_CASE("figures of a run: a phase of less than a second has no worst second") {
  RunData run = cliff_run();
  std::string csv = "t_s,phase,written_GB,read_GB,write_MBps,read_MBps\n";
  int row = 0;
  double written = 0.0;
  append(csv, row, written, 0, constant(10, 5000));
  run.series = parse_time_series(csv);
  CHECK(std::isnan(run_figures(run, "x").phases[0].worst_MBps));
}

TEST_CASE("rows: phases are matched by name and place, empty lines left out") {
  RunData a = cliff_run();
  RunData b = cliff_run();
  b.summary["phases"].insert(b.summary["phases"].begin() + 1,
                             Json{{"name", "fill"}, {"kind", "write"}, {"write", moved(2e9, 1.0)}});
  b.summary.erase("energy");
  const auto rows = comparison_rows(of({std::move(a), std::move(b)}));
  const ComparisonRow* first = find_row(rows, "fill, write", "latency p99.9, us");
  REQUIRE(first != nullptr);
  CHECK(first->values == std::vector<double>{900.0, 900.0});
  const ComparisonRow* second = find_row(rows, "fill (2), write", "latency p99.9, us");
  REQUIRE(second != nullptr);
  CHECK(std::isnan(second->values[0]));
  CHECK(second->values[1] == 1.0);
  CHECK(find_row(rows, "fill (2), write", "cliff after, GB") == nullptr);
  const ComparisonRow* energy = find_row(rows, "", "energy, J/GB");
  REQUIRE(energy != nullptr);
  CHECK(std::isnan(energy->values[1]));
  CHECK(find_row(rows, "", "  of it gc") == nullptr);  // 0 everywhere
  // "fill (2)" is before "read", where run b has it.
  CHECK(second < find_row(rows, "read, read", "IOPS"));
}

TEST_CASE("text and JSON of a comparison") {
  Comparison comparison = of({cliff_run(), cliff_run()});
  comparison.differences = {{"gc.order", {"completion", "stripe"}}, {"new.key", {"", "1"}}};
  const std::string text = comparison_text(comparison);
  for (const char* part : {"run0", "run1", "write amplification", "fill, write", "gc.order",
                           "completion", "stripe", "50.0", "1.25"})
    CHECK_MESSAGE(text.find(part) != std::string::npos, part);
  const Json json = comparison_json(comparison);
  CHECK(json["runs"].size() == 2);
  CHECK(json["runs"][0]["phases"][0]["cliff_GB"].get<double>() == doctest::Approx(50.0));
  CHECK(json["differences"][1]["values"][0] == "");
}

TEST_CASE("the page: text of runs stays in its place, equal input gives equal bytes") {
  Comparison comparison = of({cliff_run(), cliff_run()});
  comparison.figures[0].label = "</script><script>x()";
  comparison.differences = {{"<img>", {"@DATA@", "</title>"}}};
  const std::string page = render_comparison(comparison);
  CHECK(page.find("<script>x()") == std::string::npos);
  CHECK(page.find("<img>") == std::string::npos);
  CHECK(page == render_comparison(comparison));
}

TEST_CASE("measured curve: by time, by volume, both") {
  std::string error;
  const auto by_time = parse_measured(
      "# a comment\nt_s,write_MBps,other\n0,1000,x\n\n10,1000,x\r\n20,3000,x\n", "a/b.csv", error);
  REQUIRE_MESSAGE(by_time, error);
  CHECK(by_time->name == "b");
  CHECK(by_time->written_GB == std::vector<double>{0.0, 10.0, 30.0});
  const auto by_volume =
      parse_measured("write_MBps,written_GB\n1000,0\n1000,10\n3000,30\n", "b.csv", error);
  REQUIRE(by_volume);
  CHECK(by_volume->t_s == by_time->t_s);
  const auto both = parse_measured("t_s,written_GB,write_MBps\n1,2,3\n4,5,6\n", "b.csv", error);
  REQUIRE(both);
  CHECK(both->t_s == std::vector<double>{1.0, 4.0});
  CHECK(both->written_GB == std::vector<double>{2.0, 5.0});
}

TEST_CASE("measured curve: what is wrong is named with its line") {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const Case& c :
       {Case{"", "m.csv:0: error: the file has no header"},
        Case{"time,rate\n1,2\n", "m.csv:1: error: columns are missing"},
        Case{"t_s\n1\n", "m.csv:1: error: columns are missing"},
        Case{"t_s,write_MBps\n1,2\n", "two rows"},
        Case{"t_s,write_MBps\n1,2\n2,fast\n", "m.csv:3: error: write_MBps is 'fast'"},
        Case{"t_s,write_MBps\n1,2\n2,-1\n", "m.csv:3: error: write_MBps is '-1'"},
        Case{"t_s,write_MBps\n1,2\n2\n", "m.csv:3: error: the row has no write_MBps"},
        Case{"t_s,write_MBps\n3,2\n2,2\n", "m.csv:3: error: t_s falls from 3 to 2"},
        Case{"written_GB,write_MBps\n1,0\n2,0\n", "rises where write_MBps is 0"}}) {
    CAPTURE(c.text);
    std::string error;
    CHECK_FALSE(parse_measured(c.text, "m.csv", error));
    CHECK_MESSAGE(error.find(c.message) != std::string::npos, error);
  }
  std::string error;
  CHECK_FALSE(load_measured("/nonexistent.csv", error));
  CHECK(error.find("/nonexistent.csv") != std::string::npos);
}

}  // namespace
}  // namespace ftlsim
