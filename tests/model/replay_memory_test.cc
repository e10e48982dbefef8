// Twenty million records of a trace replay within 60 MB beyond the drive's own memory: here beyond
// everything that the process held before the trace was opened.
#include <doctest/doctest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/workload_fake_host.h"
#include "workloads/trace/replay_load.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FTLSIM_SANITIZED
#endif
#endif
#ifdef FTLSIM_SANITIZED
constexpr uint64_t kRecords = 500'000;  // slow, and memory is not the program's own
constexpr bool kMemoryCounts = false;
#else
constexpr uint64_t kRecords = 20'000'000;
constexpr bool kMemoryCounts = true;
#endif
constexpr uint64_t kChunk = 100'000;

// A line of /proc/self/status in bytes: "VmHWM:" is the peak of the resident memory.
uint64_t status_bytes(const std::string& key) {
  std::ifstream in("/proc/self/status");
  for (std::string word; in >> word;) {
    uint64_t kib = 0;
    if (word == key && in >> kib) return kib * 1024;
  }
  return 0;
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

// One packed chunk after the other: gzip files may have many members.
fs::path write_trace() {
  const fs::path path =
      fs::temp_directory_path() / ("ftlsim-memory-" + std::to_string(getpid()) + ".csv.gz");
  std::string chunk;
  uint64_t place = 1;
  for (uint64_t i = 0; i < kChunk; ++i) {
    place = mix64(place);
    chunk += "0," + std::string(i % 3 == 0 ? "read" : "write") + "," +
             std::to_string(place % 8192 * 4096) + ",4096,\n";
  }
  std::ofstream out(path, std::ios::binary);
  out << gzip("time_ns,op,offset_bytes,size_bytes,device\n");
  const std::string packed = gzip(chunk);
  for (uint64_t i = 0; i < kRecords / kChunk; ++i) out << packed;
  return path;
}

struct Report final : PhaseObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult& result) override { completed = result.completed(); }
  uint64_t completed = 0;
};

TEST_CASE("the replay of 20 M records takes at most 60 MB") {
  constexpr uint64_t kLimit = 60'000'000;
  const fs::path path = write_trace();
  Simulator sim(1);
  FakeHost::Options options;
  options.keep_log = false;
  FakeHost host(sim, options);
  Report report;
  // Resets the peak to what is resident now.
  std::ofstream("/proc/self/clear_refs") << "5";
  const uint64_t before = status_bytes("VmRSS:");
  ReplaySpec spec;
  spec.file = path.string();
  spec.mode = ReplayMode::kClosed;
  Diagnostics diagnostics;
  const DriveLimits limits{options.capacity, options.lba_size, options.mdts};
  REQUIRE(check_replay(spec, limits, Origin{"test"}, diagnostics));
  Workload workload;
  PhaseSpec& phase = workload.phases.emplace_back();
  phase.name = phase.kind = "replay";
  phase.action = PhaseAction::kReplay;
  phase.replay = spec;
  WorkloadRunner runner(sim, host, workload, 1, report);
  runner.start();
  sim.run();
  CHECK(runner.complete());
  CHECK(report.completed == kRecords);
  const uint64_t peak = status_bytes("VmHWM:");
  REQUIRE(before > 0);
  REQUIRE(peak >= before);
  INFO("resident before " << before << " B, at most " << peak << " B");
  if (kMemoryCounts) CHECK(peak - before <= kLimit);
  fs::remove(path);
}

}  // namespace
}  // namespace ftlsim
