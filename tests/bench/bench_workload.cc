// Commands per second of the workload engine against a host interface that completes after a fixed
// time, and of its parts alone.
#include <benchmark/benchmark.h>

#include <string>

#include "sim/simulator.h"
#include "tests/unit/workload_fake_host.h"
#include "workloads/block_distribution.h"
#include "workloads/block_permutation.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

constexpr Bytes kCapacity = Bytes(1'000'204'886'016);

struct NoObserver final : PhaseObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult&) override {}
};

JobSpec job(RwKind rw, Bytes block) {
  JobSpec spec;
  spec.name = spec.stream = "bench";
  spec.rw = rw;
  spec.block_size.fill(block);
  spec.size = kCapacity;
  spec.iodepth = 32;
  return spec;
}

// Generator, accounting, event queue and fake host together.
void run_engine(benchmark::State& state, const JobSpec& base) {
  constexpr uint64_t kRequests = 1'000'000;
  JobSpec spec = base;
  spec.io_size = spec.block_size[0] * kRequests;
  for (auto _ : state) {
    Simulator sim(1);
    FakeHost::Options options;
    options.capacity = kCapacity;
    options.keep_log = false;
    FakeHost host(sim, options);
    PhaseSpec phase;
    phase.name = phase.kind = "bench";
    phase.jobs.push_back(spec);
    const Workload workload{"bench", {}, {phase}};
    NoObserver observer;
    WorkloadRunner runner(sim, host, workload, 1, observer);
    runner.start();
    sim.run();
    benchmark::DoNotOptimize(runner.completed_requests());
  }
  state.SetItemsProcessed(static_cast<int64_t>(kRequests) * state.iterations());
}

void workload_sequential_write(benchmark::State& state) {
  run_engine(state, job(RwKind::kWrite, Bytes::kib(128)));
}
void workload_random_read_map(benchmark::State& state) {
  run_engine(state, job(RwKind::kRandRead, Bytes::kib(4)));
}
void workload_random_read_no_map(benchmark::State& state) {
  JobSpec spec = job(RwKind::kRandRead, Bytes::kib(4));
  spec.norandommap = true;
  run_engine(state, spec);
}
void workload_random_mix(benchmark::State& state) {
  run_engine(state, job(RwKind::kRandReadWrite, Bytes::kib(4)));
}

void workload_source_alone(benchmark::State& state) {
  JobSpec spec = job(RwKind::kRandRead, Bytes::kib(4));
  spec.time_based = true;
  SyntheticSource source(spec, 1, 0);
  IoRequest request;
  for (auto _ : state) {
    source.next(request);
    benchmark::DoNotOptimize(request);
  }
  state.SetItemsProcessed(state.iterations());
}

// One draw over the whole drive in blocks of 4 KiB.
void draw(benchmark::State& state, Spread spread, double parameter) {
  DistributionSpec spec;
  spec.spread = spread;
  spec.parameter = parameter;
  Rng rng(1, "bench");
  const BlockDistribution distribution(spec, 0, kCapacity / Bytes::kib(4), Bytes::kib(4), rng);
  for (auto _ : state) benchmark::DoNotOptimize(distribution.draw(rng));
  state.SetItemsProcessed(state.iterations());
}
void workload_draw_zipf(benchmark::State& state) { draw(state, Spread::kZipf, 1.1); }
void workload_draw_pareto(benchmark::State& state) { draw(state, Spread::kPareto, 0.2); }
void workload_draw_normal(benchmark::State& state) { draw(state, Spread::kNormal, 10); }

BENCHMARK(workload_sequential_write)->Unit(benchmark::kMillisecond);
BENCHMARK(workload_random_read_map)->Unit(benchmark::kMillisecond);
BENCHMARK(workload_random_read_no_map)->Unit(benchmark::kMillisecond);
BENCHMARK(workload_random_mix)->Unit(benchmark::kMillisecond);
BENCHMARK(workload_source_alone);
BENCHMARK(workload_draw_zipf);
BENCHMARK(workload_draw_pareto);
BENCHMARK(workload_draw_normal);

}  // namespace
}  // namespace ftlsim
