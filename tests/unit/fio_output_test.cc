// fio's bins, moments, results and logs, from hand-made requests.
#include "tools/fio/fio_output.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tools/fio/fio_recorder.h"
#include "workloads/fio_jobs.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

TEST_CASE("bins are fio's") {
  CHECK(FioBins::kBins == 1856);
  for (uint64_t v = 0; v < 128; ++v) CHECK(FioBins::value_of(FioBins::index_of(v)) == v);
  CHECK(FioBins::value_of(FioBins::index_of(8'224'768)) == 8'224'768);  // a percentile fio printed
  CHECK(FioBins::value_of(FioBins::index_of(73'657)) == 73'216);
  CHECK(FioBins::index_of(UINT64_MAX) == 1855);
  for (uint64_t v = 128; v < uint64_t{1} << 34; v = v * 9 / 8 + 1) {
    const uint64_t middle = FioBins::value_of(FioBins::index_of(v));
    CHECK(static_cast<double>(middle) == doctest::Approx(static_cast<double>(v)).epsilon(0.008));
  }
  FioBins bins;
  CHECK(bins.percentile(50) == 0);
  for (uint64_t v = 1; v <= 100; ++v) bins.add(v);
  CHECK(bins.percentile(1) == 1);
  CHECK(bins.percentile(50) == 50);
  CHECK(bins.percentile(99.99) == 100);
}

// The object that fio 3.33 itself printed for `ss=bw_slope:5%`, ss_dur=2, with its figures.
TEST_CASE("steady state: fio's object, keys and forms of the values") {
  Diagnostics diagnostics;
  const DriveLimits drive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};
  const auto report_of = [&](const std::string& options) {
    FioReport report;
    static std::vector<Workload> keep;
    keep.reserve(8);
    keep.push_back(*parse_fio_jobs("[j]\ndirect=1\n" + options, "t.fio", "t", drive, diagnostics));
    FioResult& result = report.results.emplace_back();
    result.job = &keep.back().phases[0].jobs[0];
    SteadyState state(result.job->steady);
    state.add(Duration::s(1), 2651, 10'861'165, Duration::ms(900));
    state.add(Duration::s(2), 2651 + 2812, 10'861'165 + 11'519'489, Duration::ms(1900));
    result.steady = FioSteady{state.attained(), state.criterion(),        state.deviation(),
                              state.iops(),     state.bytes_per_second(), state.mean_latency_ns()};
    return nlohmann::json::parse(render_fio_json(report, false))["jobs"][0]["steadystate"];
  };
  const nlohmann::json slope = report_of("ss=bw_slope:5%\nss_dur=2\n");
  CHECK(slope.dump() ==
        nlohmann::json::parse(R"({"ss": "bw_slope:5.000000%", "duration": 2, "attained": 0,
          "criterion": "5.882974%", "max_deviation": 0.0, "slope": 658324.0,
          "data": {"bw_mean": 11190327, "iops_mean": 2731, "iops": [2651, 2812],
                   "bw": [10861165, 11519489]}})")
            .dump());
  const nlohmann::json deviation = report_of("ss=iops:1000\nss_dur=2\n");
  CHECK(deviation["ss"] == "iops:1000.000000");
  CHECK(deviation["attained"] == 1);
  CHECK(deviation["criterion"] == "80.500000");
  CHECK(deviation["max_deviation"] == 80.5);
  CHECK(deviation["slope"] == 0.0);
}

TEST_CASE("moments") {
  FioMoments m;
  CHECK(m.mean() == 0);
  CHECK(m.min() == 0);
  for (const char digit : std::string("24445579")) m.add(static_cast<uint64_t>(digit - '0'));
  CHECK(m.mean() == 5);
  CHECK(m.deviation() == doctest::Approx(2.13809).epsilon(1e-5));
  FioMoments other;
  other.add(100);
  m.merge(other);
  CHECK(m.max() == 100);
  CHECK(m.min() == 2);
}

// One request per ms for 400 ms: 4 KiB, slat 1 us, clat 99 us; then the end.
struct Scene {
  explicit Scene(const std::string& options, uint32_t threads = 1)
      : folder(fs::temp_directory_path() / "ftlsim_fio_output_test") {
    fs::remove_all(folder);
    fs::create_directories(folder);
    Diagnostics diagnostics;
    const DriveLimits drive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};
    workload =
        *parse_fio_jobs("[global]\ndirect=1\n[j]\n" + options, "t.fio", "t", drive, diagnostics);
    recorder.emplace(workload, folder);
    const JobSpec& job = workload.phases[0].jobs[0];
    for (uint32_t t = 0; t < threads; ++t) recorder->on_thread_begin(t, job, t, Time());
    for (int64_t ms = 0; ms < 400; ++ms) {
      for (uint32_t t = 0; t < threads; ++t) {
        IoEvent event;
        event.thread = t;
        event.depth = 3;
        event.bytes = 4096;
        event.offset = 8192;
        event.called = Time() + Duration::ms(ms);
        event.issued = event.called + Duration::us(1);
        event.completed = event.called + Duration::us(100);
        recorder->on_request(event);
      }
    }
    for (uint32_t t = 0; t < threads; ++t) recorder->on_thread_end(t, Time() + Duration::ms(400));
  }
  ~Scene() { fs::remove_all(folder); }

  std::string file(const std::string& name) const {
    std::ifstream in(folder / name);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

  fs::path folder;
  Workload workload;
  std::optional<FioRecorder> recorder;
};

TEST_CASE("JSON: rates, latencies, shares") {
  const Scene scene("rw=randread\niodepth=4\nbwavgtime=100\n");
  const std::string text = render_fio_json(scene.recorder->report(), true);
  CHECK(text.starts_with("{"));
  const auto json = nlohmann::json::parse(text);
  CHECK(json["fio version"] == "fio-3.33");
  CHECK(json["time"] == "Thu Jan  1 00:00:00 1970");
  CHECK(json["global options"]["direct"] == "1");
  const auto& job = json["jobs"][0];
  CHECK(job["jobname"] == "j");
  CHECK(job["job options"]["rw"] == "randread");
  CHECK(job["read"]["total_ios"] == 400);
  CHECK(job["read"]["iops"] == 1000.0);
  CHECK(job["read"]["bw_bytes"] == 4'096'000);
  CHECK(job["read"]["bw"] == 4000);
  CHECK(job["read"]["runtime"] == 400);
  CHECK(job["read"]["clat_ns"]["mean"] == 99'000.0);
  CHECK(job["read"]["clat_ns"]["bins"].size() == 1);
  CHECK(job["read"]["clat_ns"]["percentile"]["99.000000"] ==
        FioBins::value_of(FioBins::index_of(99'000)));
  CHECK_FALSE(job["read"]["lat_ns"].contains("percentile"));
  CHECK_FALSE(job["write"]["clat_ns"].contains("percentile"));
  CHECK(job["read"]["bw_samples"] == 4);
  CHECK(job["read"]["bw_mean"] == 4000.0);
  CHECK(job["iodepth_level"]["2"] == 100.0);
  CHECK(job["latency_us"]["250"] == 100.0);
}

TEST_CASE("groups are one result, threads on their own are several") {
  const std::string options = "rw=randread\nnumjobs=2\n";
  CHECK(Scene(options, 2).recorder->report().results.size() == 2);
  const Scene group(options + "group_reporting\n", 2);
  const FioReport grouped = group.recorder->report();
  REQUIRE(grouped.results.size() == 1);
  CHECK(grouped.results[0].threads == 2);
  CHECK(grouped.results[0].directions[0].requests == 800);
}

TEST_CASE("logs: windows, requests, offsets, histograms") {
  const Scene windows(
      "rw=randread\nwrite_bw_log=w\nwrite_iops_log=w\nwrite_lat_log=w\nlog_avg_msec=100\n"
      "write_hist_log=h\nlog_hist_msec=200\nlog_hist_coarseness=4\n");
  CHECK(windows.file("w_bw.1.log") ==
        "100, 4000, 0, 0, 0\n200, 4000, 0, 0, 0\n300, 4000, 0, 0, 0\n400, 4000, 0, 0, 0\n");
  CHECK(windows.file("w_iops.1.log").starts_with("100, 1000, 0, 0, 0\n"));
  CHECK(windows.file("w_lat.1.log").starts_with("100, 100000, 0, 0, 0\n"));
  CHECK(windows.file("w_slat.1.log").starts_with("100, 1000, 0, 0, 0\n"));
  CHECK(windows.file("w_clat.1.log").starts_with("100, 99000, 0, 0, 0\n"));
  const std::string hist = windows.file("h_clat_hist.1.log");
  CHECK(hist.starts_with("200, 0, 4096, "));
  CHECK(std::count(hist.begin(), hist.end(), '\n') == 2);
  CHECK(std::count(hist.begin(), hist.end(), ',') == 2 * (2 + 116));

  const Scene each("rw=randread\nwrite_bw_log=w\nwrite_lat_log=w\nlog_offset=1\nlog_prio=1\n");
  CHECK(each.file("w_bw.1.log").starts_with("0, 41373, 0, 4096, 8192, 0x0000\n"));
  CHECK(each.file("w_clat.1.log").starts_with("0, 99000, 0, 4096, 8192, 0x0000\n1, 99000,"));
}

// As in logs of fio 3.42: "500, 158, 7280, 0, 0, 0", "0, 320849, 0, 4096, 4096000, 0x0000, 189853".
TEST_CASE("logs: mean beside the largest, issue times, one file for all threads") {
  const Scene both(
      "rw=randread\nwrite_bw_log=w\nwrite_lat_log=w\nlog_avg_msec=100\n"
      "log_window_value=both\n");
  CHECK(both.file("w_clat.1.log").starts_with("100, 99000, 99000, 0, 0, 0\n200, "));
  CHECK(both.file("w_bw.1.log").starts_with("100, 4000, 4000, 0, 0, 0\n200, "));

  const Scene issue(
      "rw=randread\nwrite_bw_log=w\nwrite_lat_log=w\nlog_offset=1\nlog_prio=1\n"
      "log_issue_time=1\n");
  CHECK(issue.file("w_bw.1.log").starts_with("0, 41373, 0, 4096, 8192, 0x0000, 0\n"));
  CHECK(issue.file("w_clat.1.log")
            .starts_with("0, 99000, 0, 4096, 8192, 0x0000, 0\n1, 99000, 0, 4096, 8192, 0x0000, "
                         "1000000\n"));

  const Scene shared("rw=randread\nnumjobs=2\nwrite_bw_log=w\nlog_avg_msec=200\nper_job_logs=0\n",
                     2);
  CHECK(shared.file("w_bw.log") ==
        "200, 4000, 0, 0, 0\n400, 4000, 0, 0, 0\n200, 4000, 0, 0, 0\n400, 4000, 0, 0, 0\n");
  CHECK(shared.file("w_bw.1.log").empty());
}

TEST_CASE("ramp time does not count, and moves the clock of the logs") {
  const Scene scene("rw=randread\nramp_time=200ms\nwrite_bw_log=w\nlog_avg_msec=100\n");
  const FioReport report = scene.recorder->report();
  CHECK(report.results[0].directions[0].requests == 200);
  CHECK(report.results[0].span() == Duration::ms(200));
  CHECK(scene.file("w_bw.1.log") == "100, 4000, 0, 0, 0\n200, 4000, 0, 0, 0\n");
}

TEST_CASE("terse and normal") {
  const Scene scene("rw=randread\n");
  const FioReport report = scene.recorder->report();
  const std::string terse = render_fio(report, FioFormat::kTerse);
  CHECK(terse.starts_with("3;fio-3.33;j;0;0;1600;4000;1000;400;1;1;1.000000;0.000000;99;99;"));
  CHECK(std::count(terse.begin(), terse.end(), ';') == 120);
  const std::string normal = render_fio(report, FioFormat::kNormal);
  CHECK(normal.find("  read: IOPS=1000, BW=4000KiB/s (4096kB/s)(1600KiB/400msec)") !=
        std::string::npos);
  CHECK(normal.find("Run status group 0 (all jobs):\n   READ: bw=4000KiB/s") != std::string::npos);
  CHECK_FALSE(fio_format("xml").has_value());
}

// fio 3.33 has 89 fields for `mixed`, 171 for `both` and 130 without, nine of them for a block
// device.
TEST_CASE("reads and writes as one, alone or beside themselves") {
  const auto has = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
  };
  const auto doubled = [](const Scene& scene) {
    FioReport report = scene.recorder->report();
    report.results[0].directions[1] = report.results[0].directions[0];
    return report;
  };
  const Scene alone("rw=randrw\nunified_rw_reporting=mixed\n");
  const FioReport mixed = doubled(alone);
  const std::string terse = render_fio(mixed, FioFormat::kTerse);
  CHECK(terse.starts_with("3;fio-3.33;j;0;0;3200;8000;2000;400;1;1;1.000000;0.000000;99;99;"));
  CHECK(std::count(terse.begin(), terse.end(), ';') == 89 - 9 - 1);
  const std::string normal = render_fio(mixed, FioFormat::kNormal);
  CHECK(has(normal, "\n  mixed: IOPS=2000, BW=8000KiB/s (8192kB/s)(3200KiB/400msec)\n"));
  CHECK_FALSE(has(normal, "  read: "));
  CHECK(has(normal, "issued rwts: total=800,0,0,0 "));
  CHECK(has(normal,
            "(all jobs):\n  MIXED: bw=8000KiB/s (8192kB/s), 8000KiB/s-8000KiB/s "
            "(8192kB/s-8192kB/s), io=3200KiB (3277kB), run=400-400msec\n"));
  const Scene beside("rw=randrw\nunified_rw_reporting=both\n");
  const FioReport both = doubled(beside);
  const std::string fields = render_fio(both, FioFormat::kTerse);
  CHECK(std::count(fields.begin(), fields.end(), ';') == 171 - 9 - 1);
  CHECK(has(fields, ";1600;4000;1000;400;"));
  CHECK(has(fields, ";3200;8000;2000;400;"));
  const std::string text = render_fio(both, FioFormat::kNormal);
  CHECK(has(text, "  read: IOPS=1000"));
  CHECK(has(text, "  mixed: IOPS=2000"));
  CHECK(has(text, "issued rwts: total=400,400,0,0 "));
  CHECK(has(text, "  WRITE: bw=4000KiB/s"));
  CHECK(has(text, "  MIXED: bw=8000KiB/s (8192kB/s), 4000KiB/s-4000KiB/s "));
}

TEST_CASE("fio-plot's names") {
  Workload workload = Scene("rw=randread\niodepth=16\nnumjobs=2\n").workload;
  CHECK_FALSE(wants_fio_logs(workload));
  add_fio_plot_logs(workload, Duration::s(1));
  CHECK(wants_fio_logs(workload));
  CHECK(workload.phases[0].jobs[0].report.bw_log == "randread-iodepth-16-numjobs-2");
}

}  // namespace
}  // namespace ftlsim
