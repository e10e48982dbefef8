// The whole drive, end to end: p41-1tb is filled, read at random, and overwritten at random.
//
// One device lives through all three, in this order. Each prints commands per wall second; the fill
// also without the time that the kernel spent on first-touch page faults (system time), since that
// depends on the host.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "ftl/device.h"
#include "workloads/loader.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

double system_seconds() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_stime.tv_sec) + static_cast<double>(u.ru_stime.tv_usec) * 1e-6;
}

double peak_gigabytes() {
  rusage u{};
  getrusage(RUSAGE_SELF, &u);
  return static_cast<double>(u.ru_maxrss) * 1024e-9;
}

struct Ignore final : PhaseObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult&) override {}
  void on_workload_end() override { done = true; }
  bool done = false;
};

class Drive {
 public:
  static Drive& instance() {
    static Drive drive;
    return drive;
  }

  // Runs a procedure on the drive; returns the number of commands.
  uint64_t run(const std::string& steps) {
    Diagnostics d;
    const std::string file = std::string(FTLSIM_SOURCE_DIR) + "/tests/bench/" + steps;
    auto workload =
        load_workload(file, DriveLimits{config_.capacity, config_.lba_size, config_.queues.mdts},
                      FTLSIM_SOURCE_CONFIG_DIR, d);
    SIM_ASSERT(workload.has_value(), "{}", d.to_string());
    Ignore observer;
    runner_ = std::make_unique<WorkloadRunner>(sim_, device_->host(), *workload, 1, observer);
    const uint64_t before = sim_.events_fired();
    runner_->start();
    while (!observer.done) sim_.run_until(sim_.now() + Duration::s(1));
    events_ = sim_.events_fired() - before;
    return runner_->completed_requests();
  }
  uint64_t events() const { return events_; }
  const FtlStats& stats() const { return device_->firmware().stats(); }

 private:
  Drive() : sim_(1) {
    Diagnostics d;
    const bool ok =
        load_config(std::string(FTLSIM_SOURCE_CONFIG_DIR) + "/drives/p41-1tb.yaml", {}, config_, d);
    SIM_ASSERT(ok, "{}", d.to_string());
    device_ = std::make_unique<Device>(sim_, config_, "bench");
  }

  Simulator sim_;
  DriveConfig config_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<WorkloadRunner> runner_;
  uint64_t events_ = 0;
};

void report(benchmark::State& state, uint64_t commands) {
  const auto n = static_cast<double>(commands);
  state.counters["commands/s"] = benchmark::Counter(n, benchmark::Counter::kIsRate);
  state.counters["events/command"] = static_cast<double>(Drive::instance().events()) / n;
  state.counters["peak_GB"] = peak_gigabytes();
}

void BM_drive_fill(benchmark::State& state) {
  for (auto _ : state) {
    Drive& drive = Drive::instance();
    const double system = system_seconds();
    timespec from{};
    clock_gettime(CLOCK_MONOTONIC, &from);
    const uint64_t commands = drive.run("fill.yaml");
    timespec to{};
    clock_gettime(CLOCK_MONOTONIC, &to);
    const double wall = static_cast<double>(to.tv_sec - from.tv_sec) +
                        static_cast<double>(to.tv_nsec - from.tv_nsec) * 1e-9;
    const double faults = system_seconds() - system;
    report(state, commands);
    state.counters["commands/s_without_page_faults"] =
        static_cast<double>(commands) / (wall - faults);
    state.counters["page_fault_s"] = faults;
  }
}
BENCHMARK(BM_drive_fill)->Iterations(1)->Unit(benchmark::kSecond);

void BM_drive_random_read(benchmark::State& state) {
  for (auto _ : state) report(state, Drive::instance().run("random-read.yaml"));
}
BENCHMARK(BM_drive_random_read)->Iterations(1)->Unit(benchmark::kSecond);

void BM_drive_random_overwrite(benchmark::State& state) {
  // Not measured: use up the spare, so that collection is active from the first command on.
  Drive::instance().run("use-spare.yaml");
  const FtlStats before = Drive::instance().stats();
  for (auto _ : state) {
    report(state, Drive::instance().run("random-overwrite.yaml"));
    const FtlStats& s = Drive::instance().stats();
    state.counters["WAF"] = static_cast<double>(s.programmed_total() - before.programmed_total()) /
                            static_cast<double>(s.host_write_slots - before.host_write_slots);
  }
}
BENCHMARK(BM_drive_random_overwrite)->Iterations(1)->Unit(benchmark::kSecond);

}  // namespace
}  // namespace ftlsim
