// The host's switch for read-ahead, on a drive and from a procedure.
#include <doctest/doctest.h>

#include "ftl/device.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"
#include "tests/unit/workload_fake_host.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

struct NoObserver final : PhaseObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult&) override {}
};

PhaseSpec read_phase(const char* name, bool read_ahead) {
  PhaseSpec phase;
  phase.name = name;
  phase.kind = "read";
  phase.read_ahead = read_ahead;
  phase.jobs.resize(1);
  phase.jobs[0].name = phase.jobs[0].stream = name;
  phase.jobs[0].size = Bytes::mib(1);
  return phase;
}

}  // namespace

TEST_CASE("without read-ahead a sequential reader waits for every sense") {
  DriveConfig c = test::tiny_drive();
  c.read_ahead.streams = 2;
  c.capacity = Bytes::mib(16);
  REQUIRE(test::problems(c, 1).empty());
  Simulator sim(1);
  Device device(sim, c, "drive");
  test::LoadHost host(sim, device.host(), 1);
  const uint32_t units = c.user_slots();
  test::SequentialSource writes(Opcode::kWrite, units, 16);
  host.run(writes, units / 16);
  sim.run();  // everything is on the medium
  const FtlStats& stats = device.firmware().stats();
  // Time of a pass over the drive.
  const auto pass = [&] {
    const Time begin = sim.now();
    test::SequentialSource reads(Opcode::kRead, units, 16);
    host.run(reads, units / 16);
    return host.last_completion() - begin;
  };
  const Duration with = pass();
  const uint64_t ahead = stats.read_ahead_slots;
  CHECK(ahead > units / 2);
  device.host().set_read_ahead(false);
  const Duration without = pass();
  CHECK(stats.read_ahead_slots == ahead);
  // Each request waits at least for one sense and for the transfer of half of it (two channels).
  CHECK(without >= c.nand.timing.read_page * (units / 16));
  CHECK(with < without);
  device.host().set_read_ahead(true);
  CHECK(pass() == with);
  CHECK(stats.read_ahead_slots == 2 * ahead);
}

TEST_CASE("data read ahead are dropped when it is turned off") {
  DriveConfig c = test::tiny_drive();
  c.read_ahead.streams = 2;
  c.capacity = Bytes::mib(16);
  Simulator sim(1);
  Device device(sim, c, "drive");
  test::LoadHost host(sim, device.host(), 1);
  test::SequentialSource writes(Opcode::kWrite, 1024, 16);
  host.run(writes, 64);
  sim.run();
  test::SequentialSource reads(Opcode::kRead, 1024, 16);
  host.run(reads, 4);
  sim.run();
  const FtlStats& stats = device.firmware().stats();
  const uint64_t hits = stats.read_ahead_hit_slots;
  REQUIRE(stats.read_ahead_slots > hits);  // some lines wait for the next request
  device.host().set_read_ahead(false);
  device.host().set_read_ahead(true);
  host.run(reads, 1);
  CHECK(stats.read_ahead_hit_slots == hits);
}

TEST_CASE("the runner sets read-ahead for every phase") {
  Simulator sim(1);
  FakeHost host(sim, {});
  Workload workload;
  workload.name = "w";
  workload.phases = {read_phase("a", true), read_phase("b", false), read_phase("c", true)};
  NoObserver observer;
  WorkloadRunner runner(sim, host, workload, 1, observer);
  runner.start();
  sim.run();
  CHECK(runner.complete());
  CHECK(host.read_ahead == std::vector<bool>{true, false, true});
}

}  // namespace ftlsim
