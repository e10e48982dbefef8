// What looks into runs, from the command line: comparison, measured curve, timeline.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/golden/tool.h"

namespace ftlsim::golden {
namespace {

using Json = nlohmann::ordered_json;

// Two short runs that differ in one key, made once.
const TempDir& runs() {
  static const TempDir kDir;
  static const bool kMade = [] {
    const auto run = [](const char* name, std::vector<std::string> more) {
      std::vector<std::string> arguments = {"run", golden_file("tiny.yaml"),
                                            golden_file("everything.yaml"), "-o",
                                            (kDir / name).string()};
      arguments.insert(arguments.end(), more.begin(), more.end());
      return run_tool(arguments).exit_code == 0;
    };
    return run("a", {}) && run("b", {"--set", "sched.power_credits=1"});
  }();
  REQUIRE(kMade);
  return kDir;
}

TEST_CASE("report: two runs on one page, as text and as JSON") {
  const std::string page = runs() / "cmp/page.html";
  const Outcome text =
      run_tool({"report", runs() / "a", "slow=" + (runs() / "b").string(), "-o", page});
  CAPTURE(text.err);
  REQUIRE(text.exit_code == 0);
  for (const char* part :
       {"slow", "write amplification", "fill, write", "sched.power_credits", "TLC erases, mean"})
    CHECK_MESSAGE(text.out.find(part) != std::string::npos, part);
  CHECK(read_text(page).find("sched.power_credits") != std::string::npos);

  const Outcome json = run_tool({"report", runs() / "a", runs() / "b", "-o", page, "--json"});
  REQUIRE(json.exit_code == 0);
  const Json figures = Json::parse(json.out, nullptr, false);
  REQUIRE(figures.is_object());
  REQUIRE(figures.at("differences").size() == 1);
  CHECK(figures.at("differences")[0].at("key") == "sched.power_credits");
  const Json summary = read_json(runs() / "a/summary.json");
  const Json& a = figures.at("runs")[0];
  CHECK(a.at("waf") == summary.at("waf"));
  CHECK(a.at("erase_cycles").at("tlc").at("max") == summary.at("erase_cycles").at("tlc").at("max"));
  CHECK(a.at("phases")[0].at("mean_MBps") == summary.at("phases")[1].at("write").at("MBps"));
}

TEST_CASE("report: the page of one run again") {
  const TempDir scratch;
  const Outcome again = run_tool({"report", runs() / "a", "-o", scratch / "again.html"});
  REQUIRE(again.exit_code == 0);
  CHECK(read_text(scratch / "again.html") == read_text(runs() / "a/report.html"));
}

TEST_CASE("report: wrong input") {
  const TempDir scratch;
  const auto expect = [](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = run_tool(arguments);
    CAPTURE(message);
    CHECK(outcome.exit_code == 2);
    CHECK_MESSAGE(outcome.err.find(message) != std::string::npos, outcome.err);
  };
  expect({"report", scratch / "absent"}, "no such directory");
  std::filesystem::create_directory(scratch / "empty");
  expect({"report", scratch / "empty", runs() / "a"}, "holds no summary.json");

  const auto changed = [&](const char* name, const char* key, const Json& value) {
    std::filesystem::copy(runs() / "a", scratch / name);
    Json summary = read_json(scratch / name / "summary.json");
    summary[key] = value;
    write_text(scratch / name / "summary.json", summary.dump());
    return (scratch / name).string();
  };
  const std::string old = changed("old", "schema", 999);
  expect({"report", old, "-o", scratch / "p.html"}, "has schema 999");
  const std::string cut = changed("cut", "complete", false);
  expect({"report", cut, runs() / "a", "-o", scratch / "p.html"}, "was interrupted");
  CHECK(run_tool({"report", cut, "-o", scratch / "p.html", "--incomplete"}).exit_code == 0);
  const std::string bare = changed("bare", "seed", 1);
  write_text(bare + "/timeseries.csv", "nothing\n");
  expect({"report", bare, runs() / "a", "-o", scratch / "p.html"}, "holds no sample");
  write_text(scratch / "bad.csv", "t_s,write_MBps\n0,1\nx,2\n");
  expect({"report", runs() / "a", "--measured", scratch / "bad.csv"}, "bad.csv:3: error: t_s");
  expect({"report", runs() / "a", runs() / "b", "-o", scratch / "empty"}, "cannot be written");
  expect({"report"}, "RUN");
}

TEST_CASE("run --measured: the curve is on the page and in the run directory") {
  const TempDir scratch;
  write_text(scratch / "fill.yaml",
             "steps:\n  - {step: write, name: fill, pattern: sequential, block_size: 128KiB, "
             "iodepth: 32, size: 50%}\n");
  write_text(scratch / "drive x.csv", "t_s,write_MBps\n0,700\n1,300\n5,300\n");
  const Outcome outcome = run_tool({"run", golden_file("tiny.yaml"), scratch / "fill.yaml", "-o",
                                    scratch / "run", "--measured", scratch / "drive x.csv"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  const std::string page = read_text(scratch / "run/report.html");
  CHECK(page.find("\"measured\":{\"name\":") != std::string::npos);
  REQUIRE(run_tool({"report", scratch / "run", "-o", scratch / "p.html"}).exit_code == 0);
  CHECK(read_text(scratch / "p.html") == page);
  const Outcome bad = run_tool({"run", golden_file("tiny.yaml"), scratch / "fill.yaml", "-o",
                                scratch / "run", "--measured", scratch / "absent.csv"});
  CHECK(bad.exit_code == 2);
  CHECK(bad.err.find("absent.csv") != std::string::npos);
}

TEST_CASE("run --timeline: a file, the same run") {
  const TempDir scratch;
  const Outcome outcome =
      run_tool({"run", golden_file("tiny.yaml"), golden_file("everything.yaml"), "-o",
                scratch / "run", "--timeline", "--timeline-window", "40ms,30ms"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.find("slices from 40.000 ms to 70.000 ms") != std::string::npos);
  const Json file = read_json(scratch / "run/timeline.json");
  REQUIRE(file.is_object());
  CHECK(file.at("traceEvents").size() > 100);
  CHECK(read_json(scratch / "run/summary.json").at("fingerprint") ==
        read_json(runs() / "a/summary.json").at("fingerprint"));
  CHECK(read_text(scratch / "run/timeseries.csv") == read_text(runs() / "a/timeseries.csv"));

  const auto refused = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", golden_file("tiny.yaml"),
                                          golden_file("everything.yaml"), "-o", scratch / "no"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tool(arguments).exit_code;
  };
  CHECK(refused({"--timeline", "--timeline-window", "1s"}) == 2);
  CHECK(refused({"--timeline-window", "1s,1s"}) == 2);
  CHECK(refused({"--timeline=/nonexistent/t.json"}) == 2);
  const std::string named = scratch / "t.json";
  CHECK(refused({"--timeline=" + named}) == 0);
  CHECK(std::filesystem::exists(named));
  CHECK_FALSE(std::filesystem::exists(scratch / "no/timeline.json"));
}

// The rows of a decision file by column name.
using Rows = std::vector<std::map<std::string, std::string>>;
Rows decision_rows(const std::string& path) {
  Rows rows;
  std::istringstream in(read_text(path));
  std::vector<std::string> names;
  for (std::string line; std::getline(in, line);) {
    std::vector<std::string> cells;
    std::istringstream row(line + ",");
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    REQUIRE(cells.size() == names.size());
    auto& made = rows.emplace_back();
    for (size_t i = 0; i < cells.size(); ++i) made[names[i]] = cells[i];
  }
  REQUIRE_FALSE(names.empty());
  CHECK(names.front() == "t_s");
  for (size_t i = 1; i < rows.size(); ++i)
    CHECK(std::stod(rows[i - 1]["t_s"]) <= std::stod(rows[i]["t_s"]));
  return rows;
}

TEST_CASE("run --decision-log: what was decided fits what was done") {
  const TempDir scratch;
  REQUIRE(run_tool({"run", golden_file("tiny.yaml"), golden_file("everything.yaml"), "-o",
                    scratch / "run", "--decision-log"})
              .exit_code == 0);
  const Json summary = read_json(scratch / "run/summary.json");
  CHECK(summary.at("fingerprint") == read_json(runs() / "a/summary.json").at("fingerprint"));
  const auto statistic = [&](const char* name) {
    return summary.at("statistics").at(std::string("tiny.") + name).at("value").get<uint64_t>();
  };
  const auto rows = [&](const char* kind) {
    return decision_rows((scratch / "run/decisions").string() + "/" + kind + ".csv");
  };

  std::map<std::string, uint64_t> victims;  // by mode
  for (const char* kind : {"gc_victim", "fold_victim"})
    for (auto& row : rows(kind)) ++victims[row["mode"]];
  CHECK(victims["slc"] == statistic("relocation.victims_slc"));
  CHECK(victims["tlc"] == statistic("relocation.victims_tlc"));
  CHECK(victims["slc"] > 0);
  CHECK(victims["tlc"] > 0);
  // The drive collects greedily: nothing that could be chosen has less valid data.
  for (auto& row : rows("gc_victim"))
    if (!row["superblock"].empty()) CHECK(row["valid_share"] == row["least_valid_share"]);
  for (auto& row : rows("fold_victim")) CHECK(row["mode"] != "tlc");

  std::string limit;
  for (auto& row : rows("slc_limit")) {
    CHECK(row["former_GB"] != row["limit_GB"]);
    if (!limit.empty()) CHECK(row["former_GB"] == limit);  // the chain has no gap
    limit = row["limit_GB"];
  }
  CHECK_FALSE(limit.empty());

  uint64_t to_tlc = 0;
  std::string last;
  for (auto& row : rows("route")) {
    const std::string answer = row["destination"] + row["forced"];
    CHECK(answer != last);
    last = answer;
    to_tlc += row["destination"] == "tlc";
  }
  CHECK(to_tlc > 0);
  CHECK(to_tlc >= statistic("slc.exhaustions"));

  last.clear();
  for (auto& row : rows("throttle")) {
    CHECK(row["throttled"] != last);
    last = row["throttled"];
  }
  CHECK(rows("throttle").empty() == (statistic("host.throttled") == 0));
  uint64_t forced = 0;
  for (auto& row : rows("reclaim")) forced += row["forced"] == "1";
  CHECK(forced > 0);
}

// Columns of a kind that answer "from now on": no two rows in a row say the same.
void check_changes(Rows rows, const std::string& column) {
  std::string last;
  for (auto& row : rows) {
    CHECK(row[column] != last);
    last = row[column];
  }
}

// What goes first on a die has waited, and somebody else has, too.
void check_die_choices(Rows rows) {
  CHECK_FALSE(rows.empty());
  for (auto& row : rows) {
    const int waiting =
        !row["host_read_us"].empty() + !row["other_read_us"].empty() + !row["write_us"].empty();
    CHECK(waiting >= 2);
    CHECK_FALSE(row[row["class"] + "_us"].empty());
    if (row["starved"] == "1") CHECK(row["class"] == "write");
  }
}

TEST_CASE("run --decision-log=map_victim: every page that leaves a frame") {
  const TempDir scratch;
  write_text(scratch / "work.yaml",
             "steps:\n"
             "  - {step: write, name: w, block_size: 128KiB, iodepth: 8, size: 100%}\n"
             "  - {step: mix, name: m, pattern: random, block_size: 4KiB, iodepth: 8, size: 100%, "
             "io_size: 40MiB, read_percent: 50}\n");
  const auto run = [&](const std::string& name, std::vector<std::string> options) {
    std::vector<std::string> words = {"run", golden_file("tiny-dramless.yaml"),
                                      scratch / "work.yaml", "-o", scratch / name};
    words.insert(words.end(), options.begin(), options.end());
    return run_tool(words);
  };
  REQUIRE(run("plain", {}).exit_code == 0);
  REQUIRE(run("log", {"--decision-log=map_victim"}).exit_code == 0);
  const Json summary = read_json(scratch / "log/summary.json");
  CHECK(summary.at("fingerprint") == read_json(scratch / "plain/summary.json").at("fingerprint"));
  uint64_t left = 0;
  std::map<std::string, uint64_t> fates;
  for (auto& row : decision_rows((scratch / "log/decisions/map_victim.csv").string())) {
    ++fates[row["fate"]];
    left += row["fate"] != "other_tier";
    CHECK((row["tier"] == "hmb") != (row["fate"] == "other_tier"));
    CHECK(std::stoul(row["frames"]) > 0);
    CHECK_FALSE(row["page"].empty());
    if (row["fate"] == "written") CHECK(std::stoul(row["changed_pages"]) > 0);
  }
  CHECK(fates.size() == 3);
  bool counted = false;
  for (const auto& [key, value] : summary.at("statistics").items())
    if (key.ends_with(".map.evictions")) {
      counted = true;
      CHECK(value.at("value").get<uint64_t>() == left);
    }
  CHECK(counted);
}

TEST_CASE("run --decision-log=all: every policy of the SLC cache, wear, heat and dies") {
  const TempDir scratch;
  // Fills the cache, frees it by TRIM, fills it again beyond its end, rests, and works on.
  write_text(scratch / "work.yaml",
             "steps:\n"
             "  - {step: write, name: a, block_size: 128KiB, iodepth: 32, size: 25%}\n"
             "  - {step: trim, name: t, block_size: 1MiB, size: 25%}\n"
             "  - {step: write, name: b, block_size: 128KiB, iodepth: 32, size: 100%}\n"
             "  - {step: idle, name: i, duration: 10s}\n"
             "  - {step: mix, name: m, pattern: random, block_size: 4KiB, iodepth: 8, size: 100%, "
             "io_size: 20MiB, read_percent: 50}\n");
  const auto run = [&](const std::string& name, std::vector<std::string> options) {
    std::vector<std::string> words = {"run", golden_file("tiny-hot.yaml"), scratch / "work.yaml",
                                      "-o", scratch / name};
    words.insert(words.end(), options.begin(), options.end());
    for (const char* key : {"slc.at_exhaustion=mix", "wear.dynamic=true", "slc.keep=keep_newest",
                            "slc.keep_newest.size=8MiB", "slc.route=sequential_bypass",
                            "slc.sequential_bypass.length=900MiB", "thermal.ambient=38C"})
      words.insert(words.end(), {"--set", key});
    return run_tool(words);
  };
  REQUIRE(run("plain", {}).exit_code == 0);
  REQUIRE(run("all", {"--decision-log=all"}).exit_code == 0);
  const Json summary = read_json(scratch / "all/summary.json");
  CHECK(summary.at("fingerprint") == read_json(scratch / "plain/summary.json").at("fingerprint"));
  const auto statistic = [&](const char* name) {
    const Json& all = summary.at("statistics");
    for (const auto& [key, value] : all.items())
      if (key.ends_with(std::string(".") + name)) return value.at("value").get<uint64_t>();
    FAIL("no statistic ", name);
    return uint64_t{0};
  };
  const auto rows = [&](const char* kind) {
    return decision_rows((scratch / "all/decisions").string() + "/" + kind + ".csv");
  };
  check_changes(rows("fold_trigger"), "fold");
  check_changes(rows("slc_route"), "to_slc");
  check_changes(rows("exhaustion"), "state");
  CHECK(rows("fold_trigger").size() > 1);
  CHECK(rows("slc_route").size() > 1);
  uint64_t begun = 0;
  bool exhausted = false;
  for (auto& row : rows("exhaustion")) {
    begun += !exhausted && row["state"] != "drained";
    exhausted = row["state"] != "drained";
    CHECK(std::stoul(row["slc_units"]) <= std::stoul(row["room_units"]));
  }
  CHECK(begun == statistic("slc.exhaustions"));
  CHECK(begun > 0);
  uint64_t released = 0;
  for (auto& row : rows("release")) {
    released += row["answer"] == "released";
    if (row["answer"] != "emptied") CHECK(std::stod(row["valid_share"]) == 0.0);
  }
  CHECK(released > 0);
  CHECK(released <= statistic("space.dead"));
  for (auto& row : rows("wear_open")) {
    CHECK(row["order"] == "least_worn");
    // The youngest that may be taken: others may still be read.
    CHECK(std::stod(row["cycles"]) <= std::stod(row["most_cycles"]));
  }
  CHECK_FALSE(rows("wear_open").empty());
  CHECK_FALSE(rows("keep").empty());
  CHECK_FALSE(rows("thermal").empty());
  check_die_choices(rows("sched"));
}

TEST_CASE("run --decision-log: which kinds") {
  const TempDir scratch;
  const auto run = [&](const std::string& option) {
    return run_tool({"run", golden_file("tiny.yaml"), golden_file("everything.yaml"), "-o",
                     scratch / "run", option});
  };
  REQUIRE(run("--decision-log=sched,route").exit_code == 0);
  CHECK(std::filesystem::exists(scratch / "run/decisions/sched.csv"));
  CHECK(std::filesystem::exists(scratch / "run/decisions/route.csv"));
  CHECK_FALSE(std::filesystem::exists(scratch / "run/decisions/keep.csv"));
  const auto wrong = run("--decision-log=shed");
  CHECK(wrong.exit_code == 2);
  CHECK(wrong.err.find("did you mean 'sched'") != std::string::npos);
}

}  // namespace
}  // namespace ftlsim::golden
