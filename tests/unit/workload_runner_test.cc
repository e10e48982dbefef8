// The workload engine against a fake host: order, counts, depth, time limits, splitting, phases,
// stop, accounting, and a run loop without allocations.
#include "workloads/workload_runner.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/allocation.h"
#include "tests/unit/workload_fake_host.h"

namespace ftlsim {
namespace {

// Keeps a copy of every phase's result.
struct Recorder final : PhaseObserver {
  void on_phase_begin(const PhaseResult& result) override { begun.push_back(result.spec->name); }
  void on_phase_end(const PhaseResult& result) override {
    if (keep) phases.push_back(result);
    CHECK(result.issued() == result.completed());
  }
  void on_workload_end() override { ++ends; }

  bool keep = true;
  std::vector<std::string> begun;
  std::vector<PhaseResult> phases;
  int ends = 0;
};

JobSpec job(RwKind rw, Bytes block, Bytes size) {
  JobSpec spec;
  spec.name = spec.stream = "job";
  spec.rw = rw;
  spec.block_size.fill(block);
  spec.size = size;
  return spec;
}

PhaseSpec jobs_phase(std::vector<JobSpec> jobs) {
  PhaseSpec phase;
  phase.name = "phase";
  phase.jobs = std::move(jobs);
  phase.kind = kind_of(phase.jobs);
  return phase;
}

PhaseSpec control(PhaseAction action, Duration idle = {}) {
  PhaseSpec phase;
  phase.name = phase.kind = "control";
  phase.action = action;
  phase.idle = idle;
  return phase;
}

// A whole run.
struct Run {
  explicit Run(std::vector<PhaseSpec> phases, const FakeHost::Options& options = {},
               uint64_t seed = 1)
      : sim(seed), host(sim, options), workload{"test", {}, std::move(phases)} {
    runner.emplace(sim, host, workload, seed, recorder);
  }
  Run& go() {
    runner->start();
    sim.run();
    CHECK(runner->finished());
    CHECK(host.outstanding() == 0);
    CHECK(recorder.ends == 1);
    return *this;
  }
  const PhaseResult& phase(size_t i) const { return recorder.phases.at(i); }

  Simulator sim;
  FakeHost host;
  Workload workload;
  Recorder recorder;
  std::optional<WorkloadRunner> runner;
};

std::vector<uint64_t> lbas(const FakeHost& host) {
  std::vector<uint64_t> result;
  for (const FakeHost::Entry& e : host.log) result.push_back(e.lba);
  return result;
}

TEST_CASE("a sequential job covers its region in order and keeps its depth") {
  JobSpec spec = job(RwKind::kWrite, Bytes::kib(4), Bytes::mib(1));
  spec.offset = Bytes::mib(2);
  spec.iodepth = 8;
  Run run({jobs_phase({spec})});
  run.go();
  REQUIRE(run.host.log.size() == 256);
  for (size_t i = 0; i < 256; ++i) {
    CHECK(run.host.log[i].opcode == Opcode::kWrite);
    CHECK(run.host.log[i].lba == 4096 + 8 * i);
    CHECK(run.host.log[i].blocks == 8);
  }
  CHECK(run.host.most_outstanding == 8);
  const DirectionResult& writes = run.phase(0)[Direction::kWrite];
  CHECK(writes.completed == 256);
  CHECK(writes.bytes == Bytes::mib(1).count());
  CHECK(writes.nvme_commands == 256);
  CHECK(writes.latency.count() == 256);
  CHECK(run.phase(0)[Direction::kRead].completed == 0);
  CHECK(run.phase(0).complete);
  CHECK(run.runner->complete());
  CHECK(run.runner->completed_bytes(Direction::kWrite) == Bytes::mib(1).count());
  CHECK(run.runner->fraction_done() == 1.0);
}

TEST_CASE("host CPU time: latency and rate at depth 1 and at saturation") {
  Run one({jobs_phase({job(RwKind::kRead, Bytes::kib(4), Bytes::kib(400))})});
  one.go();
  // 800 submit + 10,000 drive + 2,000 interrupt + 700 completion.
  const DirectionResult& reads = one.phase(0)[Direction::kRead];
  CHECK(reads.latency.min_ns() == 13'500);
  CHECK(reads.latency.max_ns() == 13'500);
  CHECK(one.phase(0).end == Time::at_ns(100 * 13'500));
  CHECK(one.host.interrupt_latency() == Duration::us(2));

  JobSpec deep = job(RwKind::kRead, Bytes::kib(4), Bytes::mib(40));
  deep.iodepth = 64;
  Run many({jobs_phase({deep})});
  many.go();
  const int64_t per_request = many.phase(0).end.to_ns() / 10'240;
  CHECK(per_request >= 1'500);  // the thread's CPU is the bottleneck
  CHECK(per_request <= 1'510);
}

TEST_CASE("short tail: dropped as fio does, or written") {
  JobSpec spec = job(RwKind::kWrite, Bytes::kib(64), Bytes::kib(200));
  Run fio({jobs_phase({spec})});
  CHECK(fio.go().host.log.size() == 3);
  spec.short_tail = true;
  Run whole({jobs_phase({spec})});
  whole.go();
  REQUIRE(whole.host.log.size() == 4);
  CHECK(whole.host.log[3].blocks == 16);
  CHECK(whole.phase(0).bytes() == Bytes::kib(200).count());
}

TEST_CASE("io_size above the size repeats the region, below it stops early") {
  JobSpec spec = job(RwKind::kWrite, Bytes::kib(4), Bytes::kib(16));
  spec.io_size = Bytes::kib(24);
  CHECK(lbas(Run({jobs_phase({spec})}).go().host) == std::vector<uint64_t>{0, 8, 16, 24, 0, 8});
  spec.io_size = Bytes::kib(8);
  CHECK(lbas(Run({jobs_phase({spec})}).go().host) == std::vector<uint64_t>{0, 8});
  spec.io_size = Bytes::kib(6);  // the last block goes past, as in fio, or is cut
  CHECK(lbas(Run({jobs_phase({spec})}).go().host) == std::vector<uint64_t>{0, 8});
  spec.short_tail = true;
  CHECK(Run({jobs_phase({spec})}).go().phase(0).bytes() == Bytes::kib(6).count());
}

TEST_CASE("random with map: each block once a pass, another order in the next") {
  JobSpec spec = job(RwKind::kRandRead, Bytes::kib(4), Bytes::kib(4 * 1000));
  spec.io_size = Bytes::kib(4 * 2000);
  spec.iodepth = 16;
  Run run({jobs_phase({spec})});
  const std::vector<uint64_t> all = lbas(run.go().host);
  REQUIRE(all.size() == 2000);
  const std::vector<uint64_t> first(all.begin(), all.begin() + 1000);
  const std::vector<uint64_t> second(all.begin() + 1000, all.end());
  CHECK(std::set<uint64_t>(first.begin(), first.end()).size() == 1000);
  CHECK(std::set<uint64_t>(second.begin(), second.end()).size() == 1000);
  CHECK(first != second);
}

TEST_CASE("random without map: with replacement") {
  JobSpec spec = job(RwKind::kRandRead, Bytes::kib(4), Bytes::kib(4 * 1000));
  spec.norandommap = true;
  const std::vector<uint64_t> all = lbas(Run({jobs_phase({spec})}).go().host);
  REQUIRE(all.size() == 1000);
  const size_t distinct = std::set<uint64_t>(all.begin(), all.end()).size();
  CHECK(distinct > 580);  // 1 - 1/e of 1000, give or take
  CHECK(distinct < 680);
}

TEST_CASE("mixed jobs: one map, separate sequential positions, share of reads") {
  JobSpec spec = job(RwKind::kRandReadWrite, Bytes::kib(4), Bytes::mib(16));
  spec.read_percent = 70;
  Run random({jobs_phase({spec})});
  const std::vector<uint64_t> all = lbas(random.go().host);
  CHECK(std::set<uint64_t>(all.begin(), all.end()).size() == 4096);  // R and W together
  const uint64_t reads = random.phase(0)[Direction::kRead].completed;
  CHECK(reads > 4096 * 0.66);
  CHECK(reads < 4096 * 0.74);

  spec.rw = RwKind::kReadWrite;
  spec.block_size = {Bytes::kib(4), Bytes::kib(8), Bytes::kib(4)};
  Run sequential({jobs_phase({spec})});
  sequential.go();
  uint64_t read_at = 0;
  uint64_t write_at = 0;
  for (const FakeHost::Entry& e : sequential.host.log) {
    uint64_t& at = e.opcode == Opcode::kRead ? read_at : write_at;
    CHECK(e.lba == at);
    at += e.opcode == Opcode::kRead ? 8 : 16;
  }
  CHECK(sequential.phase(0).bytes() >= Bytes::mib(16).count());
  CHECK(sequential.phase(0).bytes() < Bytes::mib(16).count() + Bytes::kib(8).count());
}

TEST_CASE("runtime: alone it ends a job early, time_based makes it last") {
  JobSpec spec = job(RwKind::kRead, Bytes::kib(4), Bytes::kib(400));
  spec.runtime = Duration::us(500);
  Run early({jobs_phase({spec})});
  early.go();
  CHECK(early.phase(0).completed() == 38);  // starts at 0, 13.5, ... 499.5 us
  CHECK(early.phase(0).end == Time::at_ns(38 * 13'500));
  spec.runtime = Duration::s(1);
  CHECK(Run({jobs_phase({spec})}).go().phase(0).completed() == 100);
  spec.time_based = true;
  Run based({jobs_phase({spec})});
  based.go();
  CHECK(based.phase(0).completed() == 74'075);
  CHECK(based.host.log[100].lba == 0);
}

TEST_CASE("requests above MDTS are split, and complete when all parts have") {
  FakeHost::Options options;
  options.depth = 4;  // less than the parts of the requests in flight
  options.queues = 1;
  JobSpec spec = job(RwKind::kWrite, Bytes::kib(576), Bytes::kib(576 * 6));
  spec.iodepth = 3;
  Run run({jobs_phase({spec})}, options);
  run.go();
  const DirectionResult& writes = run.phase(0)[Direction::kWrite];
  CHECK(writes.completed == 6);
  CHECK(writes.nvme_commands == 30);
  CHECK(writes.bytes == spec.size.count());
  REQUIRE(run.host.log.size() == 30);
  uint64_t at = 0;
  for (size_t i = 0; i < 30; ++i) {
    CHECK(run.host.log[i].lba == at);
    CHECK(run.host.log[i].blocks == (i % 5 == 4 ? 128 : 256));
    at += run.host.log[i].blocks;
  }
  CHECK(run.host.most_in_queue(0) == 4);
}

TEST_CASE("trims are cut at 2 GiB, not at MDTS") {
  FakeHost::Options options;
  options.capacity = Bytes::gib(5);
  Run run({jobs_phase({job(RwKind::kTrim, Bytes::gib(5), Bytes::gib(5))})}, options);
  run.go();
  REQUIRE(run.host.log.size() == 3);
  CHECK(run.host.log[0].opcode == Opcode::kDeallocate);
  CHECK(run.host.log[0].blocks == 4'194'304);
  CHECK(run.host.log[2].blocks == 2'097'152);
  CHECK(run.phase(0)[Direction::kTrim].completed == 1);
}

TEST_CASE("jobs of a phase run side by side, each thread on its queue; phases do not overlap") {
  JobSpec a = job(RwKind::kRead, Bytes::kib(4), Bytes::kib(64));
  a.numjobs = 5;
  JobSpec b = job(RwKind::kWrite, Bytes::kib(4), Bytes::kib(64));
  Run run({jobs_phase({a, b}), jobs_phase({b})});
  run.go();
  CHECK(run.host.most_outstanding == 6);
  CHECK(run.host.most_in_queue(0) == 2);  // threads 0 and 4
  CHECK(run.host.most_in_queue(1) == 2);
  CHECK(run.host.most_in_queue(2) == 1);
  CHECK(run.phase(0)[Direction::kRead].completed == 80);
  CHECK(run.phase(0)[Direction::kWrite].completed == 16);
  CHECK(run.phase(1).begin == run.phase(0).end);
  for (size_t i = run.host.log.size() - 16; i < run.host.log.size(); ++i)
    CHECK(run.host.log[i].doorbell > run.phase(0).end);
}

TEST_CASE("format, flush and idle") {
  Run run({control(PhaseAction::kFormat), control(PhaseAction::kIdle, Duration::s(3600)),
           control(PhaseAction::kFlush)});
  run.go();
  REQUIRE(run.host.log.size() == 2);
  CHECK(run.host.log[0].opcode == Opcode::kFormat);
  CHECK(run.host.log[1].opcode == Opcode::kFlush);
  CHECK(run.phase(1).end - run.phase(1).begin == Duration::s(3600));
  CHECK(run.phase(2).end - run.phase(2).begin == Duration::ns(13'500));
}

TEST_CASE("ageing without power follows a flush and takes no time; with power it takes all of it") {
  PhaseSpec off = control(PhaseAction::kAge, Duration::s(86'400));
  off.powered = false;
  off.ambient = 55'000;
  PhaseSpec as_before = off;
  as_before.ambient.reset();
  PhaseSpec on = control(PhaseAction::kAge, Duration::s(3600));
  on.ambient = 70'000;
  Run run({off, as_before, on});
  run.go();
  REQUIRE(run.host.log.size() == 2);
  CHECK(run.host.log[0].opcode == Opcode::kFlush);
  REQUIRE(run.host.rests.size() == 2);
  CHECK(run.host.rests[0] == std::pair{Duration::s(86'400), int64_t{55'000}});
  CHECK(run.host.rests[1] == std::pair{Duration::s(86'400), int64_t{25'000}});
  CHECK(run.phase(0).end - run.phase(0).begin == Duration::ns(13'500));
  CHECK(run.phase(2).end - run.phase(2).begin == Duration::s(3600));
  REQUIRE(run.host.ambients.size() == 2);
  CHECK(run.host.ambients[0] == std::pair{run.phase(2).begin, int64_t{70'000}});
  CHECK(run.host.ambients[1] == std::pair{run.phase(2).end, int64_t{25'000}});
}

TEST_CASE("sequences depend on seed, stream and thread alone") {
  JobSpec spec = job(RwKind::kRandRead, Bytes::kib(4), Bytes::mib(1));
  const std::vector<uint64_t> base = lbas(Run({jobs_phase({spec})}).go().host);
  spec.iodepth = 32;
  CHECK(lbas(Run({jobs_phase({spec})}).go().host) == base);
  CHECK(lbas(Run({jobs_phase({spec})}, {}, 2).go().host) != base);
  spec.randseed = 7;
  const std::vector<uint64_t> seeded = lbas(Run({jobs_phase({spec})}).go().host);
  CHECK(seeded != base);
  CHECK(lbas(Run({jobs_phase({spec})}, {}, 2).go().host) == seeded);
  spec.randseed.reset();
  spec.numjobs = 2;
  std::vector<uint64_t> first_thread;
  std::vector<uint64_t> second_thread;
  Run two({jobs_phase({spec})});
  for (const FakeHost::Entry& e : two.go().host.log)
    (e.queue == 0 ? first_thread : second_thread).push_back(e.lba);
  CHECK(first_thread == base);
  CHECK(second_thread != base);
  spec.numjobs = 1;
  spec.stream = "other";
  CHECK(lbas(Run({jobs_phase({spec})}).go().host) != base);
}

TEST_CASE("a stop drains what is in flight and marks the run incomplete") {
  JobSpec spec = job(RwKind::kWrite, Bytes::kib(576), Bytes::mib(32));
  spec.iodepth = 4;
  FakeHost::Options options;
  options.depth = 2;
  options.queues = 1;
  Run run({jobs_phase({spec}), jobs_phase({spec})}, options);
  run.runner->start();
  run.sim.run_until(Time::at_ns(100'000));
  CHECK(run.runner->fraction_done() > 0);
  CHECK(run.runner->fraction_done() < 0.5);
  run.runner->request_stop();
  run.runner->request_stop();
  run.sim.run();
  CHECK(run.runner->finished());
  CHECK_FALSE(run.runner->complete());
  REQUIRE(run.recorder.phases.size() == 1);
  CHECK_FALSE(run.phase(0).complete);
  CHECK(run.phase(0).completed() > 0);
  CHECK(run.host.outstanding() == 0);
  CHECK(run.recorder.ends == 1);
}

TEST_CASE("a stop ends a rest at once, and before the start runs nothing") {
  Run rest({control(PhaseAction::kIdle, Duration::s(100)), control(PhaseAction::kFlush)});
  rest.runner->start();
  rest.sim.run_until(Time::at_ns(5'000));
  rest.runner->request_stop();
  rest.sim.run();
  CHECK(rest.runner->finished());
  CHECK(rest.phase(0).end == Time::at_ns(5'000));
  CHECK(rest.host.log.empty());

  Run never({control(PhaseAction::kFlush)});
  never.runner->request_stop();
  never.runner->start();
  never.sim.run();
  CHECK(never.runner->finished());
  CHECK(never.host.log.empty());
}

TEST_CASE("the run loop allocates nothing") {
  JobSpec spec = job(RwKind::kRandReadWrite, Bytes::kib(256), Bytes::mib(64));
  spec.iodepth = 32;
  spec.numjobs = 2;
  FakeHost::Options options;
  options.keep_log = false;
  Run run({control(PhaseAction::kFormat), jobs_phase({spec, spec}), jobs_phase({spec})}, options);
  run.recorder.keep = false;
  run.recorder.begun.reserve(8);
  run.runner->start();
  const uint64_t before = test::allocation_count();
  run.sim.run();
  const uint64_t allocated = test::allocation_count() - before;
  CHECK(allocated == 0);
  CHECK(run.runner->complete());
}

}  // namespace
}  // namespace ftlsim
