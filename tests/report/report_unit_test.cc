// Unit tests of what the report derives from a run: parsing, phases, means, rows, SLC segments.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "tools/report/course.h"
#include "tools/report/holds.h"
#include "tools/report/report.h"
#include "tools/report/run_data.h"

namespace ftlsim {
namespace {

const std::string kHeader = "t_s,phase,written_GB,read_GB,write_MBps,read_MBps,slc_limit_GB\n";

// Appends `seconds` of writing at a constant rate in samples of 100 ms.
void append_writes(TimeSeries& series, const std::string& phase, double seconds, double rate) {
  const int samples = static_cast<int>(seconds * 10.0 + 0.5);
  for (int i = 0; i < samples; ++i) {
    const bool first = series.size() == 0;
    const double now = (first ? 0.0 : series[Column::kTime].back()) + 0.1;
    const double written = (first ? 0.0 : series[Column::kWrittenGb].back()) + rate * 0.0001;
    for (auto& column : series.values) column.push_back(0.0);
    series.values[static_cast<std::size_t>(Column::kTime)].back() = now;
    series.values[static_cast<std::size_t>(Column::kWrittenGb)].back() = written;
    series.values[static_cast<std::size_t>(Column::kWriteMbps)].back() = rate;
    series.values[static_cast<std::size_t>(Column::kSlcLimitGb)].back() = 42.0;
    series.phase.push_back(phase);
  }
}

SlcSegment only_segment(const TimeSeries& series) {
  const auto segments = find_slc_segments(series, find_phases(series, {}));
  REQUIRE(segments.size() == 1);
  return segments[0];
}

// Three bursts of 60 s with rests: the first holds its level, the second for 25 s, the third not at
// all; their level is the highest of the starts.
TEST_CASE("holds: seconds at the common level, and the runs that hold it long enough") {
  TimeSeries series;
  append_writes(series, "0", 60, 6000);
  append_writes(series, "1", 10, 0);
  append_writes(series, "2", 25, 5900);
  append_writes(series, "2", 35, 1700);
  append_writes(series, "3", 10, 0);
  append_writes(series, "4", 60, 1800);
  nlohmann::ordered_json summary;
  for (int i = 0; i < 5; ++i) {
    nlohmann::ordered_json phase = {{"name", i % 2 == 0 ? "burst-" + std::to_string(i) : "rest"},
                                    {"kind", i % 2 == 0 ? "write" : "idle"}};
    if (i % 2 == 0) {
      phase["series"] = "burst";
      phase["hold_s"] = 20.0;
    }
    summary["phases"].push_back(phase);
  }
  const auto holds = find_holds(series, find_phases(series, summary), summary);
  REQUIRE(holds.size() == 1);
  CHECK(holds[0].name == "burst");
  CHECK(holds[0].level_MBps == 6000);
  REQUIRE(holds[0].seconds.size() == 3);
  CHECK(holds[0].seconds[0] == doctest::Approx(60));
  CHECK(holds[0].seconds[1] == doctest::Approx(25));
  CHECK(holds[0].seconds[2] == 0);
  CHECK(holds[0].held == 2);
  CHECK(holds[0].mean_s == doctest::Approx(85.0 / 3).epsilon(0.001));
  CHECK(holds_json(holds)[0]["held_runs"] == 2);
  CHECK(holds_text(holds) ==
        "burst: 3 runs hold 6000 MB/s for 28.33 s on average; 2 of them for 20 s or longer\n");
  summary["phases"][4]["complete"] = false;  // cut short
  CHECK(find_holds(series, find_phases(series, summary), summary)[0].seconds.size() == 2);
}

TEST_CASE("holds: a dip of less than two seconds is none; a run without the key is left out") {
  TimeSeries series;
  append_writes(series, "0", 10, 6000);
  append_writes(series, "0", 1.9, 100);
  append_writes(series, "0", 10, 6000);
  append_writes(series, "1", 10, 9000);
  nlohmann::ordered_json summary;
  summary["phases"] = {{{"name", "a"}, {"kind", "mix"}, {"hold_s", 5.0}},
                       {{"name", "b"}, {"kind", "write"}}};
  const auto holds = find_holds(series, find_phases(series, summary), summary);
  REQUIRE(holds.size() == 1);
  CHECK(holds[0].name == "a");
  CHECK(holds[0].level_MBps == 6000);
  CHECK(holds[0].seconds[0] == doctest::Approx(21.9));
  CHECK(find_holds(series, find_phases(series, {}), {}).empty());
}

TEST_CASE("time series: columns by name, absent ones are NaN, bad rows are counted") {
  const TimeSeries series = parse_time_series(
      "phase,t_s,written_GB,read_GB,write_MBps,read_MBps,extra\r\n"
      "\"fill, \"\"first\"\"\",0.1,1,0,6000,0,x\r\n"
      "fill,0.05,1,0,6000,0,x\n"  // back in time
      "fill,0.2,1,0,nonsense,0,x\n"
      "fill,0.3,2,0,inf,0,x\n"
      "fill,0.4,3,0,6000.5,0,x\n"
      "fill,0.5,3,0,60");  // cut off
  REQUIRE(series.size() == 2);
  CHECK(series.skipped_rows == 4);
  CHECK(series.phase[0] == "fill, \"first\"");
  CHECK(series[Column::kWriteMbps][1] == 6000.5);
  CHECK(std::isnan(series[Column::kTempC][0]));
}

TEST_CASE("time series: nothing, a header alone and a foreign file give no samples") {
  CHECK(parse_time_series("").size() == 0);
  CHECK(parse_time_series(kHeader).size() == 0);
  CHECK(parse_time_series("a,b\n1,2\n").size() == 0);
}

TEST_CASE("phases are found by index and by name, repeated names in order") {
  const auto summary = nlohmann::ordered_json::parse(
      R"({"phases":[{"name":"fill","kind":"write"},{"name":"rest","kind":"idle"},
                    {"name":"fill","kind":"write"}]})");
  TimeSeries by_name =
      parse_time_series(kHeader +
                        "0.1,fill,1,0,9,0,5\n0.2,fill,2,0,9,0,5\n"
                        "9.0,rest,2,0,0,0,5\n9.1,fill,3,0,9,0,5\n9.2,odd,3,0,0,0,5\n");
  const auto spans = find_phases(by_name, summary);
  REQUIRE(spans.size() == 4);
  CHECK(spans[0].summary_index == 0);
  CHECK(spans[0].writes);
  CHECK(spans[1].kind == "idle");
  CHECK(spans[1].begin_s == 0.2);
  CHECK(spans[1].end_s == 9.0);
  CHECK_FALSE(spans[1].writes);
  CHECK(spans[2].summary_index == 2);
  CHECK(spans[3].summary_index == -1);
  CHECK(spans[3].name == "odd");

  const TimeSeries by_index = parse_time_series(kHeader + "0.1,0,1,0,9,0,5\n0.2,2,1,0,9,0,5\n");
  CHECK(find_phases(by_index, summary)[1].summary_index == 2);
  CHECK(find_phases(by_index, summary)[1].name == "fill");
}

TEST_CASE("one-second mean stays inside its phase") {
  TimeSeries series;
  append_writes(series, "a", 3.0, 1000.0);
  append_writes(series, "b", 3.0, 5000.0);
  const auto mean = one_second_mean(series, find_phases(series, {}), Column::kWriteMbps);
  for (std::size_t i = 0; i < 30; ++i) CHECK(mean[i] == 1000.0);
  for (std::size_t i = 30; i < 60; ++i) CHECK(mean[i] == 5000.0);
}

TEST_CASE("SLC segment: length and rates of a clean drop") {
  TimeSeries series;
  append_writes(series, "fill", 25.0, 6000.0);
  append_writes(series, "fill", 100.0, 1800.0);
  const SlcSegment segment = only_segment(series);
  CHECK(segment.has_drop);
  CHECK(segment.written_GB == doctest::Approx(150.0).epsilon(0.01));
  CHECK(segment.rate_MBps == doctest::Approx(6000.0).epsilon(0.01));
  CHECK(segment.after_MBps == doctest::Approx(1800.0).epsilon(0.001));
  CHECK(segment.slc_limit_GB == 42.0);
}

TEST_CASE("SLC segment: a short dip is no drop, nor is a return to the rate of the start") {
  TimeSeries series;
  append_writes(series, "fill", 20.0, 6000.0);
  append_writes(series, "fill", 1.0, 500.0);
  append_writes(series, "fill", 20.0, 6000.0);
  CHECK_FALSE(only_segment(series).has_drop);

  TimeSeries ramp;
  append_writes(ramp, "fill", 2.0, 3000.0);
  append_writes(ramp, "fill", 20.0, 6000.0);
  append_writes(ramp, "fill", 20.0, 3000.0);
  const SlcSegment segment = only_segment(ramp);
  CHECK_FALSE(segment.has_drop);  // 3000 is not below 70 % of the rate it started with
}

TEST_CASE("SLC segment: a phase of one sample and a read phase do no harm") {
  TimeSeries series;
  append_writes(series, "fill", 0.1, 6000.0);
  CHECK_FALSE(only_segment(series).has_drop);
  const TimeSeries reads = parse_time_series(kHeader + "0.1,r,0,1,0,9,5\n0.2,r,0,2,0,9,5\n");
  CHECK(find_slc_segments(reads, find_phases(reads, {})).empty());
}

TEST_CASE("drawn rows: all when few, extremes and phase ends when many") {
  TimeSeries series;
  append_writes(series, "a", 1000.0, 1000.0);
  append_writes(series, "b", 1000.0, 2000.0);
  series.values[static_cast<std::size_t>(Column::kWriteMbps)][7777] = 1.0;
  series.values[static_cast<std::size_t>(Column::kWriteMbps)][12345] = 9999.0;
  const auto spans = find_phases(series, {});
  CHECK(rows_to_draw(series, spans, 20000).size() == 20000);
  const auto rows = rows_to_draw(series, spans, 1000);
  CHECK(rows.size() <= 1010);
  for (const std::size_t kept : {0U, 7777U, 9999U, 10000U, 12345U, 19999U}) {
    CHECK(std::count(rows.begin(), rows.end(), kept) == 1);
  }
}

TEST_CASE("report: text of the run cannot leave its place, wall-clock figures are left out") {
  RunData run;
  run.summary = nlohmann::ordered_json::parse(
      R"({"drive":"</title><script>x()</script>","wall_s":1.5,"peak_rss_bytes":7,
          "phases":[{"name":"@CONFIG@","wall_s":2.5}]})");
  run.effective_yaml = "a: </pre><script>y()</script> @DATA@";
  const std::string page = render_report(run);
  CHECK(page.find("<script>x()") == std::string::npos);
  CHECK(page.find("<script>y()") == std::string::npos);
  CHECK(page.find("wall_s") == std::string::npos);
  CHECK(page.find("peak_rss") == std::string::npos);
  CHECK(page.find("\"name\":\"@CONFIG@\"") != std::string::npos);
  CHECK(page.find("&lt;/script&gt; @DATA@</pre>") != std::string::npos);
  CHECK(page.find("sourceMappingURL") == std::string::npos);
  CHECK(page == render_report(run));
}

TEST_CASE("load_run names the file that is missing") {
  RunData run;
  std::string error;
  CHECK_FALSE(load_run("/nonexistent", run, error));
  CHECK(error.find("/nonexistent/summary.json") != std::string::npos);
}

}  // namespace
}  // namespace ftlsim
