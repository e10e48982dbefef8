// vdbench parameter files: syntax with its quirks, definitions, loops, rates, and bad input.
#include "workloads/vdbench/vdbench.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "workloads/job_file.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

const DriveLimits kDrive{Bytes(1'000'204'886'016), Bytes(512), Bytes::kib(128)};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct Parsed {
  std::optional<Workload> workload;
  std::string messages;
};

Parsed parse(std::string_view text) {
  Diagnostics diagnostics;
  Parsed parsed;
  parsed.workload = parse_vdbench(text, "p.vdb", "p", kDrive, diagnostics);
  parsed.messages = diagnostics.to_string();
  CHECK(parsed.workload.has_value() != diagnostics.has_errors());
  return parsed;
}

Workload good(std::string_view text) {
  const Parsed parsed = parse(text);
  INFO(text << "\n" << parsed.messages);
  REQUIRE(parsed.workload.has_value());
  return *parsed.workload;
}

std::string bad(std::string_view text) {
  INFO(text);
  const Parsed parsed = parse(text);
  CHECK_FALSE(parsed.workload.has_value());
  return parsed.messages;
}

// A file with these parameters at the end of the three definitions.
std::string file(const std::string& sd, const std::string& wd, const std::string& rd) {
  return "sd=sd1,lun=/dev/nvme0n1,openflags=o_direct" + sd + "\nwd=wd1,sd=sd1" + wd +
         "\nrd=rd1,wd=wd1" + rd + "\n";
}

std::vector<std::string> names(const Workload& workload) {
  std::vector<std::string> out;
  for (const PhaseSpec& phase : workload.phases) out.push_back(phase.name);
  return out;
}

TEST_CASE("the plain case, and vdbench's defaults") {
  const Workload w = good(file("", "", ",iorate=max"));
  REQUIRE(w.phases.size() == 1);
  const PhaseSpec& phase = w.phases[0];
  CHECK(phase.name == "rd1 max");
  CHECK(phase.kind == "read");
  CHECK(phase.warmup == Duration::s(1));  // the first interval does not count
  REQUIRE(phase.jobs.size() == 1);
  const JobSpec& job = phase.jobs[0];
  CHECK(job.numjobs == 8);
  CHECK(job.iodepth == 1);
  CHECK(job.runtime == Duration::s(30));
  CHECK(job.access.rate_share == 0);
  REQUIRE(job.access.lines.size() == 1);
  const AccessLine& line = job.access.lines[0];
  CHECK(line.sizes[0].size == Bytes::kib(4));
  CHECK(line.reads == kMillion);
  CHECK(line.random == kMillion);
  CHECK(line.offset == Bytes(0));
  CHECK(line.length == Bytes(kDrive.capacity.count() / 4096 * 4096));
  REQUIRE(phase.load);
  CHECK(phase.load->outstanding == 8);
  CHECK(phase.load->load == "max");
}

TEST_CASE("syntax: comments, continued lines, one parameter a line, quotes, eof, short keywords") {
  const Workload w = good(R"(* a comment
# another
/ and another
compratio=2
sd=sd1,
   lun="/dev/disk with blanks",   * behind a blank everything is a comment
   openflags=o_direct,thr=4
wd=wd1
sd=sd1
xf=(8k,
    50,16k,50)
rd=rd1,wd=wd*,io=1000,el=2m,in=5
eof
nonsense that nobody reads
)");
  const JobSpec& job = w.phases[0].jobs[0];
  CHECK(job.numjobs == 4);
  CHECK(job.runtime == Duration::s(120));
  CHECK(w.phases[0].warmup == Duration::s(5));
  REQUIRE(job.access.lines[0].sizes.size() == 2);
  CHECK(job.access.lines[0].sizes[1].size == Bytes::kib(16));
  CHECK(job.access.lines[0].sizes[1].share == 500'000);
  CHECK(w.phases[0].load->rate_milli == 1'000'000);
  CHECK(job.access.rate_share == kMillion);
  CHECK(job.pace.open_loop);
  CHECK(job.pace.from_issue);
  CHECK(contains(
      parse("sd=sd1,lun=/dev/x, threads=4\nwd=w1,sd=sd1\nrd=r1,wd=w1,iorate=max\n").messages,
      "p.vdb:1:1: warning: 'threads=4' is a comment"));
}

TEST_CASE("defaults apply to what comes later") {
  const Workload w = good(R"(
sd=default,openflags=o_direct,threads=16
sd=sd1,lun=/dev/x
sd=sd2,lun=/dev/x,threads=2
wd=default,xfersize=64k,rdpct=0
wd=wd1,sd=sd1
wd=wd2,sd=sd2,rdpct=100
rd=default,iorate=max,elapsed=10,warmup=4,interval=2
rd=rd1,wd=wd1
rd=rd2,wd=wd2,elapsed=20
)");
  REQUIRE(w.phases.size() == 2);
  CHECK(w.phases[0].jobs[0].numjobs == 16);
  CHECK(w.phases[1].jobs[0].numjobs == 2);
  CHECK(w.phases[0].kind == "write");
  CHECK(w.phases[1].kind == "read");
  CHECK(w.phases[0].warmup == Duration::s(4));
  CHECK(w.phases[0].jobs[0].runtime == Duration::s(14));  // the warm-up comes on top
  CHECK(w.phases[1].jobs[0].runtime == Duration::s(24));
}

TEST_CASE("regions: range in percent and bytes, size, offset; the workload's range wins") {
  const auto line = [](const std::string& sd, const std::string& wd) {
    return good(file(sd, wd, ",iorate=max")).phases[0].jobs[0].access.lines[0];
  };
  const uint64_t capacity = kDrive.capacity.count();
  CHECK(line(",range=(0,5)", "").length.count() == capacity / 20 / 4096 * 4096);
  const AccessLine middle = line(",range=(10,20)", ",range=(50,75),xfersize=64k");
  CHECK(middle.offset.count() == capacity / 2 / 65'536 * 65'536);
  CHECK((middle.offset + middle.length).count() == capacity / 4 * 3 / 65'536 * 65'536);
  CHECK(line(",range=(1g,3g)", "").offset == Bytes::gib(1));
  CHECK(line(",range=(1g,3g)", "").length == Bytes::gib(2));
  const AccessLine part = line(",size=10g,offset=1m,range=(50,100)", "");
  CHECK(part.offset == Bytes::mib(1) + Bytes::gib(5));
  CHECK(part.length == Bytes::gib(5));
  CHECK(line(",align=8k", "").align == Bytes::kib(8));
}

TEST_CASE("seekpct, rdpct, xfersize: words, percentages, ranges") {
  const auto line = [](const std::string& wd) {
    return good(file("", wd, ",iorate=max")).phases[0].jobs[0].access.lines[0];
  };
  CHECK(line(",seekpct=seq").random == 0);
  CHECK(line(",seekpct=0").random == 0);
  CHECK(line(",seekpct=random").random == kMillion);
  CHECK(line(",seekpct=rand").random == kMillion);
  CHECK(line(",seekpct=80").random == 800'000);
  CHECK(line(",seekpct=eof").ends);
  CHECK_FALSE(line(",seekpct=seq").ends);
  CHECK(line(",readpct=70").reads == 700'000);
  CHECK(line(",writepct=70").reads == 300'000);
  const AccessLine range = line(",xfersize=(4k,64k,2k)");
  CHECK(range.sizes[0].size == Bytes::kib(4));
  CHECK(range.size_max == Bytes::kib(64));
  CHECK(range.size_step == Bytes::kib(2));
}

TEST_CASE("iorate=curve measures first, then runs at percentages of it, in the given order") {
  const Workload w = good(file("", "", ",iorate=curve,elapsed=10,pause=5"));
  const std::vector<std::string> expected{
      "rd1 max", "idle",     "rd1 10 %", "idle-2",   "rd1 50 %", "idle-3",   "rd1 70 %",
      "idle-4",  "rd1 80 %", "idle-5",   "rd1 90 %", "idle-6",   "rd1 100 %"};
  CHECK(names(w) == expected);
  for (size_t i = 2; i < w.phases.size(); i += 2) {
    CHECK(w.phases[i].load->of_back == i);  // all of them point at the first
    CHECK(w.phases[i].load->table == "rd1");
    CHECK(w.phases[i].jobs[0].access.rate_share == kMillion);
  }
  CHECK(w.phases[2].load->percent == 10);
  const Workload own = good(file("", "", ",iorate=curve,curve=(20-100,40)"));
  CHECK(names(own) == std::vector<std::string>{"rd1 max", "rd1 20 %", "rd1 60 %", "rd1 100 %"});
}

TEST_CASE("the rate for a percentage is rounded as vdbench does it") {
  CHECK(rate_for_percent(500'000, 10) == 50'000);
  CHECK(rate_for_percent(123'456, 50) == 61'800);
  CHECK(rate_for_percent(1'500, 50) == 750);
  CHECK(rate_for_percent(1'234, 50) == 620);
  CHECK(rate_for_percent(10'010, 10) == 1'100);  // 1,001
  CHECK(rate_for_percent(0, 50) == 0);
}

TEST_CASE("lists of rates, and percentages of the run before") {
  const Workload w = good(file("", "", ",iorate=(100-300,100,max,50%)"));
  CHECK(names(w) ==
        std::vector<std::string>{"rd1 100/s", "rd1 200/s", "rd1 300/s", "rd1 max", "rd1 50 %"});
  CHECK(w.phases[1].load->rate_milli == 200'000);
  CHECK(w.phases[3].load->rate_milli == 0);
  CHECK(w.phases[3].jobs[0].access.rate_share == 0);
  CHECK(w.phases[4].load->of_back == 1);
  CHECK(contains(bad(file("", "", ",iorate=50%")), "a percentage needs a run before it"));
}

TEST_CASE("for loops: the first is the outermost, rates are innermost") {
  const Workload w =
      good(file("", "", ",forxfersize=(4k-16k,d),forthreads=(1,32),iorate=(100,max)"));
  REQUIRE(w.phases.size() == 12);
  CHECK(w.phases[0].name == "rd1 xfersize=4k threads=1 100/s");
  CHECK(w.phases[1].name == "rd1 xfersize=4k threads=1 max");
  CHECK(w.phases[2].name == "rd1 xfersize=4k threads=32 100/s");
  CHECK(w.phases[4].name == "rd1 xfersize=8k threads=1 100/s");
  CHECK(w.phases[4].jobs[0].access.lines[0].sizes[0].size == Bytes::kib(8));
  CHECK(w.phases[2].jobs[0].numjobs == 32);
  CHECK(w.phases[2].load->table == "rd1 xfersize=4k threads=32");
  // With one rate the threads are the load.
  const Workload threads = good(file("", "", ",threads=(1-8,d),rdpct=(0,100),iorate=max"));
  REQUIRE(threads.phases.size() == 8);
  CHECK(threads.phases[0].load->table == "rd1 rdpct=0");
  CHECK(threads.phases[2].load->table == "rd1 rdpct=0");
  CHECK(threads.phases[2].jobs[0].access.lines[0].reads == 0);
}

TEST_CASE("skews: workloads of one storage share its threads, rates are split") {
  const Workload w = good(R"(
sd=sd1,lun=/dev/x,openflags=o_direct,threads=32
sd=sd2,lun=/dev/x,openflags=o_direct,range=(50,100)
wd=wd1,sd=sd1,skew=60
wd=wd2,sd=(sd1-sd2),rdpct=0
wd=wd3,sd=sd2,xfersize=64k
rd=rd1,wd=*,iorate=1000
rd=rd2,wd=*,iorate=max
)");
  REQUIRE(w.phases.size() == 2);
  REQUIRE(w.phases[0].jobs.size() == 2);
  const JobSpec& first = w.phases[0].jobs[0];
  const JobSpec& second = w.phases[0].jobs[1];
  // 60 % for wd1; 20 % each for the others, wd2's in halves.
  CHECK(first.access.rate_share == 700'000);
  CHECK(second.access.rate_share == 300'000);
  REQUIRE(first.access.lines.size() == 2);
  CHECK(first.access.lines[0].share == 6 * first.access.lines[1].share);
  CHECK(second.access.lines[1].share == 2 * second.access.lines[0].share);
  CHECK(w.phases[0].load->outstanding == 40);
  // At full speed a flow keeps the storages at their shares: 70 to 30 over 32 and 8 threads.
  const JobSpec& max = w.phases[1].jobs[0];
  const JobSpec& other = w.phases[1].jobs[1];
  CHECK(max.flow.weight * 32.0 / (other.flow.weight * 8.0) == doctest::Approx(7.0 / 3));
}

TEST_CASE("flags and amounts") {
  CHECK(good(file(",openflags=(o_direct,o_sync)", "", ",iorate=max")).phases[0].jobs[0].sync.fua);
  CHECK_FALSE(good(file("", "", ",iorate=max")).phases[0].jobs[0].sync.fua);
  CHECK(good(file(",size=1g", "", ",iorate=max,maxdata=2")).phases[0].jobs[0].io_size ==
        Bytes::gib(2));
  CHECK(good(file("", "", ",iorate=max,maxdata=3g")).phases[0].jobs[0].io_size == Bytes::gib(3));
  CHECK(good(file("", "", ",iorate=100,distribution=det")).phases[0].jobs[0].access.arrivals ==
        Arrivals::kRegular);
  CHECK(contains(parse("sd=s1,lun=/dev/x\nwd=w1,sd=s1\nrd=r1,wd=w1,iorate=max\n").messages,
                 "note: without openflags=o_direct"));
}

TEST_CASE("what cannot matter is noted once, what would matter is refused by name") {
  const std::string notes = parse("messagescan=no\nmessagescan=no\ndedupratio=2\nhd=localhost\n" +
                                  file(",hitarea=1m", ",rhpct=0", ",iorate=max,mount=x"))
                                .messages;
  CHECK(contains(notes, "p.vdb:1:1: note: 'messagescan' has no effect"));
  CHECK_FALSE(contains(notes, "p.vdb:2"));
  CHECK(contains(notes, "'hitarea' has no effect"));
  struct Case {
    std::string sd;
    std::string wd;
    std::string rd;
    std::string message;
  };
  const Case cases[] = {
      {"", ",rhpct=20", ",iorate=max", "p.vdb:2:1: error: rhpct: not modelled"},
      {"", ",hotband=(10,20)", ",iorate=max", "hotband: not modelled"},
      {"", ",stride=(1m,2m)", ",iorate=max", "stride: not modelled"},
      {"", ",priority=1", ",iorate=max", "priority: not modelled"},
      {"", ",iorate=100", ",iorate=max", "iorate: not modelled"},
      {"", ",seekpct=poisson", ",iorate=max", "seekpct: not modelled: 'poisson'"},
      {"", "", ",iorate=max,stopcurve=1", "p.vdb:3:1: error: stopcurve: not modelled"},
      {"", "", ",iorate=max,forrhpct=(0,10)", "forrhpct: not modelled"},
      {"", "", ",iorate=max,distribution=spike", "distribution: not modelled"},
      {",openflags=fsync", "", ",iorate=max", "the flag 'fsync' is not modelled"},
      {",count=(1,4)", "", ",iorate=max", "count: not modelled"},
      {",range=(0,150)", "", ",iorate=max", "range: beyond 100 %"},
      {"", "", "", "rd=rd1 has no iorate"},
      {"", "", ",iorate=max,elapsed=1", "elapsed: must be at least twice the interval"},
      {"", "", ",iorate=fast", "iorate: 'fast' is no number"},
      {"", "", ",iorate=0", "a rate lies between"},
      {"", "", ",iorat=max,iorte=1", "unknown keyword of rd=; did you mean 'iorate'?"},
      {"", ",xfersize=(4k,50,8k,40)", ",iorate=max", "the percentages do not sum to 100"},
      {"", ",xfersize=(4k,50,8k,40,1k)", ",iorate=max", "come in pairs"},
      {"", ",xfersize=1000", ",iorate=max", "xfersize: 1000 B is not a multiple"},
      {"", ",rdpct=101", ",iorate=max", "outside 0 to 100"},
      {",threads=0", "", ",iorate=max", "p.vdb:1:1: error: threads: 0 is outside"},
      {",size=2t", "", ",iorate=max", "past the end of the drive"},
      {",range=(20,10)", "", ",iorate=max", "the second value must be the higher one"},
      {",range=(0,0.0000001)", "", ",iorate=max", "no room for two requests"},
  };
  for (const Case& c : cases) {
    const std::string messages = bad(file(c.sd, c.wd, c.rd));
    INFO(messages);
    CHECK(contains(messages, c.message));
  }
  CHECK(contains(bad("sd=s1,lun=/dev/a\nsd=s2,lun=/dev/b\nwd=w1,sd=*\nrd=r1,wd=w1,iorate=max\n"),
                 "p.vdb:2:1: error: lun: '/dev/b' besides '/dev/a': several drives"));
  CHECK(contains(bad("sd=s1,lun=/dev/a\nwd=w1,sd=s2\nrd=r1,wd=w1,iorate=max\n"),
                 "sd=s2 is not defined"));
  CHECK(contains(bad("sd=s1,lun=/dev/a\nwd=w1,sd=s1\nrd=r1,wd=w2,iorate=max\n"),
                 "wd=w2 is not defined"));
  CHECK(contains(bad("fsd=f1,anchor=/x\n"), "fsd: not modelled: file systems"));
  CHECK(contains(bad(file("", ",skew=150", ",iorate=max")), "do not sum to 100"));
  CHECK(contains(bad("rd=(r1\n"), "'(' without ')'"));
  CHECK(contains(bad("x\n"), "is not of the form keyword=value"));
  CHECK(contains(bad(""), "no run"));
}

TEST_CASE("files: include, recognition by name and by content") {
  const fs::path folder = fs::temp_directory_path() / "ftlsim_vdbench_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  };
  write("sds.inc", "sd=sd1,lun=/dev/x,openflags=o_direct\n");
  const fs::path main =
      write("main.vdb", "include=sds.inc\nwd=w1,sd=sd1\nrd=r1,wd=w1,iorate=max\n");
  Diagnostics diagnostics;
  CHECK(load_job_file(main, "m", kDrive, diagnostics).has_value());
  write("loop.inc", "include=sds.inc\n");
  const fs::path loop = write("loop.vdb", "include=loop.inc\n");
  CHECK_FALSE(load_job_file(loop, "m", kDrive, diagnostics).has_value());
  CHECK(contains(diagnostics.to_string(), "an included file cannot include others"));
  CHECK(job_file_kind(main) == JobFileKind::kVdbench);
  CHECK(job_file_kind("some.parm") == JobFileKind::kVdbench);
  CHECK(job_file_kind(write("curve", "* my curve\n" + file("", "", ",iorate=curve"))) ==
        JobFileKind::kVdbench);
  CHECK_FALSE(job_file_kind(write("trace", "1,2,3\n")).has_value());
  CHECK_FALSE(job_file_kind(write("part", "sd=sd1\nwd=wd1\n")).has_value());
  CHECK(job_file_kind("some.icf") == JobFileKind::kIometer);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ftlsim
