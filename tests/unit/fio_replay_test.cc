// Jobs of job files that replay a log.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/unit/workload_fake_host.h"
#include "tools/fio/fio_output.h"
#include "tools/fio/fio_recorder.h"
#include "workloads/fio_jobs.h"
#include "workloads/workload_runner.h"

namespace ftlsim {
namespace {

const std::string kLog =
    "fio version 3 iolog\n"
    "0 /dev/sdb add\n"
    "0 /dev/sdb open\n"
    "1000 /dev/sdb read 4096 4096\n"
    "21000 /dev/sdb write 1052672 8192\n"
    "41000 /dev/sdb trim 2097152 4096\n"
    "61000 /dev/sdb sync\n"
    "101000 /dev/sdb read 12288 4096\n"
    "101000 /dev/sdb close\n";

// The job file of `text` beside a log "log", loaded and run.
struct LogRun final : PhaseObserver {
  explicit LogRun(const std::string& text, const std::string& log = kLog) : sim(1), host(sim, {}) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("ftlsim-replay-{}", getpid());
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "log") << log;
    std::ofstream(folder / "t.fio") << text;
    Diagnostics diagnostics;
    const DriveLimits drive{host.capacity(), host.lba_size(), host.mdts()};
    workload = load_fio_jobs(folder / "t.fio", "t", drive, diagnostics);
    messages = diagnostics.to_string();
    if (workload) {
      recorder.emplace(*workload, std::nullopt);
      runner.emplace(sim, host, *workload, 1, *this);
      runner->set_io_observer(&*recorder);
      runner->start();
      sim.run();
      report = recorder->report();
    }
    std::filesystem::remove_all(folder);
  }
  void on_phase_begin(const PhaseResult&) override {}
  void on_phase_end(const PhaseResult&) override { ends.push_back(sim.now()); }

  // Opcodes by their first letter, LBAs and milliseconds of the doorbells.
  std::string text() const {
    std::string out;
    for (const FakeHost::Entry& e : host.log)
      out += fmt::format("{}{}{}@{}", out.empty() ? "" : " ",
                         e.opcode == Opcode::kRead         ? 'r'
                         : e.opcode == Opcode::kWrite      ? 'w'
                         : e.opcode == Opcode::kDeallocate ? 't'
                                                           : 'f',
                         e.lba, (e.doorbell - Time()) / Duration::ms(1));
    return out;
  }

  Simulator sim;
  FakeHost host;
  std::optional<Workload> workload;
  std::optional<FioRecorder> recorder;
  std::optional<WorkloadRunner> runner;
  FioReport report;
  std::vector<Time> ends;
  std::string messages;
};

TEST_CASE("read_iolog replays a log, with its gaps or without") {
  const LogRun run("[j]\nread_iolog=log\niodepth=4\nioengine=libaio\n");
  CHECK(run.text() == "r8@0 w2056@20 t4096@40 f0@60 r24@100");
  const PhaseSpec& phase = run.workload.value().phases.at(0);
  CHECK(phase.action == PhaseAction::kReplay);
  CHECK(phase.name == "j");
  CHECK(phase.replay.value().mode == ReplayMode::kFioGaps);
  CHECK(phase.replay.value().iodepth == 4);
  CHECK(LogRun("[j]\nread_iolog=log\nreplay_time_scale=200\n").text() ==
        "r8@0 w2056@10 t4096@20 f0@30 r24@50");
  CHECK(LogRun("[j]\nread_iolog=log\nreplay_time_scale=50\n").text() ==
        "r8@0 w2056@40 t4096@80 f0@120 r24@200");
  CHECK(LogRun("[j]\nread_iolog=log\nreplay_no_stall=1\n").text() ==
        "r8@0 w2056@0 t4096@0 f0@0 r24@0");
}

TEST_CASE("addresses are divided and rounded down, kinds left out with their time") {
  CHECK(LogRun("[j]\nread_iolog=log\nreplay_scale=2\nreplay_align=4096\n").text() ==
        "r0@0 w1024@20 t2048@40 f0@60 r8@100");
  // As in fio 3.42 (3.33 leaves nothing of an I/O log out): the gap before a request is that to the
  // record before, skipped or not.
  CHECK(LogRun("[j]\nread_iolog=log\nreplay_skip=write,sync\n").text() == "r8@0 t4096@20 r24@60");
  const LogRun skipped("[j]\nread_iolog=log\nreplay_skip=read,trim\n");
  CHECK(skipped.text() == "w2056@20 f0@40");
}

TEST_CASE("a runtime ends a replay early, never late") {
  const LogRun run("[j]\nread_iolog=log\nruntime=50ms\n");
  CHECK(run.text() == "r8@0 w2056@20 t4096@40");
  CHECK(run.ends.at(0) == Time() + Duration::ms(50));
  CHECK(run.runner.value().complete());
  const LogRun stalled("[j]\nread_iolog=log\nreplay_no_stall\nruntime=20us\n");
  CHECK(stalled.text() == "r8@0 w2056@0");
  const LogRun whole("[j]\nread_iolog=log\nruntime=1\n");
  CHECK(whole.host.log.size() == 5);
  CHECK(whole.ends.at(0) < Time() + Duration::ms(101));
}

TEST_CASE("fio's results speak of the replay as of a job") {
  const LogRun run("[w]\nrw=write\nsize=64k\n[j]\nstonewall\nread_iolog=log\n");
  REQUIRE(run.report.results.size() == 2);
  const FioResult& result = run.report.results[1];
  CHECK(result.job->name == "j");
  CHECK(result.group == 1);
  CHECK(result.directions[0].requests == 2);
  CHECK(result.directions[1].bytes == 8192);
  CHECK(result.directions[2].requests == 1);
  CHECK(result.sync.moments.count() == 1);
  CHECK(result.runtime > Duration::ms(99));
  CHECK(render_fio(run.report, FioFormat::kJson).find("\"read_iolog\": \"log\"") !=
        std::string::npos);
}

TEST_CASE("what is wrong with a replay") {
  const std::pair<const char*, const char*> rows[] = {
      {"[j]\nread_iolog=none\n", "t.fio:2:1: error: "},
      {"[j]\nread_iolog=\n", "read_iolog: has no value"},
      {"[k]\nsize=1m\n[j]\nread_iolog=log\n",
       "t.fio:4:1: error: a job with read_iolog does not run beside others here: separate them"},
      {"[j]\nread_iolog=log\n[k]\nsize=1m\n", "a job with read_iolog does not run beside others"},
      {"[j]\nread_iolog=log\nruntime=5\ntime_based\n",
       "t.fio:4:1: error: time_based: not modelled in a job with read_iolog"},
      {"[j]\nread_iolog=log\nnumjobs=2\n", "numjobs: not modelled in a job with read_iolog"},
      {"[j]\nread_iolog=log\niodepth=0\n", "iodepth: 0 is outside 1 to 65536"},
      {"[j]\nread_iolog=log\nreplay_align=3\n", "replay_align: 3 is not a power of 2"},
      {"[j]\nread_iolog=log\nreplay_skip=reads\n", "unknown word 'reads'; did you mean 'read'?"},
      {"[j]\nread_iolog=log\nreplay_time_scale=0\n", "replay_time_scale: 0 is outside 1"},
  };
  for (const auto& row : rows) {
    const LogRun run(row.first);
    INFO(row.first << "\n" << run.messages);
    CHECK_FALSE(run.workload.has_value());
    CHECK(run.messages.find(row.second) != std::string::npos);
  }
  const LogRun far("[j]\nread_iolog=log\n",
                   "fio version 3 iolog\n1 f read 0 4096\n1 f read 99999997952 4096\n");
  CHECK_FALSE(far.workload.has_value());
  CHECK(far.messages.find("replay_scale") != std::string::npos);
}

}  // namespace
}  // namespace ftlsim
