// Golden runs: small drives under small workloads give the fingerprints and figures in expected/,
// in every build. FTLSIM_BLESS=1 writes those files anew.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/golden/tool.h"

namespace ftlsim::golden {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  std::string drive;
  std::string workload;  // with its extension
  std::string name() const { return drive + "-" + std::filesystem::path(workload).stem().string(); }
};

const std::vector<Case> kCases = {
    {"tiny", "everything.yaml"},
    {"tiny-tlc", "everything.yaml"},
    {"tiny-fold", "everything.yaml"},
    {"tiny-dramless", "everything.yaml"},
    {"tiny", "jobs.fio"},
    {"tiny-hot", "everything.yaml"},
    {"tiny-errors", "shelf.yaml"},
};

Outcome run_case(const Case& c, const std::filesystem::path& out,
                 const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"run", golden_file(c.drive + ".yaml"),
                                        golden_file(c.workload), "-o", out.string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_tool(arguments);
}

// What a change of behaviour moves and a reader can judge.
Json selected(const Json& summary) {
  Json out = Json::object();
  for (const char* key :
       {"complete", "seed", "fingerprint", "sim_s", "commands", "waf", "waf_by_cause", "space"})
    out[key] = summary.at(key);
  if (summary.contains("reliability")) out["reliability"] = summary.at("reliability");
  for (const Json& phase : summary.at("phases")) {
    Json& p = out["phases"][phase.at("name").get<std::string>()];
    for (const char* key : {"kind", "sim_s", "commands", "errors", "mean_MBps", "waf"})
      p[key] = phase.at(key);
  }
  for (const auto& [name, stat] : summary.at("statistics").items())
    if (stat.contains("value")) out["statistics"][name] = stat.at("value");
  return out;
}

TEST_CASE("golden runs") {
  for (const Case& c : kCases) {
    CAPTURE(c.name());
    const TempDir scratch;
    const Outcome outcome = run_case(c, scratch / "run");
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const Json summary = read_json(scratch / "run" / "summary.json");
    const Json actual = selected(summary);
    CHECK(summary.at("laws").at("violated").empty());
    const std::string file = golden_file("expected/" + c.name() + ".json");
    if (std::getenv("FTLSIM_BLESS") != nullptr) write_text(file, actual.dump(2) + "\n");
    const Json expected = read_json(file);
    REQUIRE_MESSAGE(expected.is_object(), file << " is missing: renew it with FTLSIM_BLESS=1");
    for (const auto& change : Json::diff(expected, actual)) {
      const std::string path = change.at("path");
      const Json::json_pointer at(path);
      FAIL_CHECK(c.name() << path << ": expected "
                          << (expected.contains(at) ? expected.at(at).dump() : "nothing") << ", is "
                          << (actual.contains(at) ? actual.at(at).dump() : "nothing"));
    }
  }
}

TEST_CASE("equal runs give equal files, another seed others") {
  const TempDir scratch;
  const Case c = kCases.front();
  REQUIRE(run_case(c, scratch / "a").exit_code == 0);
  REQUIRE(run_case(c, scratch / "b").exit_code == 0);
  REQUIRE(run_case(c, scratch / "c", {"--seed", "2"}).exit_code == 0);
  CHECK(compare_run_dirs(scratch / "a", scratch / "b") == "");
  const Json a = read_json(scratch / "a" / "summary.json").at("fingerprint");
  const Json other = read_json(scratch / "c" / "summary.json").at("fingerprint");
  CHECK(a.at("events") != other.at("events"));
  CHECK(a.at("stats") != other.at("stats"));
}

TEST_CASE("the effective configuration gives the same run") {
  const TempDir scratch;
  const Case c = kCases.front();
  REQUIRE(run_case(c, scratch / "a", {"--set", "sched.power_credits=2"}).exit_code == 0);
  // The name of a drive file names its random streams, so the copy keeps it.
  std::filesystem::copy_file(scratch / "a" / "effective.yaml", scratch / "tiny.yaml");
  const Outcome again =
      run_tool({"run", scratch / "tiny.yaml", golden_file(c.workload), "-o", scratch / "b"});
  CAPTURE(again.err);
  REQUIRE(again.exit_code == 0);
  CHECK(compare_run_dirs(scratch / "a", scratch / "b") == "");
}

TEST_CASE("a run directory has the files and names that others rely on") {
  const TempDir scratch;
  REQUIRE(run_case(kCases.front(), scratch / "run").exit_code == 0);
  for (const char* name : {"summary.json", "effective.yaml", "fingerprints.csv", "timeseries.csv",
                           "report.html", "workload.yaml"})
    CHECK_MESSAGE(std::filesystem::exists(scratch / "run" / name), name);
  const std::string rows = read_text(scratch / "run" / "timeseries.csv");
  CHECK(rows.starts_with(
      "t_s,phase,written_GB,read_GB,write_MBps,read_MBps,slc_valid_GB,slc_used_GB,slc_limit_GB,"
      "free_superblocks,waf_window,fold_MBps,gc_MBps,temp_C,controller_C,nand_C,power_W\n"));
  const Json summary = read_json(scratch / "run" / "summary.json");
  for (const char* key : {"schema", "complete", "drive", "workload", "seed", "fingerprint", "sim_s",
                          "wall_s", "peak_rss_bytes", "commands", "waf", "waf_by_cause", "phases"})
    CHECK_MESSAGE(summary.contains(key), key);
  for (const char* key : {"name", "kind", "sim_s", "wall_s", "commands", "mean_MBps", "iops", "waf",
                          "read", "write", "trim"})
    CHECK_MESSAGE(summary.at("phases").at(1).contains(key), key);
  for (const char* key : {"min", "mean", "p50", "p90", "p99", "p99_9", "p99_99", "max"})
    CHECK_MESSAGE(summary.at("phases").at(1).at("write").at("latency_us").contains(key), key);
}

}  // namespace
}  // namespace ftlsim::golden
