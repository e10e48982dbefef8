// Job threads that keep a pace: rates, pauses, batches, flows, delays, waiting jobs, detectors. The
// fake host needs 10 us for a command, and a thread 1.5 us of CPU time.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/allocation.h"
#include "tests/unit/workload_fake_host.h"
#include "workloads/fio_jobs.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

struct Keeper final : PhaseObserver, IoObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult& result) override { phases.push_back(result); }
  void on_thread_begin(uint32_t, const JobSpec& job, uint32_t, Time at) override {
    begins.emplace_back(job.name, at);
  }
  void on_request(const IoEvent& event) override {
    if (keep) events.push_back(event);
  }
  void on_thread_error(uint32_t, const ThreadError&) override {}
  void on_thread_end(uint32_t, Time at) override { ends.push_back(at); }
  void on_job_steady(const JobSpec&, const SteadyState& steady) override {
    verdicts.push_back(steady.attained());
  }

  bool keep = true;
  std::vector<PhaseResult> phases;
  std::vector<std::pair<std::string, Time>> begins;
  std::vector<IoEvent> events;
  std::vector<Time> ends;
  std::vector<bool> verdicts;
};

struct Run {
  explicit Run(const std::string& text, bool keep_log = true)
      : sim(1), host(sim, options(keep_log)) {
    Diagnostics diagnostics;
    const DriveLimits drive{host.capacity(), host.lba_size(), host.mdts()};
    std::optional<Workload> loaded = parse_fio_jobs(text, "t.fio", "t", drive, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(loaded.has_value());
    workload = std::move(*loaded);
    runner.emplace(sim, host, workload, 1, keeper);
    runner->set_io_observer(&keeper);
  }
  static FakeHost::Options options(bool keep_log) {
    FakeHost::Options result;
    result.keep_log = keep_log;
    return result;
  }
  Run& go() {
    runner->start();
    sim.run();
    CHECK(runner->complete());
    CHECK(host.outstanding() == 0);
    for (const PhaseResult& p : keeper.phases) CHECK(p.issued() == p.completed());
    return *this;
  }
  double seconds() const { return static_cast<double>(sim.now().to_ns()) * 1e-9; }
  uint64_t completed(Direction d) const { return keeper.phases.at(0)[d].completed; }

  Simulator sim;
  FakeHost host;
  Workload workload;
  Keeper keeper;
  std::optional<WorkloadRunner> runner;
};

const std::string kTimed = "[j]\nsize=1m\ntime_based\nruntime=1\niodepth=16\nioengine=libaio\n";

TEST_CASE("rates hold per direction and decide the mix") {
  Run iops(kTimed + "rw=randread\nrate_iops=1000");
  CHECK(iops.go().completed(Direction::kRead) == 1000);
  CHECK(iops.seconds() == doctest::Approx(1).epsilon(0.01));
  Run mixed(kTimed + "rw=randrw\nrwmixread=70\nrate=4m");
  mixed.go();
  CHECK(mixed.completed(Direction::kRead) == doctest::Approx(1024).epsilon(0.01));
  CHECK(mixed.completed(Direction::kWrite) == doctest::Approx(1024).epsilon(0.01));
  Run poisson(kTimed +
              "rw=randread\nrate_iops=10000\nrate_process=poisson\nio_submit_mode=offload");
  CHECK(poisson.go().completed(Direction::kRead) == doctest::Approx(10'000).epsilon(0.03));
}

TEST_CASE("an open loop counts latency from the due time, a closed one from the call") {
  // 20 k requests are due, the host can do 10 us + 3.5 us at depth 1: 74 k/s; then 200 k/s.
  const std::string rate = "[j]\nrw=randread\nsize=1m\nnumber_ios=200\nrate_iops=200000\n";
  Run closed(rate);
  Run open(rate + "io_submit_mode=offload\n");
  closed.go();
  open.go();
  const IoEvent& last_closed = closed.keeper.events.back();
  const IoEvent& last_open = open.keeper.events.back();
  CHECK(last_closed.completed - last_closed.called == Duration::ns(13'500));
  CHECK(last_open.completed - last_open.called > Duration::us(500));
}

TEST_CASE("think time pauses after every n requests, with nothing in flight") {
  Run run("[j]\nrw=read\nsize=32k\nthinktime=1000\nthinktime_blocks=4\n");
  run.go();
  const std::vector<FakeHost::Entry>& log = run.host.log;
  REQUIRE(log.size() == 8);
  CHECK(log[3].doorbell - log[2].doorbell == Duration::ns(13'500));
  CHECK(log[4].doorbell - log[3].doorbell == Duration::ns(1'013'500));
  Run deep(kTimed + "rw=randread\nthinktime=1ms\nthinktime_blocks=16\nthinktime_blocks_type=issue");
  deep.go();
  const uint64_t done = deep.completed(Direction::kRead);
  CHECK(done % 16 == 0);
  CHECK(done / 16 == doctest::Approx(966).epsilon(0.02));
}

TEST_CASE("batches: handed over together, waited for together, drained to a depth") {
  Run submit("[j]\nrw=read\nsize=64k\niodepth=8\nioengine=libaio\niodepth_batch=4\n");
  submit.go();
  const std::vector<FakeHost::Entry>& log = submit.host.log;
  REQUIRE(log.size() == 16);
  CHECK(log[0].doorbell == log[3].doorbell);
  CHECK(log[4].doorbell > log[3].doorbell);
  Run complete(
      "[j]\nrw=read\nsize=64k\niodepth=8\nioengine=libaio\niodepth_batch_complete_min=8\n");
  complete.go();
  for (size_t i = 8; i < 16; ++i) CHECK(complete.host.log[i].doorbell > Time::at_ns(20'000));
  Run low("[j]\nrw=read\nsize=256k\niodepth=16\nioengine=libaio\niodepth_low=4\n");
  low.go();
  CHECK(low.host.log.size() == 64);
  uint32_t full = 0;
  for (const IoEvent& e : low.keeper.events) full += e.depth == 16;
  CHECK(full == 5);  // it fills up to 16, then 12 at a time
}

TEST_CASE("flows share by weight, and a member that ends lets the others go on") {
  Run run(
      "[global]\nsize=1m\ntime_based\nruntime=1\niodepth=4\nioengine=libaio\n"
      "[b]\nrw=write\nflow=1\n[a]\nrw=randread\nflow=8\n");
  run.go();
  const auto reads = static_cast<double>(run.completed(Direction::kRead));
  const auto writes = static_cast<double>(run.completed(Direction::kWrite));
  CHECK(reads / writes == doctest::Approx(8).epsilon(0.01));
  Run left("[global]\nsize=64k\n[b]\nrw=write\nflow=1\n[a]\nrw=randread\nflow=8\n");
  left.go();
  CHECK(left.completed(Direction::kWrite) == 16);
  CHECK(left.completed(Direction::kRead) == 16);
}

TEST_CASE("start delays and waiting jobs") {
  Run run(
      "[global]\nsize=64k\nrw=read\n[a]\nstartdelay=2\n[b]\nwait_for=a\n[c]\nstartdelay=1-3\n"
      "numjobs=4\n");
  run.go();
  const auto& begins = run.keeper.begins;
  REQUIRE(begins.size() == 6);
  for (const auto& [name, at] : begins) {
    if (name == "a") CHECK(at == Time() + Duration::s(2));
    if (name == "b") CHECK(at > Time() + Duration::s(2));
    if (name == "b") CHECK(at < Time() + Duration::s(2) + Duration::ms(1));
    if (name == "c") CHECK(at >= Time() + Duration::s(1));
  }
  CHECK(run.keeper.phases.size() == 1);
  CHECK(run.completed(Direction::kRead) == 6 * 16);
}

TEST_CASE("ramp time adds to the runtime") {
  Run run("[j]\nrw=read\nsize=64k\ntime_based\nruntime=2\nramp_time=1\n");
  run.go();
  CHECK(run.seconds() == doctest::Approx(3).epsilon(0.001));
}

TEST_CASE("flushes and forced writes reach the drive") {
  Run run("[j]\nrw=write\nsize=64k\nfsync=4\nend_fsync=1\nsync=1\n");
  run.go();
  CHECK(run.host.log.size() == 20);
  CHECK(run.keeper.phases[0].flushes.completed == 4);
  CHECK(run.completed(Direction::kWrite) == 16);
  CHECK(run.host.log.back().opcode == Opcode::kFlush);
}

TEST_CASE("a steady job stops; a latency target settles the depth") {
  Run steady("[j]\nrw=read\nsize=1m\ntime_based\nruntime=60\nss=iops:5%\nss_dur=5\nss_ramp=2\n");
  steady.go();
  CHECK(steady.seconds() == doctest::Approx(7).epsilon(0.01));
  CHECK(steady.runner->steady(0).attained());
  Run target(
      "[j]\nrw=randread\nsize=1m\ntime_based\nruntime=60\niodepth=64\nioengine=libaio\n"
      "latency_target=30us\nlatency_window=100ms\n");
  target.go();
  CHECK(target.seconds() < 2);
}

TEST_CASE("a stop ends sleeping and waiting threads at once") {
  Run run(
      "[a]\nrw=read\nsize=1m\nrate_iops=1\n[b]\nstartdelay=100\nrw=read\n[c]\nwait_for=b\nrw=read\n"
      "[d]\nthinktime=100s\nrw=read\nsize=1m\n");
  run.runner->start();
  run.sim.run_until(Time() + Duration::s(3));
  run.runner->request_stop();
  run.sim.run();
  CHECK(run.runner->finished());
  CHECK(run.sim.now() < Time() + Duration::s(4));
}

TEST_CASE("a pace allocates nothing") {
  Run run(
      "[a]\nrw=randrw\nbssplit=4k/50:300k/50\nnorandommap\nsize=16m\nnumber_ios=1000\niodepth=8\n"
      "ioengine=libaio\nrate=100m\nfsync=8\niodepth_batch=2\nthinktime=10\n"
      "random_distribution=zipf:1.2\n",
      false);
  run.keeper.keep = false;
  run.keeper.begins.reserve(8);
  run.keeper.ends.reserve(8);
  run.keeper.phases.reserve(8);
  run.runner->start();
  const uint64_t before = test::allocation_count();
  run.sim.run();
  CHECK(test::allocation_count() == before);
}

}  // namespace
}  // namespace ftlsim
