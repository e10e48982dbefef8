// Reads of what was never written, and the preparation that avoids them.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/golden/tool.h"

namespace ftlsim::golden {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kJob =
    "[r]\n"
    "filename=/dev/nvme0n1\n"
    "ioengine=libaio\n"
    "iodepth=4\n"
    "rw=randread\n"
    "bs=4k\n"
    "size=64m\n";

Outcome run(const TempDir& dir, const std::string& name, std::vector<std::string> more) {
  write_text(dir / "job.fio", kJob);
  std::vector<std::string> words = {"run", golden_file("tiny.yaml"), dir / "job.fio", "-o",
                                    dir / name};
  words.insert(words.end(), more.begin(), more.end());
  return run_tool(words);
}

TEST_CASE("run: reads of what was never written are noted") {
  const TempDir dir;
  const Outcome bare = run(dir, "bare", {});
  CAPTURE(bare.err);
  REQUIRE(bare.exit_code == 0);
  CHECK(bare.err.find("100 % of what phase 'r' read was never written") != std::string::npos);
  CHECK(bare.err.find("--prepare precondition") != std::string::npos);
  const Json phase = read_json(dir / "bare/summary.json").at("phases").at(0);
  CHECK(phase.at("read_unwritten") == 1.0);
}

TEST_CASE("run --prepare: another workload runs first, and is not in fio's results") {
  const TempDir dir;
  const Outcome prepared =
      run(dir, "prepared", {"--prepare", "precondition", "--output-format", "json"});
  CAPTURE(prepared.err);
  REQUIRE(prepared.exit_code == 0);
  CHECK(prepared.err.find("never written") == std::string::npos);
  const Json fio = Json::parse(prepared.out);
  REQUIRE(fio.at("jobs").size() == 1);
  CHECK(fio.at("jobs").at(0).at("jobname") == "r");
  const Json phases = read_json(dir / "prepared/summary.json").at("phases");
  REQUIRE(phases.size() == 4);
  CHECK(phases.at(1).at("name") == "precondition");
  const Json& read = phases.at(3);
  CHECK(read.at("name") == "r");
  CHECK_FALSE(read.contains("read_unwritten"));
  // A sense takes 25 us or more; read-ahead may have answered a few.
  CHECK(read.at("read").at("latency_us").at("p50").get<double>() > 25.0);
  CHECK(fio.at("jobs").at(0).at("read").at("clat_ns").at("mean").get<double>() > 25'000.0);
  CHECK(std::filesystem::exists(dir / "prepared/prepare.yaml"));
}

TEST_CASE("run --prepare: what cannot be found is an error") {
  const TempDir dir;
  const Outcome unknown = run(dir, "unknown", {"--prepare", "preconditon"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("preconditon") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(dir / "unknown"));
}

}  // namespace
}  // namespace ftlsim::golden
