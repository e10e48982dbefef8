// What ends jobs early: the end of another, rates and latencies, errors, the steady state of the
// latency. What fio 3.33 did with the same jobs stands beside the checks.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "tests/unit/workload_fake_host.h"
#include "tools/fio/fio_output.h"
#include "tools/fio/fio_recorder.h"
#include "workloads/fio_jobs.h"
#include "workloads/job_guard.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

struct EndRun final : PhaseObserver {
  explicit EndRun(const std::string& text, FakeHost::Options options = {})
      : sim(1), host(sim, options) {
    Diagnostics diagnostics;
    const DriveLimits drive{host.capacity(), host.lba_size(), host.mdts()};
    std::optional<Workload> loaded = parse_fio_jobs(text, "t.fio", "t", drive, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(loaded.has_value());
    workload = std::move(*loaded);
    recorder.emplace(workload, std::nullopt);
    runner.emplace(sim, host, workload, 1, *this);
    runner->set_io_observer(&*recorder);
    runner->start();
    sim.run();
    CHECK(runner->complete());
    CHECK(host.outstanding() == 0);
    report = recorder->report();
  }
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult& result) override {
    CHECK(result.issued() == result.completed());
    ++phases;
  }

  // Whole tenths of a second that a job ran, and its error.
  std::string text() const {
    std::string out;
    for (const FioResult& r : report.results)
      out += fmt::format("{}{}:{}/{}", out.empty() ? "" : " ", r.job->name,
                         (r.runtime + Duration::ms(50)) / Duration::ms(100),
                         static_cast<int>(r.error_number()));
    return out;
  }

  Simulator sim;
  FakeHost host;
  Workload workload;
  std::optional<FioRecorder> recorder;
  std::optional<WorkloadRunner> runner;
  FioReport report;
  int phases = 0;
};

const std::string kSlow =
    "[global]\nfilename=/dev/sda\nsize=1m\ntime_based\nrw=read\nrate_iops=100\n";

TEST_CASE("exitall: the group, all running jobs, or everything ends with the first") {
  const std::string jobs = "[b]\nruntime=3\n[c]\nruntime=2\nnew_group\n[d]\nstonewall\nruntime=1\n";
  const EndRun group(kSlow + "[a]\nruntime=1\nexitall\n" + jobs);
  CHECK(group.text() == "a:10/0 b:10/0 c:20/0 d:10/0");  // exitall of one job counts for all
  const EndRun stonewall(kSlow + "exitall\nexit_what=stonewall\n[a]\nruntime=1\n" + jobs);
  CHECK(stonewall.text() == "a:10/0 b:10/0 c:10/0 d:10/0");
  const EndRun all(kSlow + "exitall\n[a]\nexit_what=all\nruntime=1\n" + jobs);
  CHECK(all.text() == "a:10/0 b:10/0 c:10/0");
  CHECK(all.phases == 1);
  CHECK(EndRun(kSlow + "[a]\nruntime=1\n" + jobs).text() == "a:10/0 b:30/0 c:20/0 d:10/0");
}

TEST_CASE("exitall ends a job that waits and has a start delay, too") {
  CHECK(EndRun(kSlow + "exitall\n[a]\nruntime=1\n[b]\nwait_for=a\nstartdelay=2\nruntime=3\n")
            .text() == "a:10/0 b:0/0");
}

TEST_CASE("a job that ends within its ramp is reported whole") {
  const EndRun run(
      "[global]\nfilename=/dev/sda\nsize=1m\nrw=read\nrate_iops=100\n"
      "[a]\nramp_time=5\nnumber_ios=20\n[b]\ntime_based\nramp_time=1\nruntime=1\n");
  REQUIRE(run.report.results.size() == 2);
  uint64_t requests = 0;
  for (const FioDirectionResult& d : run.report.results[0].directions) requests += d.requests;
  CHECK(requests == 20);
  // The other leaves its ramp out.
  CHECK(run.text().find("b:10/0") != std::string::npos);
}

TEST_CASE("exitall reaches jobs that have not begun") {
  const EndRun run(kSlow +
                   "exitall\n[a]\nruntime=1\n[delayed]\nruntime=4\nstartdelay=2\n"
                   "[waiting]\nruntime=4\nwait_for=a\n");
  CHECK(run.text() == "a:10/0 delayed:0/0 waiting:0/0");
  CHECK(run.sim.now() < Time() + Duration::ms(1100));
  // A clone ends its siblings too.
  const EndRun clones(kSlow + "exitall\n[a]\nnumjobs=2\nstartdelay=0-1\nruntime=2\n");
  const std::vector<FioResult>& results = clones.report.results;
  CHECK(results[0].end - results[1].end < Duration::ms(20));
  CHECK(results[1].end - results[0].end < Duration::ms(20));
}

// fio 3.33 ended the job below after 3.0 s with the error 5.
TEST_CASE("a rate below its minimum ends the job, two seconds and a cycle after the start") {
  CHECK(EndRun(kSlow + "[a]\nrate_min=1m\nruntime=4\n[b]\nruntime=4\n").text() == "a:30/5 b:40/0");
  CHECK(EndRun(kSlow + "[a]\nrate_min=1m\nrate_cycle=500\nruntime=4\n").text() == "a:25/5");
  CHECK(EndRun(kSlow + "[a]\nrate_min=380k\nruntime=4\n").text() == "a:40/0");
  CHECK(EndRun(kSlow + "[a]\nrate_iops=90\nrate_iops_min=90\nthinktime=30ms\nruntime=4\n").text() ==
        "a:30/5");
  CHECK(EndRun(kSlow + "[a]\nrate_min=,1m\nruntime=4\n").text() == "a:40/0");  // of writes
  // Together with exitall_on_error.
  CHECK(EndRun(kSlow + "exitall_on_error\n[a]\nrate_min=1m\nruntime=4\n[b]\nruntime=4\n").text() ==
        "a:30/5 b:30/0");
}

TEST_CASE("a request above max_latency ends the job") {
  const EndRun run(kSlow + "[a]\nmax_latency=13us\nruntime=1\n[b]\nmax_latency=14us\nruntime=1\n");
  CHECK(run.text() == "a:0/110 b:10/0");  // a request takes 13.5 us
  CHECK(run.report.results[0].directions[0].requests == 1);
  CHECK(EndRun(kSlow + "[a]\nmax_latency=,5us\nruntime=1\n").text() == "a:10/0");
}

// fio 3.33, with the ninth of 64 reads failing: error 5, 9 requests, 8 * 4 KiB; with
// continue_on_error=read or all: error 5, 64 requests, 63 * 4 KiB and total_err 1.
TEST_CASE("a media error ends the job unless it is to go on") {
  FakeHost::Options broken;
  broken.bad_lba = 64;  // the ninth request of 4 KiB
  const std::string jobs = "[j]\nrw=read\nsize=256k\n";
  const EndRun ends(jobs, broken);
  CHECK(ends.text() == "j:0/5");
  CHECK(ends.report.results[0].directions[0].requests == 9);
  CHECK(ends.report.results[0].directions[0].bytes == 8 * 4096);
  CHECK(ends.report.results[0].directions[0].lat.moments.count() == 8);
  const EndRun others(jobs + "continue_on_error=write\n", broken);
  CHECK(others.report.results[0].directions[0].requests == 9);
  for (const char* word : {"read", "io", "all", "1"}) {
    const EndRun goes_on(jobs + "continue_on_error=" + word, broken);
    CHECK(goes_on.text() == "j:0/5");
    CHECK(goes_on.report.results[0].directions[0].requests == 64);
    CHECK(goes_on.report.results[0].directions[0].bytes == 63 * 4096);
    CHECK(goes_on.report.results[0].errors == 1);
    const std::string json = render_fio(goes_on.report, FioFormat::kJson);
    CHECK(json.find("\"total_err\": 1,\n      \"first_error\": 5,") != std::string::npos);
    CHECK(render_fio(goes_on.report, FioFormat::kTerse).ends_with(";1;5\n"));
    CHECK(render_fio(goes_on.report, FioFormat::kNormal)
              .find("     errors    : total=1, first_error=5/<Input/output error>\n") !=
          std::string::npos);
  }
  const std::string normal = render_fio(ends.report, FioFormat::kNormal);
  CHECK(normal.starts_with(
      "j: (groupid=0, jobs=1): err= 5 (func=io_u error, error=Input/output error): pid=0: "));
  CHECK(render_fio(ends.report, FioFormat::kTerse).starts_with("3;fio-3.33;j;0;5;"));
  // With a queue, what is in flight completes.
  const EndRun deep(jobs + "iodepth=16\nioengine=libaio\niodepth_batch=4\n", broken);
  CHECK(deep.text() == "j:0/5");
  CHECK(deep.report.results[0].directions[0].requests < 40);
}

TEST_CASE("the steady state of the latency") {
  const EndRun run(
      "[j]\nrw=randread\nsize=1m\ntime_based\nruntime=30\nss=lat:5%\nss_dur=3\niodepth=4\n"
      "ioengine=libaio\n");
  CHECK(run.text() == "j:30/0");  // 3 s, of constant latency
  const FioSteady& steady = run.report.results[0].steady.value();
  CHECK(steady.attained);
  const double mean = run.report.results[0].directions[0].clat.moments.mean();
  CHECK(static_cast<double>(FioSteady::mean(steady.lat)) == doctest::Approx(mean).epsilon(0.01));
  CHECK(render_fio(run.report, FioFormat::kJson).find("\"ss\": \"lat:5.000000%\"") !=
        std::string::npos);
}

TEST_CASE("a guard without limits on a kind lets it pass") {
  LimitSpec limits;
  limits.ends_on_error = {true, false, false};
  limits.max_latency[1] = Duration::us(10);
  JobGuard guard(&limits);
  CHECK(guard.add(Direction::kRead, 4096, false, Duration::s(1), Duration::s(1)));
  CHECK(guard.add(Direction::kWrite, 4096, true, Duration::s(1), Duration::s(1)));
  CHECK(guard.add(Direction::kWrite, 4096, false, Duration::us(10), Duration::s(1)));
  CHECK_FALSE(guard.add(Direction::kWrite, 4096, false, Duration::ns(10'001), Duration::s(1)));
  CHECK(guard.error().error == JobError::kTimedOut);
  CHECK_FALSE(guard.add(Direction::kRead, 4096, true, Duration{}, Duration::s(1)));
  CHECK(guard.error().error == JobError::kTimedOut);  // the first one counts
}

}  // namespace
}  // namespace ftlsim
