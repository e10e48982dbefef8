// Procedures: steps as phases, repeats, the shipped files, and bad input.
#include "workloads/procedure.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "workloads/loader.h"

namespace ftlsim {
namespace {

const DriveLimits kDrive{Bytes(1'000'204'886'016), Bytes(512), Bytes::kib(128)};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

Workload good(std::string_view text) {
  Diagnostics diagnostics;
  const std::optional<Workload> workload =
      parse_procedure(text, "p.yaml", "p", kDrive, diagnostics);
  INFO(text << "\n" << diagnostics.to_string());
  REQUIRE(workload.has_value());
  CHECK_FALSE(diagnostics.has_errors());
  return *workload;
}

// The workload of one step, written as the inside of a flow mapping.
PhaseSpec step(const std::string& keys) {
  const Workload workload = good("steps:\n  - {" + keys + "}\n");
  REQUIRE(workload.phases.size() == 1);
  return workload.phases[0];
}

std::string bad(std::string_view text) {
  Diagnostics diagnostics;
  INFO(text);
  CHECK_FALSE(parse_procedure(text, "p.yaml", "p", kDrive, diagnostics).has_value());
  CHECK(diagnostics.has_errors());
  return diagnostics.to_string();
}

TEST_CASE("steps become phases") {
  const PhaseSpec format = step("step: format");
  CHECK(format.action == PhaseAction::kFormat);
  CHECK(format.kind == "format");
  CHECK(format.name == "format");
  const PhaseSpec idle = step("step: idle, duration: 30min, name: rest");
  CHECK(idle.action == PhaseAction::kIdle);
  CHECK(idle.idle == Duration::s(1800));
  CHECK(idle.name == "rest");
  CHECK(step("step: flush").action == PhaseAction::kFlush);

  const PhaseSpec write = step(
      "step: write, block_size: 64KiB, iodepth: 8, jobs: 2, offset: 1GiB, "
      "size: 2GiB, io_size: 3GiB, duration: 5s, seed: 9");
  CHECK(write.kind == "write");
  REQUIRE(write.jobs.size() == 1);
  const JobSpec& job = write.jobs[0];
  CHECK(job.rw == RwKind::kWrite);
  CHECK(job.block_size[1] == Bytes::kib(64));
  CHECK(job.iodepth == 8);
  CHECK(job.numjobs == 2);
  CHECK(job.offset == Bytes::gib(1));
  CHECK(job.size == Bytes::gib(2));
  CHECK(job.io_size == Bytes::gib(3));
  CHECK(job.runtime == Duration::s(5));
  CHECK_FALSE(job.time_based);  // io_size may end it earlier
  CHECK(job.randseed == 9);
  CHECK(job.short_tail);

  CHECK(step("step: read, pattern: random, duration: 60s").jobs[0].time_based);
  CHECK(step("step: read, pattern: random").jobs[0].rw == RwKind::kRandRead);
  CHECK(step("step: read").jobs[0].rw == RwKind::kRead);
  CHECK(step("step: read").read_ahead);
  CHECK_FALSE(step("step: read, read_ahead: false").read_ahead);
  const PhaseSpec mix = step("step: mix, pattern: random, read_percent: 70");
  CHECK(mix.jobs[0].rw == RwKind::kRandReadWrite);
  CHECK(mix.jobs[0].read_percent == 70);
  CHECK(mix.kind == "mix");
}

TEST_CASE("regions: bytes, parts of the drive, the rest of the drive") {
  CHECK(step("step: write").jobs[0].size == kDrive.capacity);
  CHECK(step("step: write, size: 100%").jobs[0].size == kDrive.capacity);
  CHECK(step("step: write, size: 50%").jobs[0].size == Bytes(500'102'443'008));
  CHECK(step("step: write, size: 12.5%").jobs[0].size == Bytes(125'025'607'680));
  const JobSpec rest = step("step: write, offset: 75%").jobs[0];
  CHECK(rest.offset + rest.size == kDrive.capacity);
  CHECK(step("step: write, size: 100MB").jobs[0].size == Bytes(99'999'744));  // whole blocks
}

TEST_CASE("trim: one request for the whole region unless told otherwise") {
  const JobSpec whole = step("step: trim, size: 25%").jobs[0];
  CHECK(whole.rw == RwKind::kTrim);
  CHECK(whole.block_size[2] == whole.size);
  CHECK(whole.iodepth == 1);
  const JobSpec pieces = step("step: trim, size: 1GiB, block_size: 1MiB, iodepth: 4").jobs[0];
  CHECK(pieces.block_size[2] == Bytes::mib(1));
  CHECK(pieces.iodepth == 4);
  CHECK(step("step: trim, size: 100MB").jobs[0].block_size[2] == Bytes(99'999'744));
}

TEST_CASE("repeat expands nested steps; names are unique, streams differ") {
  const Workload w = good(R"(
steps:
  - step: repeat
    count: 3
    steps:
      - {step: write, pattern: random, size: 1GiB}
      - step: repeat
        count: 2
        steps:
          - {step: idle, duration: 1s}
  - {step: write, name: write-2, size: 1GiB}
  - {step: write, name: fixed, size: 1GiB, seed: 1}
  - {step: read, name: same, size: 1GiB, seed: 1}
)");
  REQUIRE(w.phases.size() == 12);
  std::set<std::string> names;
  for (const PhaseSpec& phase : w.phases) CHECK(names.insert(phase.name).second);
  CHECK(w.phases[0].name == "write");
  CHECK(w.phases[1].name == "idle");
  CHECK(w.phases[2].name == "idle-2");
  CHECK(w.phases[3].name == "write-2");
  CHECK(w.phases[9].name == "write-2-2");
  CHECK(w.phases[0].jobs[0].stream != w.phases[3].jobs[0].stream);
  CHECK(w.phases[10].jobs[0].stream == w.phases[11].jobs[0].stream);
}

TEST_CASE("host section") {
  const Workload w = good(
      "host: {submit_cpu: 1us, complete_cpu: 0ns, interrupt_latency: 5us}\n"
      "steps:\n  - {step: flush}\n");
  CHECK(w.host.submit_cpu == Duration::us(1));
  CHECK(w.host.complete_cpu == Duration{});
  CHECK(w.host.interrupt_latency == Duration::us(5));
  const HostModel plain = good("steps:\n  - {step: flush}\n").host;
  // One thread must not be what limits a drive of a million IOPS to less than 600 k.
  CHECK((plain.submit_cpu + plain.complete_cpu).to_ns() * 600'000 < 1'000'000'000);
}

TEST_CASE("ageing with and without power, and the temperature of the surroundings") {
  const PhaseSpec off = step("step: age, days: 90, temperature: 30C");
  CHECK(off.action == PhaseAction::kAge);
  CHECK(off.kind == "age");
  CHECK(off.idle == Duration::s(90 * 86'400));
  CHECK(!off.powered);
  CHECK(off.ambient == 30'000);
  const PhaseSpec on = step("step: age, days: 0.5, powered: true");
  CHECK(on.powered);
  CHECK(on.idle == Duration::s(43'200));
  CHECK(!on.ambient);
  CHECK(step("step: age, days: 1, temperature: -5.5C").ambient == -5500);
  CHECK(step("step: fill").preconditioning);
  CHECK(!step("step: write").preconditioning);
  CHECK(!good("steps:\n  - {step: flush}\n").ambient);
  CHECK(good("temperature: 40C\nsteps:\n  - {step: flush}\n").ambient == 40'000);
  CHECK(contains(bad("temperature: warm\nsteps:\n  - {step: flush}\n"), "p.yaml:1:14: error:"));
}

TEST_CASE("bad input: what and where") {
  const std::pair<const char*, const char*> rows[] = {
      {"step: power_cycle", "p.yaml:2:6: error: step 'power_cycle' is not modelled yet"},
      {"step: age", "p.yaml:2:5: error: step 'age' needs the key 'days' above 0"},
      {"step: age, days: 90d", "days"},
      {"step: age, days: 40000", "days"},
      {"step: age, days: 4000, powered: true", "days: 4000 days with power on are more than"},
      {"step: age, days: 1, temperature: 30",
       "p.yaml:2:39: error: steps[0].temperature: temperature '30' has no unit"},
      {"step: age, days: 1, temperature: 200C", "is outside [-55C, 150C]"},
      {"step: age, days: 1, temperature: C", "steps[0].temperature"},
      {"step: age, days: 1, size: 1GiB", "step 'age' has no key 'size'"},
      {"step: idle, duration: 5s, days: 1", "step 'idle' has no key 'days'"},
      {"step: write, temperature: 30C", "step 'write' has no key 'temperature'"},
      {"step: job", "step 'job' needs either the key 'file' or the key 'fio'"},
      {"step: job, fio: 'rw=raed'", "fio:2:1: error: rw: unknown kind 'raed'"},
      {"step: write, fio: 'rw=read'", "step 'write' has no key 'fio'"},
      {"step: snapshot", "step 'snapshot' is not modelled yet"},
      {"step: wirte", "did you mean 'write'?"},
      {"name: x", "step"},
      {"step: idle", "step 'idle' needs a duration above 0"},
      {"step: idle, duration: 5", "duration"},
      {"step: idle, duration: 5s, block_size: 4KiB",
       "p.yaml:2:32: error: step 'idle' has no key 'block_size'"},
      {"step: write, read_percent: 5", "step 'write' has no key 'read_percent'"},
      {"step: write, count: 5", "step 'write' has no key 'count'"},
      {"step: write, read_ahead: false", "step 'write' has no key 'read_ahead'"},
      {"step: write, block_size: 0B", "block_size: the write block size is 0"},
      {"step: write, block_size: 1000B", "is not a multiple of the drive's 512 B"},
      {"step: write, block_size: 4GiB", "block_size"},
      {"step: write, block_size: 2MiB, size: 1MiB",
       "block_size: write block size 2MiB is larger than the job's region of 1MiB"},
      {"step: write, size: 2TB",
       "p.yaml:2:19: error: size: the job ends past the end of the drive: offset 0B + size 2TB > "
       "capacity 1000204886016 B"},
      {"step: write, size: 101%", "past the end of the drive"},
      {"step: write, offset: 50%, size: 51%", "past the end of the drive"},
      {"step: write, offset: 100%", "at or past the end of the drive"},
      {"step: write, size: 0%", "size: the region is empty"},
      {"step: write, size: 5", "has no unit"},
      {"step: write, size: -5%", "is negative"},
      {"step: write, size: x%", "size:"},
      {"step: write, io_size: 0B", "io_size: nothing to do"},
      {"step: write, io_size: 18446744073709551615B", "io_size: 18446744073709551615 B is above"},
      {"step: write, duration: 0s", "duration: must be above 0"},
      {"step: write, iodepth: 0", "iodepth"},
      {"step: write, jobs: 2000", "jobs"},
      {"step: write, iodepth: 65536, jobs: 1024", "commands in flight; the limit is 1048576"},
      {"step: write, iodept: 4", "did you mean 'iodepth'?"},
      {"step: write, step: read", "step"},
      {"step: trim, size: 100B", "region of 100B"},
      {"step: repeat, count: 2", "step 'repeat' needs a list of steps"},
      {"step: repeat, count: 1000000, steps: [{step: flush}]", "count: 1000000 times 1 steps"},
      {"step: repeat, steps: [{step: flush}]", "step 'repeat' needs the key 'count'"},
      {"step: repeat, count: 2, steps: [{step: snapshot}]", "step 'snapshot' is not modelled yet"},
  };
  for (const auto& row : rows) {
    const auto& keys = row.first;
    const auto& message = row.second;
    const std::string all = bad("steps:\n  - {" + std::string(keys) + "}\n");
    INFO(keys << "\n" << all);
    CHECK(contains(all, message));
  }
  CHECK(contains(bad(""), "steps"));
  CHECK(contains(bad("steps: []\n"), "steps"));
  CHECK(contains(bad("stpes:\n  - {step: flush}\n"), "did you mean 'steps'?"));
  CHECK(!bad("steps: [").empty());
}

TEST_CASE("all problems in one pass, in the order of the file") {
  const std::string all =
      bad("steps:\n  - {step: write, size: 2TB}\n  - {step: age}\n  - {step: idle}\n"
          "  - {step: read, blocksize: 4KiB}\n");
  const size_t a = all.find("p.yaml:2:");
  const size_t b = all.find("p.yaml:3:");
  const size_t c = all.find("p.yaml:4:");
  const size_t d = all.find("p.yaml:5:");
  CHECK(a < b);
  CHECK(b < c);
  CHECK(c < d);
  CHECK(d != std::string::npos);
}

TEST_CASE("fio jobs and fills as steps") {
  const Workload w = good(
      "steps:\n  - {step: fill, size: 8MiB}\n"
      "  - {step: job, name: load, fio: 'rw=randrw bs=8k size=1m randrepeat=0'}\n"
      "  - {step: job, name: two, fio: '[a] size=1m [b] stonewall rw=write size=1m'}\n");
  REQUIRE(w.phases.size() == 4);
  CHECK(w.phases[0].name == "fill");
  CHECK(w.phases[0].kind == "write");
  CHECK(w.phases[0].jobs[0].rw == RwKind::kWrite);
  CHECK(w.phases[1].name == "load");
  CHECK(w.phases[1].jobs[0].block_size[0] == Bytes::kib(8));
  CHECK(w.phases[2].name == "two-a");
  CHECK(w.phases[3].name == "two-b");
  CHECK(w.phases[3].jobs[0].name == "b");
}

TEST_CASE("a repeat until steady marks the end of each of its rounds") {
  const Workload w = good(R"(
steps:
  - {step: format}
  - step: repeat
    count: 7
    until_steady: {track: "write, mix", measure: bandwidth, window: 4, range: 15%, slope: 5%}
    steps:
      - {step: write, pattern: random, duration: 60s}
      - {step: idle, duration: 1s}
      - {step: mix, pattern: random, duration: 60s, norandommap: true}
)");
  REQUIRE(w.phases.size() == 22);
  for (size_t i = 0; i < w.phases.size(); ++i)
    CHECK(w.phases[i].round.has_value() == (i % 3 == 0 && i > 0));
  const RoundEnd& round = *w.phases[6].round;
  CHECK(round.number == 2);
  CHECK(round.most == 7);
  CHECK(round.phases == 3);
  CHECK(round.tracked == std::vector<uint32_t>{0, 2});
  CHECK(round.rule.measure == RoundMeasure::kBandwidth);
  CHECK(round.rule.window == 4);
  CHECK(round.rule.range == 0.15);
  CHECK(round.rule.slope == 0.05);
  CHECK(w.phases[3].jobs[0].norandommap);
  CHECK_FALSE(w.phases[1].jobs[0].norandommap);
  const auto refused = [](const std::string& keys) {
    return bad("steps:\n  - {step: repeat, " + keys + "}\n");
  };
  const std::string steps = "steps: [{step: write, duration: 1s}, {step: idle, duration: 1s}]";
  CHECK(contains(refused("count: 9, until_steady: {track: idle}, " + steps),
                 "no phase of the round that moves data is called 'idle'"));
  CHECK(
      contains(refused("count: 9, until_steady: {window: 5}, " + steps), "needs the key 'track'"));
  CHECK(contains(refused("count: 4, until_steady: {track: write}, " + steps),
                 "a window of 5 rounds does not fit into a count of 4"));
  CHECK(contains(refused("count: 9, until_steady: {track: a, range: 300%}, " + steps), "range"));
  CHECK(contains(bad("steps:\n  - {step: write, until_steady: {track: x}}\n"),
                 "step 'write' has no key 'until_steady'"));
  CHECK(contains(refused("count: 9, until_steady: {track: write}, steps: [{step: repeat, count: 9, "
                         "until_steady: {track: write}, " +
                         steps + "}]"),
                 "not possible around another until_steady"));
}

TEST_CASE("repetitions keep the name of their series; a hold is wanted of each") {
  const Workload w = good(R"(
steps:
  - step: repeat
    count: 2
    steps:
      - {step: write, name: burst, duration: 60s, hold: 20s}
)");
  CHECK(w.phases[0].name == "burst");
  CHECK(w.phases[1].name == "burst-2");
  for (const PhaseSpec& phase : w.phases) {
    CHECK(phase.series == "burst");
    CHECK(phase.hold == Duration::s(20));
  }
}

TEST_CASE("every shipped workload loads") {
  const std::filesystem::path configs = FTLSIM_SOURCE_CONFIG_DIR;
  for (const char* folder : {"procedures", "vdbench", "iometer"}) {
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(configs / folder)) {
      Diagnostics diagnostics;
      const bool loaded =
          load_workload(entry.path().string(), kDrive, configs, diagnostics).has_value();
      INFO(entry.path().string() << "\n" << diagnostics.to_string());
      // Made for a drive of 2 TB.
      if (entry.path().stem() == "validate-p41-sustain-2tb" && !loaded) continue;
      CHECK(loaded);
      ++files;
    }
    CHECK(files > 0);
  }
}

TEST_CASE("loader: shipped names, files, unknown names") {
  const std::filesystem::path configs = FTLSIM_SOURCE_CONFIG_DIR;
  for (const char* name : {"dirty-test", "sustain", "burst"}) {
    Diagnostics diagnostics;
    const std::optional<Workload> workload = load_workload(name, kDrive, configs, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(workload.has_value());
    CHECK(workload->name == name);
  }
  Diagnostics unknown;
  CHECK_FALSE(load_workload("drity-test", kDrive, configs, unknown).has_value());
  CHECK(contains(unknown.to_string(), "unknown workload 'drity-test'; did you mean 'dirty-test'?"));
  CHECK(contains(unknown.to_string(),
                 "burst, burst20, cold-read, cold-read-hot, crystaldiskmark, dirty-test"));
  for (const char* name : {"", "../procedures/sustain", "none.yaml", "none.fio", "none.txt"}) {
    Diagnostics diagnostics;
    INFO(name);
    CHECK_FALSE(load_workload(name, kDrive, configs, diagnostics).has_value());
    CHECK(diagnostics.has_errors());
  }
}

TEST_CASE("dirty-test writes every logical block twice and reads the whole span") {
  Diagnostics diagnostics;
  const std::optional<Workload> w =
      load_workload("dirty-test", kDrive, FTLSIM_SOURCE_CONFIG_DIR, diagnostics);
  REQUIRE(w.has_value());
  REQUIRE(w->phases.size() == 6);
  for (const size_t i : {1u, 3u}) {
    const JobSpec& job = w->phases[i].jobs[0];
    CHECK(job.rw == RwKind::kWrite);
    CHECK(job.size == kDrive.capacity);
    CHECK(job.short_tail);
    CHECK(job.block_size[1] == Bytes::kib(128));
    CHECK(job.iodepth == 32);
  }
  CHECK(w->phases[2].idle == Duration::s(1800));
  CHECK(w->phases[4].jobs[0].rw == RwKind::kRandRead);
  CHECK(w->phases[4].jobs[0].runtime == Duration::s(60));
  CHECK(w->phases[5].jobs[0].rw == RwKind::kRead);
}

}  // namespace
}  // namespace ftlsim
