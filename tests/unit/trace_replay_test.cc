// The replay of a trace: times, depth, lateness, address policies, accounting, and what is refused
// before it runs.
#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/workload_fake_host.h"
#include "workloads/loader.h"
#include "workloads/procedure.h"
#include "workloads/trace/replay_load.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

const std::string kHeader = "time_ns,op,offset_bytes,size_bytes,device\n";

// A file that lives as long as the test.
struct TempFile {
  explicit TempFile(const std::string& text, const std::string& suffix = "trace.csv")
      : path(fs::temp_directory_path() /
             ("ftlsim-" + std::to_string(getpid()) + "-" + std::to_string(++count) + suffix)) {
    std::ofstream(path, std::ios::binary) << text;
  }
  ~TempFile() { fs::remove(path); }
  static inline int count = 0;
  fs::path path;
};

struct KeepReport final : PhaseObserver {
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult& r) override {
    result = r;
    if (r.replay != nullptr) report = *r.replay;
  }
  PhaseResult result;
  ReplayReport report;
};

FakeHost::Options drive_of(Bytes capacity) {
  FakeHost::Options options;
  options.capacity = capacity;
  return options;
}

// A whole replay against a host that needs 10 us for everything, with no CPU time.
struct Run {
  explicit Run(const std::string& text, ReplaySpec spec = {}, const FakeHost::Options& options = {},
               Duration stop_at = {})
      : file(text), sim(1), host(sim, options) {
    spec.file = file.path.string();
    const DriveLimits limits{options.capacity, options.lba_size, options.mdts};
    ok = check_replay(spec, limits, Origin{"test"}, diagnostics);
    if (!ok) return;
    workload.host = HostModel{Duration{}, Duration{}, Duration{}};
    PhaseSpec phase;
    phase.name = phase.kind = "replay";
    phase.action = PhaseAction::kReplay;
    phase.replay = spec;
    workload.phases.push_back(phase);
    WorkloadRunner runner(sim, host, workload, 1, observer);
    runner.start();
    if (stop_at > Duration{}) {
      sim.run_until(Time() + stop_at);
      runner.request_stop();
    }
    sim.run();
    CHECK(runner.finished());
    CHECK(report().tally.balanced());
    CHECK(report().completed == report().tally.issued);
    CHECK(host.outstanding() == 0);
  }
  const ReplayReport& report() const { return observer.report; }
  int64_t doorbell(size_t i) const { return host.log.at(i).doorbell.to_ns(); }

  TempFile file;
  Simulator sim;
  FakeHost host;
  Workload workload;
  KeepReport observer;
  Diagnostics diagnostics;
  bool ok = false;
};

TEST_CASE("replay: open loop keeps to the recorded times, scaled") {
  const std::string text =
      kHeader + "5000000,write,0,4096,\n5100000,read,4096,4096,\n5300000,trim,0,8192,\n";
  const Run run(text);
  REQUIRE(run.ok);
  REQUIRE(run.host.log.size() == 3);
  CHECK(run.doorbell(0) == 0);
  CHECK(run.doorbell(1) == 100'000);
  CHECK(run.doorbell(2) == 300'000);
  CHECK(run.host.log[2].opcode == Opcode::kDeallocate);
  CHECK(run.report().lateness.max_ns() == 0);
  CHECK(run.observer.result.end.to_ns() == 310'000);
  ReplaySpec twice;
  twice.time_scale_q32 = uint64_t{1} << 31;
  CHECK(Run(text, twice).doorbell(2) == 150'000);
}

TEST_CASE("replay: depth bounds what is in flight, and lateness tells") {
  std::string text = kHeader;
  for (int i = 0; i < 8; ++i) text += std::to_string(i * 1000) + ",read,0,512,\n";
  ReplaySpec spec;
  spec.iodepth = 2;
  const Run run(text, spec);
  CHECK(run.host.most_outstanding == 2);
  CHECK(run.doorbell(7) == 31'000);  // two every 10 us
  CHECK(run.report().lateness.count() == 8);
  CHECK(run.report().lateness.max_ns() == 31'000 - 7'000);
  spec.mode = ReplayMode::kClosed;
  const Run closed(text, spec);
  CHECK(closed.doorbell(1) == 0);
  CHECK(closed.doorbell(7) == 30'000);
  CHECK(closed.report().lateness.count() == 0);
}

TEST_CASE("replay: fio's gaps add up behind a request that is late") {
  const std::string text =
      kHeader + "0,read,0,512,\n1000,read,0,512,\n2000,read,0,512,\n30000,read,0,512,\n";
  ReplaySpec spec;
  spec.iodepth = 1;
  spec.mode = ReplayMode::kFioGaps;
  const Run run(text, spec);
  CHECK(run.doorbell(1) == 10'000);
  CHECK(run.doorbell(2) == 20'000);
  CHECK(run.doorbell(3) == 48'000);
}

TEST_CASE("replay: addresses past the end") {
  const std::string text =
      kHeader + "0,write,0,4096,\n0,write,1044480,8192,\n0,write,3145728,4096,\n";
  const FakeHost::Options mib = drive_of(Bytes::mib(1));
  const Run wrap(text, {}, mib);
  CHECK(wrap.report().moved == 2);
  CHECK(wrap.report().tally.issued == 3);
  REQUIRE(wrap.host.log.size() == 4);  // the second one goes on at the start
  CHECK(wrap.host.log[1].lba == 1044480 / 512);
  CHECK(wrap.host.log[2].lba == 0);
  CHECK(wrap.host.log[3].lba == 0);
  ReplaySpec spec;
  spec.address_policy = AddressPolicy::kDrop;
  const Run drop(text, spec, mib);
  CHECK(drop.report().tally.issued == 1);
  CHECK(drop.report().tally.filtered.total() == 2);
  spec.address_policy = AddressPolicy::kScale;
  const Run scale(text, spec, mib);
  REQUIRE(scale.report().tally.issued == 3);
  CHECK(scale.host.log[2].lba * 512 + 4096 <= mib.capacity.count());
  CHECK(scale.host.log[2].lba * 512 > mib.capacity.count() * 9 / 10);
  spec.address_policy = AddressPolicy::kError;
  const Run error(text, spec, mib);
  CHECK_FALSE(error.ok);
  CHECK(error.diagnostics.items().size() == 3);
  CHECK(error.diagnostics.items()[1].line == 3);
}

TEST_CASE("replay: odd sizes, large records, flushes and FUA") {
  ReplaySpec spec;
  const Run run(
      "fio version 3 iolog\n1 f add\n1 f write 100 1000\n2 f read 0 3145728\n3 f sync 0 0\n"
      "4 f write 0 0\n5 f close\n",
      spec);
  REQUIRE(run.ok);
  const ReplayReport& r = run.report();
  CHECK(r.tally.read == 4);
  CHECK(r.tally.issued == 3);
  CHECK(r.tally.rejected.total() == 1);
  CHECK(r.rounded == 1);
  CHECK(r.requests == 1 + 3 + 1);  // 3 MiB in pieces of 8 x 128 KiB
  CHECK(run.observer.result[Direction::kRead].bytes == 3145728);
  CHECK(run.observer.result.flushes.completed == 1);
  CHECK(run.host.log[0].lba == 0);
  CHECK(run.host.log[0].blocks == 3);  // 100 .. 1100 are in 0 .. 1536
}

TEST_CASE("replay: records out of order are sorted, whole seconds spread") {
  std::string text = kHeader;
  for (const char* t : {"3000", "1000", "2000", "0"}) text += std::string(t) + ",read,0,512,\n";
  const Run run(text);
  CHECK(run.doorbell(0) == 0);
  CHECK(run.doorbell(3) == 3000);
  CHECK(run.report().backward_steps == 3);
  CHECK(run.report().delayed == 0);
  const Run spread("100,0,1,0,7\n100,8,1,1,7\n100,16,1,0,7\n100,24,1,0,7\n101,8,1,0,7\n");
  REQUIRE(spread.ok);
  CHECK(spread.report().format == "tencent");
  CHECK(spread.doorbell(1) == 250'000'000);
  CHECK(spread.doorbell(4) == 1'000'000'000);
}

TEST_CASE("replay: far out of order costs bounded memory, and is told") {
  std::string text = kHeader;
  for (int i = 0; i < 10'000; ++i) text += std::to_string(1000 + i) + ",read,0,512,\n";
  text += "0,read,0,512,\n";
  const Run run(text);
  CHECK(run.report().tally.issued == 10'001);
  CHECK(run.report().delayed == 1);
}

TEST_CASE("replay: a device alone, and what is left when it is stopped") {
  const std::string text = kHeader + "0,write,0,512,a\n5,read,0,512,b\n9000000,read,0,512,b\n";
  ReplaySpec spec;
  spec.device = "b";
  const Run run(text, spec);
  CHECK(run.report().tally.issued == 2);
  CHECK(run.report().tally.filtered.entries()[0].reason == "other device");
  const Run stopped(text, {}, {}, Duration::ms(1));
  CHECK(stopped.report().tally.issued == 2);
  CHECK(stopped.report().tally.filtered.total() == 1);
  CHECK(stopped.observer.result.complete == false);
  spec.device = "c";
  const Run none(text, spec);
  CHECK_FALSE(none.ok);
  CHECK(none.diagnostics.items()[0].message.find("devices 'a', 'b'") != std::string::npos);
}

TEST_CASE("replay: a trace that issues nothing is refused with the reason") {
  const Run run("259,0 0 1 0.000001 1 C R 8 + 8 [0]\n259,0 0 2 0.000002 1 C R 16 + 8 [0]\n");
  CHECK_FALSE(run.ok);
  REQUIRE(run.diagnostics.items().size() == 1);
  CHECK(run.diagnostics.items()[0].message.find("(event C 2)") != std::string::npos);
  CHECK(run.diagnostics.items()[0].message.find("name the event that counts") != std::string::npos);
  const Run bad(kHeader + "x,read,0,512,\n1,jump,0,512,\n");
  CHECK_FALSE(bad.ok);
  REQUIRE(bad.diagnostics.items().size() == 3);
  CHECK(bad.diagnostics.items()[2].line == 3);
  CHECK(bad.diagnostics.items()[2].message == "unknown operation: '1,jump,0,512,'");
}

const DriveLimits kDrive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};

TEST_CASE("replay: a trace on the command line, its format in front if need be") {
  const TempFile csv(kHeader + "0,read,0,512,\n");
  Diagnostics diagnostics;
  const auto workload = load_workload(csv.path.string(), kDrive, "none", diagnostics);
  REQUIRE(workload.has_value());
  CHECK(workload->phases[0].replay->format == "csv");
  const TempFile numbers("0 0 8 8 1\n", "n.txt");
  CHECK_FALSE(load_workload(numbers.path.string(), kDrive, "none", diagnostics).has_value());
  CHECK(load_workload("mqsim:" + numbers.path.string(), kDrive, "none", diagnostics).has_value());
  CHECK_FALSE(load_workload("mqsim:/no/such", kDrive, "none", diagnostics).has_value());
  CHECK_FALSE(load_workload(fs::temp_directory_path().string(), kDrive, "none", diagnostics));
}

TEST_CASE("replay: the step of a procedure") {
  const TempFile trace("sector;size;what\n8;4096;R\n", "s.txt");
  Diagnostics diagnostics;
  const std::string step =
      "steps:\n  - step: replay\n    file: " + trace.path.string() +
      "\n    iodepth: 7\n    mode: closed\n    time_scale: 0.5\n"
      "    address_policy: drop\n    columns: {delimiter: semicolon, header: true, "
      "op: what, offset: sector, offset_unit: 512B, size: size}\n";
  const auto workload = parse_procedure(step, "p.yaml", "p", kDrive, diagnostics);
  CHECK(diagnostics.to_string() == "");
  REQUIRE(workload.has_value());
  const ReplaySpec& spec = *workload->phases[0].replay;
  CHECK(workload->phases[0].name == "replay");
  CHECK(spec.iodepth == 7);
  CHECK(spec.mode == ReplayMode::kClosed);
  CHECK(spec.time_scale_q32 == uint64_t{1} << 31);
  CHECK(spec.address_policy == AddressPolicy::kDrop);
  CHECK(spec.options.has_columns);
  const char* wrong[] = {
      "- step: replay\n", "- {step: replay, file: /no/such}\n", "- {step: write, file: x}\n",
      "- {step: replay, file: x, pattern: random}\n", "- {step: write, columns: {op: a}}\n"};
  for (const char* text : wrong) {
    CAPTURE(text);
    Diagnostics errors;
    CHECK_FALSE(parse_procedure(std::string("steps:\n") + text, "p.yaml", "p", kDrive, errors));
    CHECK(errors.has_errors());
  }
}

}  // namespace
}  // namespace ftlsim
