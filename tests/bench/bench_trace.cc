// Records per second of the trace readers alone, and of a whole replay against a host that
// completes after a fixed time. Bounds: 3 M/s for text, 10 M/s for binary traces.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "sim/simulator.h"
#include "tests/unit/workload_fake_host.h"
#include "workloads/trace/replay_load.h"
#include "workloads/trace/trace.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

constexpr uint64_t kRecords = 500'000;

// A row for every i, of a format that fmt spells.
template <class Row>
std::string rows(Row row) {
  std::string text;
  for (uint64_t i = 0; i < kRecords; ++i) row(std::back_inserter(text), i);
  return text;
}
uint64_t somewhere(uint64_t i) { return i * 2654435761 % 200'000'000; }

std::string msr() {
  return rows([](auto out, uint64_t i) {
    fmt::format_to(out, "{},hm,{},{},{},{},{}\n", 128166372003061629 + i * 1000, i % 2,
                   i % 3 == 0 ? "Read" : "Write", somewhere(i) * 512, 4096 * (1 + i % 16), 400);
  });
}
std::string alibaba() {
  return rows([](auto out, uint64_t i) {
    fmt::format_to(out, "{},{},{},{},{}\n", i % 1000, i % 3 == 0 ? 'R' : 'W', somewhere(i) * 4096,
                   4096 * (1 + i % 16), 1577808000000046 + i);
  });
}
std::string iolog() {
  std::string text = "fio version 3 iolog\n0 /dev/nvme0n1 add\n0 /dev/nvme0n1 open\n";
  return text + rows([](auto out, uint64_t i) {
           fmt::format_to(out, "{} /dev/nvme0n1 {} {} {}\n", i, i % 3 == 0 ? "read" : "write",
                          somewhere(i) * 4096, 4096 * (1 + i % 16));
         });
}
std::string blkparse() {
  return rows([](auto out, uint64_t i) {
    fmt::format_to(out, "259,0 {:4} {:8} {:5}.{:09} {:5}  D {:>3} {} + {} [fio]\n", i % 4, i,
                   i / 1'000'000, i % 1'000'000 * 1000, 4711, i % 3 == 0 ? "R" : "WS", somewhere(i),
                   8 * (1 + i % 16));
  });
}
std::string blktrace() {
  std::string bytes;
  for (uint64_t i = 0; i < kRecords; ++i) {
    char record[48] = {};
    const auto put = [&](size_t at, auto value) {
      std::memcpy(record + at, &value, sizeof(value));
    };
    put(0, uint32_t{0x65617407});
    put(8, uint64_t{i * 1000});
    put(16, somewhere(i));
    put(24, uint32_t{4096});
    put(28, uint32_t{(i % 3 == 0 ? 0x0041u : 0x0042u) << 16 | 7});
    put(36, uint32_t{259u << 20});
    bytes.append(record, sizeof(record));
  }
  return bytes;
}

void read_all(benchmark::State& state, const std::string& bytes) {
  for (auto _ : state) {
    std::string error;
    const std::unique_ptr<Trace> trace = Trace::of_memory(bytes, "", {}, error);
    TraceRecord record;
    uint64_t count = 0;
    while (trace->reader().next(record)) ++count;
    if (count != kRecords) state.SkipWithError("records are missing");
  }
  state.SetItemsProcessed(static_cast<int64_t>(kRecords) * state.iterations());
}

void trace_read_msr(benchmark::State& state) { read_all(state, msr()); }
void trace_read_alibaba(benchmark::State& state) { read_all(state, alibaba()); }
void trace_read_iolog(benchmark::State& state) { read_all(state, iolog()); }
void trace_read_blkparse(benchmark::State& state) { read_all(state, blkparse()); }
void trace_read_blktrace(benchmark::State& state) { read_all(state, blktrace()); }

struct NoObserver final : PhaseObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult&) override {}
};

// Reader, filter, order, pace, accounting, event queue and fake host together.
void trace_replay(benchmark::State& state) {
  const std::filesystem::path path = std::filesystem::temp_directory_path() / "ftlsim-bench.trace";
  std::ofstream(path, std::ios::binary) << blktrace();
  PhaseSpec phase;
  phase.name = phase.kind = "replay";
  phase.action = PhaseAction::kReplay;
  phase.replay.emplace().file = path.string();
  const Workload workload{"bench", {}, {phase}};
  FakeHost::Options options;
  options.capacity = Bytes(1'000'204'886'016);
  options.depth = 1024;
  options.keep_log = false;
  for (auto _ : state) {
    Simulator sim(1);
    FakeHost host(sim, options);
    NoObserver observer;
    WorkloadRunner runner(sim, host, workload, 1, observer);
    runner.start();
    sim.run();
    if (runner.completed_requests() != kRecords) state.SkipWithError("records are missing");
  }
  state.SetItemsProcessed(static_cast<int64_t>(kRecords) * state.iterations());
  std::filesystem::remove(path);
}

BENCHMARK(trace_read_msr)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_read_alibaba)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_read_iolog)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_read_blkparse)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_read_blktrace)->Unit(benchmark::kMillisecond);
BENCHMARK(trace_replay)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ftlsim
