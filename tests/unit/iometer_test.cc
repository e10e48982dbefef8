// Iometer configurations: sections and labels, tests and their cycling, and bad input.
#include "workloads/iometer/iometer.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "workloads/iometer/icf_settings.h"

namespace ftlsim {
namespace {

const DriveLimits kDrive{Bytes(1'000'204'886'016), Bytes(512), Bytes::kib(128)};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

struct File {
  std::string run_time = "0 1 30";
  std::string ramp = "5";
  std::string cycling = "1 32 2 EXPONENTIAL";
  std::string test = "NORMAL";
  std::string specs =
      "'Access specification name,default assignment\n"
      "\t4 KiB; 100% Read; 100% random,NONE\n"
      "'size,% of size,% reads,% random,delay,burst,align,reply\n"
      "\t4096,100,100,100,0,1,4096,0\n"
      "'Access specification name,default assignment\n"
      "\tmix,NONE\n"
      "'size,% of size,% reads,% random,delay,burst,align,reply\n"
      "\t512,10,80,100,0,1,0,0\n"
      "\t65536,90,0,0,0,1,0,0\n";
  std::string settings = "'Disk maximum size,starting sector\n\t0,0\n";
  std::string outstanding = "4,DISABLED,1";
  std::string assigned = "4 KiB; 100% Read; 100% random\n\tmix";
  std::string target = "0: \"Some SSD\"";
  int workers = 1;

  std::string text() const {
    std::string out =
        "Version 1.1.0 \n'TEST SETUP ====\n'Test Description\n\t\n'Run Time\n"
        "'\thours      minutes    seconds\n\t" +
        run_time + "\n'Ramp Up Time (s)\n\t" + ramp +
        "\n'Default Disk Workers to Spawn\n\tNUMBER_OF_CPUS\n"
        "'Record Results\n\tALL\n"
        "'Queue Depth Cycling\n'\tstart end step step type\n\t" +
        cycling + "\n'Test Type\n\t" + test +
        "\n'END test setup\n'RESULTS DISPLAY ===\n'Bar chart 1 statistic\n\tTotal\n"
        "'END results display\n'ACCESS SPECIFICATIONS ====\n" +
        specs +
        "'END access specifications\n'MANAGER LIST ===\n"
        "'Manager ID, manager name\n\t1,HOST\n'Manager network address\n\t\n";
    for (int i = 1; i <= workers; ++i)
      out += "'Worker\n\tWorker " + std::to_string(i) +
             "\n'Worker type\n\tDISK\n'Default target settings for worker\n"
             "'Number of outstanding IOs,test connection rate,transactions per connection\n\t" +
             outstanding + "\n" + settings +
             "'End default target settings for worker\n'Assigned access specs\n\t" + assigned +
             "\n'End assigned access specs\n'Target assignments\n'Target\n\t" + target +
             "\n'Target type\n\tDISK\n'End target\n'End target assignments\n'End worker\n";
    return out + "'End manager\n'END manager list\nVersion 1.1.0 \n";
  }
};

struct Parsed {
  std::optional<Workload> workload;
  std::string messages;
};

Parsed parse(const std::string& text) {
  Diagnostics diagnostics;
  Parsed parsed;
  parsed.workload = parse_icf(text, "p.icf", "p", kDrive, diagnostics);
  parsed.messages = diagnostics.to_string();
  CHECK(parsed.workload.has_value() != diagnostics.has_errors());
  return parsed;
}

Workload good(const File& file) {
  const Parsed parsed = parse(file.text());
  INFO(parsed.messages);
  REQUIRE(parsed.workload.has_value());
  return *parsed.workload;
}

std::string bad(const File& file) {
  const Parsed parsed = parse(file.text());
  CHECK_FALSE(parsed.workload.has_value());
  return parsed.messages;
}

TEST_CASE("each assigned specification is a phase; workers run side by side") {
  File file;
  file.workers = 3;
  const Workload w = good(file);
  REQUIRE(w.phases.size() == 2);
  CHECK(w.phases[0].name == "4 KiB; 100% Read; 100% random");
  CHECK(w.phases[0].kind == "read");
  CHECK(w.phases[0].warmup == Duration::s(5));
  CHECK(w.phases[1].name == "mix");
  CHECK(w.phases[1].kind == "mix");
  REQUIRE(w.phases[0].jobs.size() == 3);
  CHECK(w.phases[0].load->outstanding == 12);
  const JobSpec& job = w.phases[0].jobs[1];
  CHECK(job.iodepth == 4);
  CHECK(job.numjobs == 1);
  CHECK(job.runtime == Duration::s(95));  // the ramp comes on top of the run
  CHECK(job.stream != w.phases[0].jobs[0].stream);
  CHECK(job.access.lines[0].length == kDrive.capacity);
  const std::vector<AccessLine>& mix = w.phases[1].jobs[0].access.lines;
  REQUIRE(mix.size() == 2);
  CHECK(mix[0].share == 100'000);
  CHECK(mix[0].reads == 800'000);
  CHECK(mix[0].align == Bytes(512));  // 0 is the sector
  CHECK(mix[1].random == 0);
  CHECK(mix[1].stream == mix[0].stream);
}

TEST_CASE("cycling of outstanding I/Os: linear and exponential") {
  const auto loads = [](const std::string& cycling) {
    File file;
    file.test = "CYCLE_OUTSTANDING_IOS";
    file.cycling = cycling;
    file.assigned = "mix";
    std::vector<uint32_t> depths;
    for (const PhaseSpec& phase : good(file).phases) {
      CHECK(phase.load->table == "mix");
      depths.push_back(phase.jobs[0].iodepth);
    }
    return depths;
  };
  CHECK(loads("1 32 2 EXPONENTIAL") == std::vector<uint32_t>{1, 2, 4, 8, 16, 32});
  CHECK(loads("3 30 3 EXPONENTIAL") == std::vector<uint32_t>{3, 9, 27});
  CHECK(loads("1 9 4 LINEAR") == std::vector<uint32_t>{1, 5, 9});
  CHECK(loads("2 4 1 EXPONENTIAL") == std::vector<uint32_t>{2, 3, 4});  // a step of 1 is linear
}

TEST_CASE("region of a worker, with both forms of the label; case and line ends do not count") {
  File file;
  file.settings = "'Disk maximum size,starting sector,Data pattern\n\t2048,100,0\n";
  const JobSpec job = good(file).phases[0].jobs[0];
  CHECK(job.access.lines[0].offset == Bytes(51'200));
  CHECK(job.access.lines[0].length == Bytes::mib(1));
  std::string text = file.text();
  for (size_t at = text.find("'Test Type"); at < text.size() && text[at] != '\n'; ++at)
    text[at] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[at])));
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(parse(crlf).workload.has_value());
  CHECK(looks_like_icf(crlf));
  CHECK_FALSE(looks_like_icf("Version 1\nsomething else\n"));
}

TEST_CASE("delays and bursts; the specifications that Iometer has itself") {
  File file;
  file.specs =
      "'Access specification name,default assignment\n\tbursts, three,NONE\n"
      "'size,% of size,% reads,% random,delay,burst,align,reply\n\t4096,100,0,0,7,3,0,0\n";
  file.assigned = "bursts, three\n\tIdle\n\tDefault";
  const Workload w = good(file);
  REQUIRE(w.phases.size() == 3);
  CHECK(w.phases[0].jobs[0].access.lines[0].delay == Duration::ms(7));
  CHECK(w.phases[0].jobs[0].access.lines[0].burst == 3);
  CHECK(w.phases[0].jobs[0].pace.open_loop);
  CHECK(w.phases[1].action == PhaseAction::kIdle);
  CHECK(w.phases[1].idle == Duration::s(95));
  CHECK(w.phases[2].jobs[0].access.lines[0].sizes[0].size == Bytes(2048));
  CHECK(w.phases[2].jobs[0].access.lines[0].reads == 670'000);
}

TEST_CASE("what is wrong or not modelled is refused, with its line") {
  const auto with = [](auto&& change) {
    File file;
    change(file);
    return bad(file);
  };
  CHECK(contains(with([](File& f) { f.run_time = "0 0 0"; }),
                 "p.icf:7: error: run time: an endless"));
  CHECK(contains(with([](File& f) { f.run_time = "10"; }), "three numbers are expected"));
  CHECK(contains(with([](File& f) { f.ramp = "-1"; }), "p.icf:9: error: ramp-up time: '-1'"));
  CHECK(
      contains(with([](File& f) { f.test = "CYCLE_TARGETS"; }), "'CYCLE_TARGETS' is not modelled"));
  CHECK(contains(with([](File& f) { f.cycling = "1 2"; }), "start, end, step and type"));
  CHECK(contains(with([](File& f) {
                   f.test = "CYCLE_OUTSTANDING_IOS";
                   f.cycling = "8 2 1 LINEAR";
                 }),
                 "the end is below the start"));
  CHECK(contains(with([](File& f) { f.assigned = "other"; }),
                 "access specification 'other' is not defined"));
  CHECK(contains(with([](File& f) { f.assigned = "Idle"; }), "all workers are idle"));
  CHECK(contains(with([](File& f) { f.outstanding = "0"; }), "outstanding I/Os: '0'"));
  CHECK(contains(with([](File& f) { f.outstanding = "1,ENABLED,1"; }), "test connection rate"));
  CHECK(contains(with([](File& f) { f.settings = "'Disk maximum size,starting sector\n\t1,1\n"; }),
                 "no room for a request"));
  CHECK(contains(
      with([](File& f) { f.settings = "'Disk maximum size,starting sector\n\t0,2000000000\n"; }),
      "error"));
  const std::string head = "'Access specification name,default assignment\n\tx,NONE\n'size\n";
  const auto access = [&](const std::string& lines) {
    return with([&](File& f) {
      f.specs = head + lines;
      f.assigned = "x";
    });
  };
  CHECK(contains(access("\t4096,50,100,100,0,1,0,0\n"), "the percentages of size sum to 50"));
  CHECK(contains(access("\t4096,100,100,100,0,1,0,64\n"), "only network targets reply"));
  CHECK(
      contains(access("\t1000,100,100,100,0,1,0,0\n"), "size 1000 and align 0 must be multiples"));
  CHECK(contains(access("\t4096,100,101,100,0,1,0,0\n"), "% reads: '101'"));
  CHECK(contains(access("\t4096,100\n"), "eight numbers"));
  std::string network = File().text();
  network.replace(network.find("\tDISK"), 5, "\tNETWORK,TCP");
  CHECK(contains(parse(network).messages, "only DISK is modelled"));
  std::string other = File().text();
  File two;
  two.workers = 2;
  std::string targets = two.text();
  targets.replace(targets.rfind("Some SSD"), 8, "An other");
  CHECK(contains(parse(targets).messages, "several drives are not modelled"));
  CHECK(contains(parse("hello\n").messages, "no version in the first line"));
  CHECK(contains(parse("Version 1.1.0\n'TEST SETUP\n'Run Time\n").messages, "has no end"));
}

}  // namespace
}  // namespace ftlsim
