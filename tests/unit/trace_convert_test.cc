// `trace convert` and `trace info`: what is written reads back the same, real fio replays it, and
// the figures are those of the trace.
#include "tools/trace/trace_convert.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/unit/trace_text.h"
#include "tools/trace/footprint.h"
#include "tools/trace/trace_statistics.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

// A folder that lives as long as the test.
struct TempDir {
  TempDir() : path(fs::temp_directory_path() / ("ftlsim-convert-" + std::to_string(getpid()))) {
    fs::create_directories(path);
  }
  ~TempDir() { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name, std::ios::binary) << text;
    return (path / name).string();
  }
  std::string read(const std::string& name) const {
    std::ifstream in(path / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  fs::path path;
};

const std::string kTrace =
    "time_ns,op,offset_bytes,size_bytes,device\n"
    "7000000,write,0,4096,259,\n"
    "1000000,read,8192,4096,a b\n"
    "2000000,write,0,4096,a b\n"
    "2500000,write,4096,8192,a b\n"
    "2600000,trim,4096,8192,a b\n"
    "2700000,flush,0,0,a b\n"
    "3000000,read,0,0,a b\n";

std::string convert(const TempDir& dir, const std::string& to, const std::string& target = "") {
  TraceSourceOptions options;
  options.file = dir.write("in.csv", kTrace);
  Diagnostics diagnostics;
  const auto source = TraceSource::open(options, diagnostics);
  REQUIRE(source != nullptr);
  std::string error;
  REQUIRE(
      convert_trace(*source, *make_trace_writer(to, target), (dir.path / "out").string(), error));
  CHECK(source->tally().balanced());
  CHECK(source->tally().rejected.total() == 1);
  return dir.read("out");
}

TEST_CASE("trace convert: iolog with add, open and close, and times from 1 us on") {
  const TempDir dir;
  const std::string text = convert(dir, "fio3");
  CHECK(
      text ==
      "fio version 3 iolog\n1 trace-a_b add\n1 trace-a_b open\n1 trace-a_b read 8192 4096\n"
      "1001 trace-a_b write 0 4096\n1501 trace-a_b write 4096 8192\n1601 trace-a_b trim 4096 8192\n"
      "1701 trace-a_b sync 0 0\n6001 trace-259 add\n6001 trace-259 open\n"
      "6001 trace-259 write 0 4096\n6001 trace-259 close\n6001 trace-a_b close\n");
  CHECK(ReadTrace(text).records.size() == 6);
}

TEST_CASE("trace convert: csv keeps everything, MQSim what it can say") {
  const TempDir dir;
  const ReadTrace csv(convert(dir, "csv"));
  CHECK(csv.format == "csv");
  REQUIRE(csv.records.size() == 6);
  check_record(csv.records[2], 1'500'000, TraceOp::kWrite, 4096, 8192);
  CHECK(csv.records[3].op == TraceOp::kTrim);
  CHECK(csv.records[4].op == TraceOp::kFlush);
  const std::string mqsim = convert(dir, "mqsim");
  CHECK(mqsim == "0 1 16 8 1\n1000000 1 0 8 0\n1500000 1 8 16 0\n6000000 0 0 8 0\n");
}

TEST_CASE("trace convert: real fio replays the iolog") {
  if (std::system("fio --version >/dev/null 2>&1") != 0) {
    MESSAGE("fio is not installed: not tested");
    return;
  }
  const TempDir dir;
  const std::string target = dir.write("target", std::string(1 << 20, 'x'));
  const std::string iolog = convert(dir, "fio3", target);
  CHECK(iolog.find(" trim ") != std::string::npos);  // fio before 3.34 passes over it
  const std::string log = dir.write("iolog", iolog);
  const std::string out = (dir.path / "json").string();
  const std::string command = "fio --name=r --ioengine=psync --read_iolog=" + log +
                              " --output-format=json --output=" + out + " >/dev/null 2>&1";
  REQUIRE(std::system(command.c_str()) == 0);
  const std::string text = dir.read("json");
  const auto json = nlohmann::json::parse(text.substr(text.find('{')));
  const auto& job = json["jobs"][0];
  CHECK(job["error"] == 0);
  CHECK(job["read"]["total_ios"] == 1);
  CHECK(job["write"]["total_ios"] == 3);
  CHECK(job["write"]["io_bytes"] == 4096 + 8192 + 4096);
  CHECK(job["sync"]["total_ios"] == 1);
}

TEST_CASE("trace convert: a file that cannot be written") {
  const TempDir dir;
  TraceSourceOptions options;
  options.file = dir.write("in.csv", kTrace);
  Diagnostics diagnostics;
  const auto source = TraceSource::open(options, diagnostics);
  std::string error;
  CHECK_FALSE(convert_trace(*source, *make_trace_writer("csv", ""), "/no/such/place", error));
  CHECK(error.find("cannot write '/no/such/place'") == 0);
  CHECK(make_trace_writer("tape", "") == nullptr);
}

TEST_CASE("trace info: figures") {
  const TempDir dir;
  TraceSourceOptions options;
  options.file = dir.write("in.csv", kTrace);
  Diagnostics diagnostics;
  const auto source = TraceSource::open(options, diagnostics);
  TraceStatistics statistics;
  TraceRecord record;
  while (source->next(record)) {
    statistics.add(record);
    ++source->tally().issued;
  }
  const std::string text = statistics.text(*source);
  CAPTURE(text);
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has("7 read = 6 usable + 0 left out + 1 rejected (size of zero 1)"));
  CHECK(has("line 8: size of zero: '3000000,read,0,0,a b'"));
  CHECK(has("period          0.006000 s, from 0.001000000 s"));
  CHECK(has("order           5 records earlier than one before them, 0 of them"));
  CHECK(has("write           3 (50.0 %), 16.384 kB, 5461 B on average, 33.3 % sequential"));
  CHECK(has("2: 'a b' 83.3 %, '259' 16.7 %"));
  options.device = "c";
  const auto none = TraceSource::open(options, diagnostics);
  CHECK_FALSE(none->next(record));
  none->report_nothing(diagnostics);
  CHECK(diagnostics.items()[0].message.find("it has the devices '259', 'a b'") !=
        std::string::npos);
}

TEST_CASE("trace info: footprint counts every 4 KiB once, and coarsens within its memory") {
  Footprint exact;
  exact.add(0, 0, 1);
  exact.add(0, 4095, 2);
  exact.add(1, 0, 4096);
  exact.add(0, uint64_t{64} << 20, 4096);
  CHECK(exact.bytes() == 4 * 4096);
  exact.add(0, 0, uint64_t{1} << 30);
  CHECK(exact.bytes() == (uint64_t{1} << 30) + 4096);
  CHECK(exact.unit_bytes() == 4096);
  Footprint small(2);
  for (uint64_t i = 0; i < 8; ++i) small.add(0, i << 26, 4096);
  CHECK(small.unit_bytes() == 4 * 4096);
  CHECK(small.bytes() == 8 * small.unit_bytes());
  small.add(0, 0, uint64_t{1} << 40);
  CHECK(small.bytes() == uint64_t{1} << 40);
}

}  // namespace
}  // namespace ftlsim
