// Load ramps and rounds in the workload engine, against a fake host: shared sources, rates,
// warm-ups, rates that follow from an earlier phase, and rounds that end when they are steady.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/unit/workload_fake_host.h"
#include "workloads/access_source.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

struct Recorder final : PhaseObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult& result) override {
    names.push_back(result.spec->name);
    phases.push_back(result);
  }
  std::vector<std::string> names;
  std::vector<PhaseResult> phases;
};

// A phase of one job of `threads` threads with 4 KiB reads for `seconds`.
PhaseSpec phase_of(const std::string& name, uint32_t threads, double seconds,
                   uint32_t random_percent = 100) {
  AccessLine line;
  line.sizes = {{Bytes::kib(4)}};
  line.random = random_percent * 10'000;
  line.length = Bytes::mib(32);
  JobSpec job;
  job.name = job.stream = name;
  job.access.lines = {line};
  job.numjobs = threads;
  job.runtime = Duration::ns(static_cast<int64_t>(seconds * 1e9));
  job.time_based = true;
  describe_access(job);
  PhaseSpec phase;
  phase.name = name;
  phase.kind = "read";
  phase.jobs = {job};
  phase.load = LoadPoint{"table", "max", threads, 0, 0, 0};
  return phase;
}

// The same with its requests at a rate.
PhaseSpec rated(PhaseSpec phase, uint64_t rate_milli) {
  phase.load->rate_milli = rate_milli;
  phase.jobs[0].access.rate_share = kMillion;
  phase.jobs[0].pace.open_loop = phase.jobs[0].pace.from_issue = true;
  return phase;
}

struct Run {
  explicit Run(std::vector<PhaseSpec> phases)
      : sim(1), host(sim, options()), workload{"test", {}, std::move(phases)} {
    runner.emplace(sim, host, workload, 1, recorder);
    runner->start();
    sim.run();
    CHECK(runner->complete());
    CHECK(runner->fraction_done() == 1);
  }
  static FakeHost::Options options() {
    FakeHost::Options o;
    o.latency = Duration::us(96);
    return o;
  }
  // From the host's call to the end of its handling.
  static constexpr double kServiceUs = 0.8 + 96 + 2 + 0.7;

  Simulator sim;
  FakeHost host;
  Workload workload;
  Recorder recorder;
  std::optional<WorkloadRunner> runner;
};

TEST_CASE("the threads of a job share one source, and keep one request each in flight") {
  Run run({phase_of("seq", 4, 0.01, 0)});
  CHECK(run.host.most_outstanding == 4);
  std::set<uint64_t> lbas;
  for (const FakeHost::Entry& e : run.host.log) lbas.insert(e.lba);
  // One sequence, each place once.
  CHECK(lbas.size() == run.host.log.size());
  CHECK(*lbas.begin() == 0);
  CHECK(*lbas.rbegin() == (lbas.size() - 1) * 8);
  const PhaseResult& phase = run.recorder.phases[0];
  CHECK(phase.measured_iops() == doctest::Approx(4e6 / Run::kServiceUs).epsilon(0.01));
}

TEST_CASE("a rate below the capacity is met; latency counts from the issue") {
  Run run({rated(phase_of("half", 8, 2), 20'000'000)});
  const PhaseResult& phase = run.recorder.phases[0];
  CHECK(phase.rate_milli == 20'000'000);
  CHECK(phase.measured_iops() == doctest::Approx(20'000).epsilon(0.02));
  const LatencyHistogram& latency = phase[Direction::kRead].latency;
  CHECK(latency.mean_ns() == doctest::Approx(Run::kServiceUs * 1000).epsilon(0.001));
  CHECK(latency.min_ns() == latency.max_ns());
}

TEST_CASE("a rate above the capacity gives the capacity, and latency still counts from the issue") {
  Run run({rated(phase_of("over", 2, 0.5), 1'000'000'000)});
  const PhaseResult& phase = run.recorder.phases[0];
  CHECK(phase.measured_iops() == doctest::Approx(2e6 / Run::kServiceUs).epsilon(0.01));
  CHECK(phase[Direction::kRead].latency.max_ns() <= 2 * Run::kServiceUs * 1000);
  CHECK(run.host.most_outstanding == 2);
}

TEST_CASE("what completes in the warm-up is not measured") {
  PhaseSpec phase = phase_of("warm", 1, 1);
  phase.warmup = Duration::ms(250);
  Run run({phase, phase_of("none", 1, 0.1)});
  const PhaseResult& warm = run.recorder.phases[0];
  const uint64_t all = warm[Direction::kRead].completed;
  const uint64_t measured = warm.measured(Direction::kRead).completed;
  CHECK(measured == doctest::Approx(0.75 * static_cast<double>(all)).epsilon(0.001));
  CHECK(warm.measured(Direction::kRead).latency.count() == measured);
  CHECK(warm.measured_span() == warm.end - warm.begin - Duration::ms(250));
  const PhaseResult& none = run.recorder.phases[1];
  CHECK(none.measured(Direction::kRead).completed == none[Direction::kRead].completed);
  CHECK(none.measured_span() == none.end - none.begin);
}

TEST_CASE("a percentage follows from what the earlier phase reached") {
  PhaseSpec rest;
  rest.name = rest.kind = "idle";
  rest.action = PhaseAction::kIdle;
  rest.idle = Duration::s(1);
  std::vector<PhaseSpec> phases{phase_of("max", 4, 0.5), rest};
  for (const double percent : {50.0, 10.0}) {
    PhaseSpec point = rated(phase_of("point", 4, 1), 0);
    point.load->percent = percent;
    point.load->of_back = static_cast<uint32_t>(phases.size());
    phases.push_back(point);
  }
  Run run(phases);
  const auto observed = static_cast<uint64_t>(run.recorder.phases[0].measured_iops() + 0.5);
  CHECK(run.recorder.phases[2].rate_milli == rate_for_percent(observed, 50) * 1000);
  CHECK(run.recorder.phases[3].rate_milli == rate_for_percent(observed, 10) * 1000);
  CHECK(run.recorder.phases[3].measured_iops() ==
        doctest::Approx(static_cast<double>(observed) / 10).epsilon(0.05));
}

TEST_CASE("the steady-state rule on hand-made series") {
  const auto judge = [](std::vector<double> values) { return judge_window(values, SteadyRule{}); };
  CHECK_FALSE(judge({}).full);
  CHECK_FALSE(judge({100, 100, 100, 100}).steady);  // one too few
  CHECK(judge({100, 100, 100, 100, 100}).steady);
  CHECK(judge({7, 900, 100, 100, 100, 100, 100}).steady);  // only the last five count
  // A range of 20 % of the mean without a slope is just inside, more is not.
  CHECK(judge({110, 90, 100, 90, 110}).steady);
  CHECK_FALSE(judge({111, 90, 100, 90, 110}).steady);
  // A line from 95 to 105 rises by 10 % of its mean; from 94.9 it is too much.
  const SteadyWindow line = judge({95, 97.5, 100, 102.5, 105});
  CHECK(line.slope == doctest::Approx(2.5));
  CHECK(line.mean == doctest::Approx(100));
  CHECK(line.range == doctest::Approx(10));
  CHECK(judge({95.01, 97.5, 100, 102.5, 105}).steady);
  CHECK_FALSE(judge({94.8, 97.4, 100, 102.6, 105.2}).steady);
  CHECK_FALSE(judge({105.2, 102.6, 100, 97.4, 94.8}).steady);
}

// `count` rounds of a side phase and a tracked one, and a phase behind them.
std::vector<PhaseSpec> rounds(uint32_t count, const SteadyRule& rule) {
  std::vector<PhaseSpec> phases;
  for (uint32_t i = 1; i <= count; ++i) {
    phases.push_back(phase_of("side-" + std::to_string(i), 1, 0.01));
    phases.push_back(phase_of("main-" + std::to_string(i), 1, 0.02));
    phases.back().round = RoundEnd{"main", i, count, 2, rule, {1}};
  }
  phases.push_back(phase_of("last", 1, 0.01));
  return phases;
}

TEST_CASE("rounds end when the tracked phase is steady; what follows still runs") {
  SteadyRule rule;
  rule.window = 3;
  Run run(rounds(10, rule));
  CHECK(run.recorder.names == std::vector<std::string>{"side-1", "main-1", "side-2", "main-2",
                                                       "side-3", "main-3", "last"});
  for (size_t i = 0; i < 7; ++i) CHECK(run.recorder.phases[i].index == i);
  CHECK_FALSE(run.recorder.phases[3].verdict.has_value());
  REQUIRE(run.recorder.phases[5].verdict.has_value());
  const RoundVerdict& verdict = *run.recorder.phases[5].verdict;
  CHECK(verdict.steady);
  CHECK(verdict.rounds == 3);
  CHECK(verdict.most == 10);
  REQUIRE(verdict.tracked.size() == 1);
  CHECK(verdict.tracked[0].phase == "main-1");
  CHECK(verdict.tracked[0].window.mean == doctest::Approx(1e6 / Run::kServiceUs).epsilon(0.02));
}

TEST_CASE("rounds that never become steady all run, and say so") {
  SteadyRule rule;
  rule.window = 2;
  rule.range = -1;
  Run run(rounds(4, rule));
  CHECK(run.recorder.names.size() == 9);
  REQUIRE(run.recorder.phases[7].verdict.has_value());
  CHECK_FALSE(run.recorder.phases[7].verdict->steady);
  CHECK(run.recorder.phases[7].verdict->rounds == 4);
  CHECK_FALSE(run.recorder.phases[5].verdict.has_value());
}

}  // namespace
}  // namespace ftlsim
