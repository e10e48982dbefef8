// The hot structures by themselves: event queue, map, pending index, histogram.
#include <benchmark/benchmark.h>

#include <memory>
#include <vector>

#include "ftl/buffer/pending_index.h"
#include "ftl/map/flat_map.h"
#include "ftl/space/superblock_table.h"
#include "nand/media.h"
#include "sim/histogram.h"
#include "sim/rng.h"
#include "sim/simulator.h"

namespace ftlsim {
namespace {

// Hold model: each event schedules itself again with a delay of the flash mix.
template <class Queue>
struct Holder final : Event {
  Holder() : Event(Phase::kMedia) {}
  void fire() override {
    static constexpr int64_t kDelays[] = {0, 0, 200, 3300, 13300, 45000, 350000, 1170000};
    const int64_t base = kDelays[rng->below(8)];
    scheduler->schedule_in(*this, Duration::ns(base + static_cast<int64_t>(rng->below(64))));
  }
  Scheduler<Queue>* scheduler = nullptr;
  Rng* rng = nullptr;
};

template <class Queue>
void BM_queue_hold(benchmark::State& state) {
  Scheduler<Queue> scheduler;
  Rng rng(1, "bench/queue");
  std::vector<std::unique_ptr<Holder<Queue>>> events;
  for (int64_t i = 0; i < state.range(0); ++i) {
    events.push_back(std::make_unique<Holder<Queue>>());
    events.back()->scheduler = &scheduler;
    events.back()->rng = &rng;
    scheduler.schedule(*events.back(), Time::at_ns(static_cast<int64_t>(rng.below(1'000'000))));
  }
  uint64_t before = scheduler.events_fired();
  for (auto _ : state) scheduler.run_until(scheduler.now() + Duration::us(1000));
  state.counters["events/s"] = benchmark::Counter(
      static_cast<double>(scheduler.events_fired() - before), benchmark::Counter::kIsRate);
  for (auto& e : events) scheduler.cancel(*e);
}
BENCHMARK_TEMPLATE(BM_queue_hold, WheelQueue)->RangeMultiplier(4)->Range(64, 16384);
BENCHMARK_TEMPLATE(BM_queue_hold, HeapQueue)->RangeMultiplier(4)->Range(64, 4096);

GeometryConfig bench_geometry() {
  GeometryConfig g;
  g.blocks_per_plane = 64;
  g.factory_bad_blocks = 0;
  return g;
}

struct NoDeadSuperblocks final : DeadSink {
  void superblock_dead(SuperblockId) override {}
};

struct MapFixture {
  MapFixture() : media(bench_geometry(), 1), table(media), map(kUnits, 0, table) {
    map.set_dead_sink(dead);
    for (uint32_t i = 0; i < kUnits; i += 32) map.update(Lpn(i), Ppn(i), 32);
  }
  static constexpr uint32_t kUnits = 32u << 20;  // 128 GiB, a table of 128 MiB
  Media media;
  SuperblockTable table;
  FlatMap map;
  NoDeadSuperblocks dead;
};

void BM_map_lookup_random(benchmark::State& state) {
  static MapFixture f;
  Rng rng(1, "bench/map");
  uint64_t sum = 0;
  for (auto _ : state)
    sum += f.map.lookup(Lpn(static_cast<uint32_t>(rng.below(MapFixture::kUnits))), 1).ppn.value();
  benchmark::DoNotOptimize(sum);
}
BENCHMARK(BM_map_lookup_random);

void BM_map_update_sequential_32(benchmark::State& state) {
  static MapFixture f;
  uint32_t lpn = 0;
  for (auto _ : state) {
    f.map.update(Lpn(lpn), Ppn(lpn), 32);
    lpn = (lpn + 32) % MapFixture::kUnits;
  }
}
BENCHMARK(BM_map_update_sequential_32);

void BM_pending_index(benchmark::State& state) {
  PendingIndex index(8192, false);
  Rng rng(1, "bench/pending");
  std::vector<uint32_t> ring(4096);
  size_t at = 0;
  for (auto _ : state) {
    const uint32_t old = ring[at];
    if (old != 0) index.settle(Lpn(old), Ppn(old), 1);
    ring[at] = static_cast<uint32_t>(1 + rng.below(1u << 28));
    index.put(Lpn(ring[at]), Ppn(ring[at]), 1);
    at = (at + 1) % ring.size();
  }
}
BENCHMARK(BM_pending_index);

void BM_histogram_add(benchmark::State& state) {
  LatencyHistogram h;
  Rng rng(1, "bench/histogram");
  for (auto _ : state) h.add(Duration::ns(static_cast<int64_t>(rng.next() >> 44)));
  benchmark::DoNotOptimize(h.count());
}
BENCHMARK(BM_histogram_add);

}  // namespace
}  // namespace ftlsim
