// What the command line says about bad input and about runs that did not go as asked.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/golden/tool.h"

namespace ftlsim::golden {
namespace {

using Json = nlohmann::ordered_json;

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Runs a workload, given as text, on the tiny drive.
Outcome run(const TempDir& dir, const std::string& file, const std::string& text,
            std::vector<std::string> more = {}) {
  write_text(dir / file, text);
  std::vector<std::string> words = {"run", golden_file("tiny.yaml"), dir / file, "-o", dir / "out"};
  words.insert(words.end(), more.begin(), more.end());
  return run_tool(words);
}

constexpr const char* kShort = "steps:\n  - {step: write, name: w, size: 1MiB}\n";

TEST_CASE("run --seed: a whole number of 64 bits, nothing else") {
  for (const char* seed : {"-1", "18446744073709551616", "99999999999999999999999", "abc", "1.5"}) {
    CAPTURE(seed);
    const TempDir dir;
    const Outcome o = run(dir, "w.yaml", kShort, {"--seed", seed});
    CHECK(o.exit_code == 2);
    CHECK(contains(o.err + o.out, seed));
    CHECK_FALSE(std::filesystem::exists(dir / "out"));
  }
  const TempDir dir;
  CHECK(run(dir, "w.yaml", kShort, {"--seed", "18446744073709551615"}).exit_code == 0);
}

TEST_CASE("run: keys that cannot be met are named with what they contradict") {
  const auto refused = [](std::vector<std::string> keys, std::vector<std::string> parts) {
    const TempDir dir;
    std::vector<std::string> words;
    for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
    const Outcome o = run(dir, "w.yaml", kShort, words);
    CAPTURE(o.err);
    CHECK(o.exit_code == 2);
    for (const std::string& part : parts) CHECK_MESSAGE(contains(o.err, part), part);
  };
  refused({"slc.route=small", "slc.small.size=5KiB"}, {"slc.small.size: 5120 B", "4096 B"});
  refused({"slc.mode=hybrid", "slc.hybrid.static=100MiB"},
          {"slc.mode = hybrid", "slc.hybrid.static", "(space.meta_superblocks, "});
  refused({"slc.mode=static", "slc.static.size=60MiB"}, {"slc.mode = static", "slc.static.size"});
}

TEST_CASE("run: keys of the command line that have no effect are noted") {
  const auto noted = [](std::vector<std::string> keys) {
    const TempDir dir;
    std::vector<std::string> words;
    for (const std::string& key : keys) words.insert(words.end(), {"--set", key});
    const Outcome o = run(dir, "w.yaml", kShort, words);
    CHECK(o.exit_code == 0);
    return o.err;
  };
  CHECK(contains(noted({"gc.d_choices.d=3"}),
                 "<cmdline>: note: gc.d_choices.d has no effect: gc.victim is greedy"));
  CHECK(contains(noted({"slc.mode=none", "slc.route=small"}),
                 "slc.route has no effect: slc.mode is none"));
  CHECK_FALSE(contains(noted({"gc.victim=d_choices", "gc.d_choices.d=3"}), "has no effect"));
  CHECK_FALSE(contains(noted({"slc.mode=none"}), "has no effect"));
}

TEST_CASE("run: energy without figures is refused, and defaults are called so") {
  const TempDir dir;
  const Outcome o = run(dir, "w.yaml", kShort, {"--set", "power.model=counted"});
  CAPTURE(o.err);
  CHECK(o.exit_code == 2);
  CHECK(contains(o.err, "power.model: counted has nothing to count"));
  CHECK(contains(o.err, "power.active (default)"));
}

TEST_CASE("run: jobs that end early are told of, in the summary too") {
  const TempDir dir;
  const Outcome o = run(dir, "j.fio", "[a]\nrw=write\nbs=4k\nsize=4m\nmax_latency=1us\n");
  CAPTURE(o.err);
  CHECK(o.exit_code == 0);
  CHECK(contains(o.err, "warning: phase 'a': 1 of its threads ended early"));
  CHECK(contains(o.err, "max latency exceeded (error 110 in fio)"));
  const Json phase = read_json(dir / "out/summary.json").at("phases").at(0);
  CHECK(phase.at("threads_ended_early") == 1);
}

TEST_CASE("run: the rate after a cliff that the phase did not outlive is not known") {
  const TempDir dir;
  const Outcome o = run(dir, "j.fio", "[a]\nrw=write\nbs=128k\niodepth=8\nioengine=libaio\n");
  CAPTURE(o.out);
  CHECK(o.exit_code == 0);
  CHECK(contains(o.out, "SLC segment of a: "));
  CHECK(contains(o.out, " s, then - MB/s"));
  const Outcome none = run(dir, "j2.fio", "[a]\nrw=write\nbs=128k\niodepth=8\nioengine=libaio\n",
                           {"--set", "slc.mode=none", "-o", dir / "none"});
  CHECK_FALSE(contains(none.out, "SLC segment"));
}

TEST_CASE("run: a window of the timeline past the end is told of") {
  const TempDir dir;
  const Outcome o = run(dir, "w.yaml", kShort, {"--timeline", "--timeline-window", "10s,1ms"});
  CHECK(o.exit_code == 0);
  CHECK(contains(o.err, "nothing happened in this window"));
}

TEST_CASE("run: a step whose job file is missing is named") {
  const TempDir dir;
  const Outcome o = run(dir, "p.yaml", "steps:\n  - {step: job, name: x, file: nofile.fio}\n");
  CAPTURE(o.err);
  CHECK(o.exit_code == 2);
  CHECK(contains(o.err, "p.yaml:2:"));
  CHECK(contains(o.err, "nofile.fio': no such file"));
}

TEST_CASE("traces that are cut off inside their packing end with an error") {
  const TempDir dir;
  std::string csv;
  for (int i = 0; i < 20'000; ++i)
    csv += std::to_string(128166372003061629 + i * 7919LL % 100'000 * 1000) + ",h,0,Read," +
           std::to_string(i * 7919LL % 10'000 * 4096) + ",4096,100\n";
  write_text(dir / "t.csv", csv);
  REQUIRE(std::system(("gzip -k " + (dir / "t.csv").string()).c_str()) == 0);
  const std::string whole = read_text(dir / "t.csv.gz");
  write_text(dir / "cut.csv.gz", whole.substr(0, whole.size() / 2));
  const Outcome info = run_tool({"trace", "info", dir / "cut.csv.gz"});
  CAPTURE(info.err);
  CHECK(info.exit_code == 2);
  CHECK(contains(info.err, "damaged or cut off"));
  CHECK(contains(info.out, "cannot be read any further"));
  const Outcome converted =
      run_tool({"trace", "convert", dir / "cut.csv.gz", dir / "o.csv", "--to", "csv"});
  CHECK(converted.exit_code == 2);
  const Outcome replayed =
      run_tool({"run", golden_file("tiny.yaml"), dir / "cut.csv.gz", "-o", dir / "r"});
  CAPTURE(replayed.err);
  CHECK(replayed.exit_code == 2);
  CHECK(contains(replayed.err, "damaged or cut off"));
  CHECK(run_tool({"trace", "info", dir / "t.csv.gz"}).exit_code == 0);
  CHECK(
      run_tool({"trace", "convert", dir / "t.csv.gz", "/nonexistent/o", "--to", "csv"}).exit_code ==
      2);
}

}  // namespace
}  // namespace ftlsim::golden
