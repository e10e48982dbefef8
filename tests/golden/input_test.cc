// Wrong input and output directories: exit code 2, a message that names what is wrong and where,
// everything in one pass, and nothing left behind.
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/golden/tool.h"

namespace ftlsim::golden {
namespace {

namespace fs = std::filesystem;

constexpr const char* kShort =
    "steps:\n  - {step: write, name: fill, pattern: sequential, block_size: 128KiB, size: 10%}\n";

struct BadInput {
  const char* what;
  std::string drive;     // text of the drive file after the `extends:` line
  std::string workload;  // text of the procedure
  std::vector<std::string> more;
  std::vector<std::string> named;  // what the messages must contain
};

const std::vector<BadInput>& bad_inputs() {
  static const std::vector<BadInput> kInputs = {
      {"unknown key", "slc:\n  mod: none\n", kShort, {}, {"drive.yaml:3", "slc.mod", "'mode'"}},
      {"duplicate key", "name: a\nname: b\n", kShort, {}, {"drive.yaml:3", "name"}},
      {"missing unit",
       "buffer:\n  idle_flush: 5\n",
       kShort,
       {},
       {"drive.yaml:3", "idle_flush", "5"}},
      {"out of range", "link: {lanes: 99}\n", kShort, {}, {"drive.yaml:2", "lanes", "99", "16"}},
      {"not a number", "link: {lanes: 4x}\n", kShort, {}, {"drive.yaml:2", "lanes", "4x"}},
      {"spare below the reserves",
       "capacity: 1200MiB\n",
       kShort,
       {},
       {"spare is smaller", "capacity, ", "drive.yaml:2", "watermark", "raise"}},
      {"contradiction",
       "gc: {low_watermark: 9}\n",
       kShort,
       {},
       {"drive.yaml:2", "gc.low_watermark", "9", "gc.high_watermark"}},
      {"hybrid cache larger than the drive",
       "slc: {mode: hybrid, hybrid: {static: 400MiB}}\n",
       kShort,
       {},
       {"drive.yaml:2", "slc.hybrid.static", "slc.limit[1].limit", "tiny.yaml:"}},
      {"watermarks crossed",
       "slc:\n  fold:\n    trigger: watermarks\n    watermarks: {low: 60%, high: 40%}\n",
       kShort,
       {},
       {"drive.yaml:5", "slc.fold.watermarks.low", "slc.fold.watermarks.high"}},
      {"unknown policy",
       "slc: {route: smal}\n",
       kShort,
       {},
       {"drive.yaml:2", "slc.route", "small"}},
      {"not YAML", "slc: [1, {\n", kShort, {}, {"drive.yaml"}},
      {"override of an unknown key", "", kShort, {"--set", "gc.low=3"}, {"<cmdline>", "gc.low"}},
      {"override without a value", "", kShort, {"--set", "gc"}, {"<cmdline>", "gc"}},
      {"job past the end",
       "",
       "steps:\n  - {step: write, name: w, block_size: 4KiB, offset: 90%, size: 2GiB}\n",
       {},
       {"workload.yaml:2", "size", "2GiB"}},
      {"block of no bytes",
       "",
       "steps:\n  - {step: write, name: w, block_size: 0B, size: 10%}\n",
       {},
       {"workload.yaml:2", "block_size", "0"}},
      {"step that is not modelled",
       "",
       "steps:\n  - {step: age, name: a}\n",
       {},
       {"workload.yaml:2", "age"}},
      {"step that does not exist",
       "",
       "steps:\n  - {step: wirte, name: a}\n",
       {},
       {"workload.yaml:2", "wirte", "'write'"}},
      {"workload without steps", "", "description: none\n", {}, {"workload.yaml", "steps"}},
      {"everything at once",
       "slc:\n  mod: none\nlink: {lanes: 99}\n",
       "steps:\n  - {step: wirte, name: a}\n",
       {"--set", "gc.low=3"},
       {"slc.mod", "lanes", "gc.low", "wirte"}},
  };
  return kInputs;
}

TEST_CASE("wrong drives and workloads") {
  for (const BadInput& bad : bad_inputs()) {
    CAPTURE(bad.what);
    const TempDir scratch;
    write_text(scratch / "drive.yaml", "extends: " + golden_file("tiny.yaml") + "\n" + bad.drive);
    write_text(scratch / "workload.yaml", bad.workload);
    const std::vector<std::string> before = scratch.names();
    std::vector<std::string> arguments = {"run", scratch / "drive.yaml", scratch / "workload.yaml",
                                          "-o", scratch / "out"};
    arguments.insert(arguments.end(), bad.more.begin(), bad.more.end());
    const Outcome outcome = run_tool(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find("error: ") != std::string::npos);
    for (const std::string& word : bad.named)
      CHECK_MESSAGE(outcome.err.find(word) != std::string::npos, "not named: " << word);
    CHECK(scratch.names() == before);
  }
}

TEST_CASE("wrong command lines") {
  const auto error_of = [](const std::vector<std::string>& arguments) {
    const Outcome outcome = run_tool(arguments);
    CHECK(outcome.exit_code == 2);
    return outcome.err;
  };
  CHECK(error_of({"run", "p41-1bt", "sustain"}).find("did you mean 'p41-1tb'") !=
        std::string::npos);
  CHECK(error_of({"run", "p41-1tb", "sustian"}).find("did you mean 'sustain'") !=
        std::string::npos);
  CHECK(error_of({"run", "nothing.yaml", "sustain"}).find("nothing.yaml") != std::string::npos);
  CHECK(error_of({"run", "/", "sustain"}).find("unknown drive") != std::string::npos);
  CHECK(error_of({"run", "p41-1tb", "none.fio"}).find("none.fio") != std::string::npos);
  CHECK(error_of({"explain", "p41"}).find("unknown drive") != std::string::npos);
  CHECK(error_of({"run", "p41-1tb"}).find("WORKLOAD") != std::string::npos);
  CHECK(error_of({"run", "p41-1tb", "sustain", "--seed", "x"}).find("--seed") != std::string::npos);
  CHECK(error_of({"walk"}).find("walk") != std::string::npos);
  CHECK(error_of({}).find("subcommand") != std::string::npos);
}

TEST_CASE("help, version, schema, explain") {
  CHECK(run_tool({"--help"}).exit_code == 0);
  CHECK(run_tool({"run", "--help"}).out.find("Exit codes") != std::string::npos);
  CHECK(run_tool({"--version"}).out.starts_with("ftlsim "));
  const Outcome schema = run_tool({"schema"});
  CHECK(schema.exit_code == 0);
  CHECK(nlohmann::json::parse(schema.out, nullptr, false).contains("properties"));
  const Outcome page = run_tool({"explain", golden_file("tiny.yaml")});
  CHECK(page.exit_code == 0);
  for (const char* word : {"TLC program", "SLC program", "fold", "link", "spare", "= needed",
                           "limit at 100 %", "Memory"})
    CHECK_MESSAGE(page.out.find(word) != std::string::npos, word);
}

class OutputFixture {
 public:
  OutputFixture() { write_text(scratch_ / "short.yaml", kShort); }
  Outcome run(const std::string& out) const {
    return run_tool({"run", golden_file("tiny.yaml"), scratch_ / "short.yaml", "-o", out});
  }
  const TempDir& scratch() const { return scratch_; }

 private:
  TempDir scratch_;
};

TEST_CASE_FIXTURE(OutputFixture, "output directory: new, empty and former runs are taken") {
  CHECK(run(scratch() / "a/b/c").exit_code == 0);
  fs::create_directory(scratch() / "empty");
  CHECK(run(scratch() / "empty/").exit_code == 0);
  CHECK(fs::exists(scratch() / "empty/summary.json"));
  write_text(scratch() / "empty/mark", "");
  CHECK(run(scratch() / "empty").exit_code == 0);
  CHECK_FALSE(fs::exists(scratch() / "empty/mark"));
  CHECK(scratch().names() == std::vector<std::string>{"a", "empty", "short.yaml"});
}

TEST_CASE_FIXTURE(OutputFixture, "output directory: anything else is refused and kept") {
  fs::create_directory(scratch() / "full");
  write_text(scratch() / "full/precious", "text");
  write_text(scratch() / "file", "text");
  fs::create_directory(scratch() / "other");
  write_text(scratch() / "other/summary.json", "{\"schema\": 99}");
  const std::vector<std::string> before = scratch().names();
  for (const char* name : {"full", "file", "other", "file/below"}) {
    CAPTURE(name);
    const Outcome outcome = run(scratch() / name);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find((scratch() / name).string()) != std::string::npos);
    CHECK(outcome.err.find("-o") != std::string::npos);
  }
  CHECK(run("").exit_code == 2);
  CHECK(read_text(scratch() / "full/precious") == "text");
  CHECK(scratch().names() == before);
}

// Waits until the run has begun, so that the signal meets its handler.
bool wait_for(const fs::path& path) {
  for (int i = 0; i < 6000 && !fs::exists(path); ++i) usleep(10'000);
  return fs::exists(path);
}

TEST_CASE("an interrupt leaves a valid run directory marked incomplete") {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    const TempDir scratch;
    const TempDir streams;
    const pid_t pid = start_tool(
        {"run", golden_file("tiny.yaml"), golden_file("long.yaml"), "-o", scratch / "out"},
        streams);
    const std::string partial = "out.partial-" + std::to_string(pid);
    REQUIRE(wait_for(scratch / partial / "timeseries.csv"));
    usleep(200'000);
    REQUIRE(kill(pid, signal_number) == 0);
    const Outcome outcome = wait_for_tool(pid, streams);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 3);
    CHECK(scratch.names() == std::vector<std::string>{"out"});
    const nlohmann::ordered_json summary = read_json(scratch / "out/summary.json");
    REQUIRE(summary.is_object());
    CHECK(summary.at("complete") == false);
    CHECK(summary.at("laws").at("violated").empty());
    CHECK(fs::exists(scratch / "out/report.html"));
  }
}

}  // namespace
}  // namespace ftlsim::golden
