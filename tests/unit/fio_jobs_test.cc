// fio job files: what they mean, and what is said about what they get wrong.
#include "workloads/fio_jobs.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

const DriveLimits kDrive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// A file that must be accepted; `messages` gets notes and warnings.
Workload good(std::string_view text, std::string* messages = nullptr) {
  Diagnostics diagnostics;
  const std::optional<Workload> workload = parse_fio_jobs(text, "t.fio", "t", kDrive, diagnostics);
  INFO(text << "\n" << diagnostics.to_string());
  REQUIRE(workload.has_value());
  CHECK_FALSE(diagnostics.has_errors());
  if (messages != nullptr) *messages = diagnostics.to_string();
  return *workload;
}

// The only job of a file with these options.
JobSpec job(const std::string& options, std::string* messages = nullptr) {
  const Workload workload = good("[j]\ndirect=1\n" + options, messages);
  REQUIRE(workload.phases.size() == 1);
  REQUIRE(workload.phases[0].jobs.size() == 1);
  return workload.phases[0].jobs[0];
}

// All messages of a file that must be refused.
std::string bad(std::string_view text) {
  Diagnostics diagnostics;
  INFO(text);
  CHECK_FALSE(parse_fio_jobs(text, "t.fio", "t", kDrive, diagnostics).has_value());
  CHECK(diagnostics.has_errors());
  return diagnostics.to_string();
}

TEST_CASE("defaults are fio's") {
  const JobSpec spec = job("");
  CHECK(spec.rw == RwKind::kRead);
  CHECK(spec.block_size[0] == Bytes(4096));
  CHECK(spec.offset == Bytes(0));
  CHECK(spec.size == kDrive.capacity);
  CHECK(spec.iodepth == 1);
  CHECK(spec.numjobs == 1);
  CHECK(spec.read_percent == 50);
  CHECK_FALSE(spec.time_based);
  CHECK_FALSE(spec.norandommap);
  CHECK_FALSE(spec.short_tail);
  CHECK(spec.name == "j");
  CHECK(spec.stream == "t/j");
}

TEST_CASE("every modelled option") {
  const JobSpec spec = job(
      "name=other\nrw=randrw\nbs=8k\nsize=512m\nio_size=2g\noffset=256m\niodepth=16\nnumjobs=3\n"
      "runtime=2m\ntime_based\nnorandommap\nrwmixread=70\nrandseed=99\nioengine=io_uring\n"
      "filename=/dev/nvme0n1\ngroup_reporting\n");
  CHECK(spec.name == "other");
  CHECK(spec.rw == RwKind::kRandReadWrite);
  CHECK(spec.block_size[1] == Bytes::kib(8));
  CHECK(spec.size == Bytes::mib(512));
  CHECK(spec.io_size == Bytes::gib(2));
  CHECK(spec.offset == Bytes::mib(256));
  CHECK(spec.iodepth == 16);
  CHECK(spec.numjobs == 3);
  CHECK(spec.runtime == Duration::s(120));
  CHECK(spec.time_based);
  CHECK(spec.norandommap);
  CHECK(spec.read_percent == 70);
  CHECK(spec.randseed == 99);
}

TEST_CASE("kinds and aliases") {
  const std::pair<const char*, RwKind> kinds[] = {
      {"rw=write", RwKind::kWrite},       {"readwrite=trim", RwKind::kTrim},
      {"rw=rw", RwKind::kReadWrite},      {"rw=readwrite", RwKind::kReadWrite},
      {"rw=randread", RwKind::kRandRead}, {"rw=randwrite", RwKind::kRandWrite},
      {"rw=randtrim", RwKind::kRandTrim}};
  for (const auto& [text, kind] : kinds) CHECK(job(text).rw == kind);
  CHECK(job("blocksize=16k").block_size[0] == Bytes::kib(16));
  CHECK(job("io_limit=8k").io_size == Bytes::kib(8));
  CHECK(job("rwmixread=70\nrwmixwrite=10").read_percent == 90);  // the last one counts
}

TEST_CASE("block sizes per direction") {
  struct Row {
    const char* text;
    uint64_t r, w, t;
  };
  const Row rows[] = {
      {"bs=8k", 8192, 8192, 8192},       {"bs=4k,8k", 4096, 8192, 8192},
      {"bs=,8k", 4096, 8192, 8192},      {"bs=8k,", 8192, 4096, 4096},
      {"bs=8k,,16k", 8192, 4096, 16384}, {"bs=1k,2k,4k", 1024, 2048, 4096},
      {"bs=4k-64k", 4096, 65536, 65536}, {"bs=4k:64k", 4096, 65536, 65536},
  };
  for (const Row& row : rows) {
    INFO(row.text);
    const JobSpec spec = job(row.text);
    CHECK(spec.block_size[0].count() == row.r);
    CHECK(spec.block_size[1].count() == row.w);
    CHECK(spec.block_size[2].count() == row.t);
  }
  std::string messages;
  job("bs=4k-64k", &messages);
  CHECK(contains(messages, "t.fio:3:1: warning: bs: in fio '4k-64k' is no range"));
}

TEST_CASE("units: fio's prefixes, hexadecimal, percentages") {
  const std::pair<const char*, uint64_t> sizes[] = {
      {"4096", 4096},      {"4k", 4096},        {"4K", 4096},       {"4kb", 4096},
      {"4KB", 4096},       {"0x10000", 65536},  {"0x10k", 16384},   {"8m", 8u << 20},
      {"1g", 1u << 30},    {"50%", 512u << 20}, {"100%", 1u << 30}, {"100%%", 1u << 30},
      {"512KiB", 512'000}, {"1MiB", 999'936},  // whole logical blocks
      {"512b", 512},
  };
  for (const auto& row : sizes) {
    const auto& text = row.first;
    const auto& bytes = row.second;
    INFO(text);
    CHECK(job(std::string("bs=512\nsize=") + text).size == Bytes(bytes));
  }
  CHECK(job("bs=512\nkb_base=1000\nsize=64k").size == Bytes(64'000));
  CHECK(job("bs=512\nsize=64KiB\nkb_base=1000").size == Bytes(65'536));
  CHECK(job("bs=512\noffset=30%").offset == Bytes(322'122'752));   // up to a whole block
  CHECK(job("size=128m\nio_size=50%").io_size == Bytes::mib(64));  // of the size, not the drive
  std::string messages;
  job("bs=512\nsize=512KiB", &messages);
  CHECK(contains(messages, "t.fio:4:1: note: size: fio takes '512KiB' as 512000 bytes"));
}

TEST_CASE("times") {
  const std::pair<const char*, Duration> times[] = {
      {"10", Duration::s(10)},     {"10s", Duration::s(10)},
      {"2m", Duration::s(120)},    {"1h", Duration::s(3600)},
      {"1d", Duration::s(86'400)}, {"15ms", Duration::ms(15)},
      {"15us", Duration::us(15)},  {"0", Duration{}}};
  for (const auto& row : times) {
    const auto& text = row.first;
    const auto& time = row.second;
    INFO(text);
    CHECK(job(std::string("runtime=") + text).runtime == time);
  }
}

TEST_CASE("syntax: comments, blanks, booleans, CRLF, byte-order mark, environment") {
  std::string messages;
  const JobSpec spec =
      job("; a comment\n# another\n  bs=8k ; behind a value\r\nsize=1m# too\n\niodepth = 4\n"
          "norandommap=1\ntime_based=0",
          &messages);
  CHECK(spec.block_size[0] == Bytes::kib(8));
  CHECK(spec.size == Bytes::mib(1));
  CHECK(spec.iodepth == 4);
  CHECK(spec.norandommap);
  CHECK(contains(messages, "t.fio:8:1: warning: blanks around '=' of 'iodepth'"));
  CHECK(good("\xef\xbb\xbf[j]\nbs=8k").phases.size() == 1);
  setenv("FTLSIM_TEST_SIZE", "64", 1);
  CHECK(job("size=${FTLSIM_TEST_SIZE}k").size == Bytes::kib(64));
  unsetenv("FTLSIM_TEST_SIZE");
  CHECK(contains(bad("[j]\nsize=${FTLSIM_TEST_SIZE}k"),
                 "environment variable 'FTLSIM_TEST_SIZE' is not set"));
}

TEST_CASE("global sections set defaults for the jobs below them") {
  const Workload w = good(
      "[early]\n[global]\nbs=8k\niodepth=2\n[a]\niodepth=3\n[global-x]\nbs=16k\n[b]\nrw=write\n");
  REQUIRE(w.phases.size() == 1);
  REQUIRE(w.phases[0].jobs.size() == 3);
  CHECK(w.phases[0].jobs[0].block_size[0] == Bytes::kib(4));
  CHECK(w.phases[0].jobs[1].block_size[0] == Bytes::kib(8));
  CHECK(w.phases[0].jobs[1].iodepth == 3);
  CHECK(w.phases[0].jobs[2].block_size[0] == Bytes::kib(16));
  CHECK(w.phases[0].jobs[2].iodepth == 2);
  CHECK(w.phases[0].name == "early+a+b");
  CHECK(w.phases[0].kind == "mix");
}

TEST_CASE("stonewall separates phases; equal names stay apart") {
  const Workload w =
      good("[a]\nrw=write\nstonewall\n[b]\nrw=write\n[a]\nwait_for_previous\n[a]\nstonewall=1\n");
  REQUIRE(w.phases.size() == 3);
  CHECK(w.phases[0].jobs.size() == 2);
  CHECK(w.phases[0].name == "a+b");
  CHECK(w.phases[0].kind == "write");
  CHECK(w.phases[1].name == "a");
  CHECK(w.phases[2].name == "a-2");
  CHECK(w.phases[2].jobs[0].stream == "t/a");
}

TEST_CASE("engines decide the depth, as in fio") {
  std::string messages;
  CHECK(job("iodepth=32\nioengine=psync", &messages).iodepth == 1);
  CHECK(contains(messages, "warning: iodepth: the engine 'psync' keeps one request in flight"));
  CHECK(job("iodepth=32", &messages).iodepth == 32);
  CHECK(contains(messages, "note: no ioengine"));
  CHECK(job("iodepth=32\nioengine=libaio").iodepth == 32);
  CHECK(job("iodepth=32\nioengine=exotic", &messages).iodepth == 32);
  CHECK(contains(messages, "warning: ioengine: 'exotic' is not known"));
}

TEST_CASE("options without effect are noted once, harmless values pass silently") {
  std::string messages;
  good("[global]\nthread\ndirect=1\n[a]\nthread\n[b]\nthread=1\nloops=1\nramp_time=0\n", &messages);
  CHECK(messages ==
        "t.fio:2:1: note: option 'thread' has no effect: it concerns the computer that fio runs "
        "on\n");
}

// Each text must be refused with a message that contains the other.
void check_refused(std::span<const std::pair<const char*, const char*>> rows) {
  for (const auto& row : rows) {
    const std::string all = bad(row.first);
    INFO(row.first << "\n" << all);
    CHECK(contains(all, row.second));
  }
}

TEST_CASE("bad input: what, where, and what to do") {
  const std::pair<const char*, const char*> rows[] = {
      {"[j]\niodept=4", "t.fio:2:1: error: unknown option 'iodept'; did you mean 'iodepth'?"},
      {"[j]\nrate=4k\nrate_min=5k", "t.fio:3:1: error: rate_min: above the rate of reads"},
      {"[j]\nrate_iops=4\nrate_iops_min=5", "rate_iops_min: above the rate of reads"},
      {"[j]\nexit_what=grup", "exit_what: unknown word 'grup'; did you mean 'group'?"},
      {"[j]\ncontinue_on_error=reads", "unknown word 'reads'; did you mean 'read'?"},
      {"[j]\nmax_latency=5x", "max_latency: '5x' has the unknown unit 'x'"},
      {"[j]\nnum_range=5", "is not modelled: a trim has one range: use a larger bs"},
      {"[j]\ntrim_verify_zero=0", "is not modelled: trimmed blocks are read back like all others"},
      {"[j]\nreadfua=1", "is not modelled: FUA is modelled of writes alone"},
      {"[j]\nnrfiles=4", "error: the length of the file 'j.0.0' is not known"},
      {"[j]\nmerge_blktrace_file=x", "is not modelled: merge the traces first"},
      {"[j]\nbssplit=4k/50", "bssplit: the percentages in '4k/50' do not sum to 100"},
      {"[j]\nbssplit=4k/60:8k/60", "do not sum to 100"},
      {"[j]\nbssplit=0/100", "bssplit: a size must be above 0"},
      {"[j]\nrw=randread\nbssplit=4k/50:1000/50", "bssplit: 1000 B is not a multiple"},
      {"[j]\nbsrange=4k", "bsrange: '4k' is not a range such as 4k-64k"},
      {"[j]\nloops=0", "loops: 0 is outside 1 to 1000000000"},
      {"[j]\nrw=randread:0", "a random kind takes a number of requests from 1 on"},
      {"[j]\nrw=randread:-8", "a random kind takes a number of requests from 1 on"},
      {"[j]\nrw=read:x", "rw: 'x' is not a number"},
      {"[j]\nrw=read:100", "rw: the gap: 100 B is not a multiple"},
      {"[j]\nrandom_distribution=zipf:1", "zipf takes a theta above 0, up to 10, and not 1"},
      {"[j]\nrandom_distribution=pareto:1", "pareto takes a power between 0 and 1"},
      {"[j]\nrandom_distribution=zopf", "unknown word 'zopf'; did you mean 'zipf'?"},
      {"[j]\nrandom_distribution=zoned:50/5:30/15", "do not sum to 100"},
      {"[j]\nrandom_distribution=zoned:50/5:50/95,10/10:80/90", "'10/10:80/90' do not sum"},
      {"[j]\npercentage_random=101", "percentage_random: 101 is outside 0 to 100"},
      {"[j]\nzonemode=zbd", "the drive has no zones"},
      {"[j]\nzonemode=strided", "zonemode: 'strided' needs zonesize"},
      {"[j]\nfilename=/dev/sda\noffset=512m\nsize=256m\noffset_increment=256m\nnumjobs=3",
       "offset_increment: clone 3 of the job ends past the end"},
      {"[j]\nwait_for=k", "t.fio:2:1: error: wait_for: no job above is called 'k'"},
      {"[j]\nsteadystate=lat:5%", "steadystate: needs ss_dur"},
      {"[j]\nsteadystate=iops:5%", "steadystate: needs ss_dur"},
      {"[j]\nlatency_target=5", "latency_target: needs latency_window"},
      {"[j]\nstartdelay=1-2-3", "startdelay: '1-2-3' is not a range of times"},
      {"[j]\nrate_process=poison", "did you mean 'poisson'?"},
      {"[j]\nlog_window_value=bath", "log_window_value: unknown word 'bath'; did you mean 'both'?"},
      {"[j]\nrw=rnadread", "unknown kind 'rnadread'; did you mean 'randread'?"},
      {"[j]\nrw", "rw: unknown kind ''"},
      {"[j]\nbs=0", "t.fio:2:1: error: bs: the read block size is 0"},
      {"[j]\nrw=randrw\nbs=4k,0", "bs: the write block size is 0"},
      {"[j]\nbs=4000", "bs: read block size 4KB is not a multiple of the drive's 512 B"},
      {"[j]\nbs=2g", "is above the limit of 1GiB"},
      {"[j]\nbs=1,2,3,4", "'1,2,3,4' has more than 3 values"},
      {"[j]\nsize=4k\nbs=8k", "t.fio:3:1: error: bs: read block size 8KiB is larger"},
      {"[j]\nsize=2g",
       "t.fio:2:1: error: size: the job ends past the end of the drive: offset 0B + size 2GiB > "
       "capacity 1GiB"},
      {"[j]\noffset=1g", "offset: the job starts at 1GiB, at or past the end of the drive (1GiB)"},
      {"[j]\noffset=512m\nsize=600m", "offset 512MiB + size 600MiB > capacity 1GiB"},
      {"[j]\noffset=100", "offset: 100B is not a multiple of the drive's 512 B"},
  };
  check_refused(rows);
}

TEST_CASE("bad values and bad syntax") {
  const std::pair<const char*, const char*> rows[] = {
      {"[j]\nsize=12x", "size: '12x' has the unknown unit 'x'"},
      {"[j]\nsize=-5", "size: '-5' is negative"},
      {"[j]\nsize=1.5g", "size: '1.5g': fio takes whole numbers only"},
      {"[j]\nsize=99999999999999999999", "is too large"},
      {"[j]\nsize=9999999999g", "is too large"},
      {"[j]\nsize=101%", "is not a percentage from 0% to 100%"},
      {"[j]\nsize=", "size: has no value"},
      {"[j]\nsize", "size: has no value"},
      {"[j]\nsize=0%", "size: the region is empty"},
      {"[j]\nbs=10%", "a percentage is possible for size, io_size and offset"},
      {"[j]\nsize=(1+2)k", "arithmetic is not modelled yet"},
      {"[j]\nnumjobs=$ncpus", "keywords are not modelled yet"},
      {"[j]\niodepth=0", "iodepth: 0 is outside 1 to 65536"},
      {"[j]\nnumjobs=0", "numjobs: 0 is outside 1 to 1024"},
      {"[j]\niodepth=65536\nnumjobs=1024", "commands in flight; the limit is 1048576"},
      {"[j]\nrwmixread=101", "rwmixread: 101 is outside 0 to 100"},
      {"[j]\ntime_based", "time_based: a time-based job needs runtime"},
      {"[j]\ntime_based=2", "time_based: '2' is neither 0 nor 1"},
      {"[j]\nruntime=5x", "runtime: '5x' has the unknown unit 'x'"},
      {"[j]\nkb_base=10", "kb_base: '10' is neither 1000 nor 1024"},
      {"[j]\nfilename=/dev/sda:/dev/sdb", "a device among several files is not modelled"},
      {"[j\nbs=4k", "t.fio:1:1: error: section header '[j' has no ']'"},
      {"[]\nbs=4k", "section has no name"},
      {"[j] x\nbs=4k", "'x' after the section header"},
      {"bs=4k\n[j]", "t.fio:1:1: error: option 'bs=4k' before any [section]"},
      {"[j]\n=4k", "no key in '=4k'"},
      {"[j]\nsize=${X", "'${' without '}'"},
      {"[j]\ninclude other.fio", "'include' is possible only in a file"},
      {"[j]\nb\x01s=4k", "control character"},
      {"", "no job: the file has no [section]"},
      {"[global]\nbs=4k", "no job"},
  };
  check_refused(rows);
}

TEST_CASE("all problems are reported in one pass, in order, each once") {
  const std::string all =
      bad("[global]\nsprandom=1\nnonsense=1\n[a]\nbs=0\n[b]\nsize=2g\nrw=foo\n[c]\nbs=0\n");
  CHECK(contains(all, "t.fio:2:1: error: fio option 'sprandom'"));
  CHECK(contains(all, "t.fio:3:1: error: unknown option 'nonsense'"));
  CHECK(contains(all, "t.fio:8:1: error: rw: unknown kind 'foo'"));
  CHECK(all.find("sprandom") < all.find("nonsense"));
  CHECK(all.find("sprandom", all.find("sprandom") + 20) == std::string::npos);
}

TEST_CASE("an option given twice: the last one counts, with a warning") {
  std::string messages;
  CHECK(job("bs=4k\nbs=8k", &messages).block_size[0] == Bytes::kib(8));
  CHECK(contains(messages, "t.fio:4:1: warning: option 'bs' stands in line 3"));
}

TEST_CASE("files: include, missing, too deep") {
  const fs::path folder = fs::temp_directory_path() / "ftlsim_fio_test";
  fs::create_directories(folder);
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
    return folder / name;
  };
  write("common.fio", "[global]\nbs=16k\n");
  const fs::path outer = write("outer.fio", "include common.fio\n[j]\nrw=write\n");
  Diagnostics diagnostics;
  const std::optional<Workload> workload = load_fio_jobs(outer, "o", kDrive, diagnostics);
  REQUIRE(workload.has_value());
  CHECK(workload->phases[0].jobs[0].block_size[1] == Bytes::kib(16));

  Diagnostics missing;
  CHECK_FALSE(load_fio_jobs(folder / "none.fio", "n", kDrive, missing).has_value());
  CHECK(contains(missing.to_string(), "cannot read"));
  CHECK_FALSE(load_fio_jobs(folder, "n", kDrive, missing).has_value());
  CHECK(contains(missing.to_string(), "is a directory"));

  const fs::path loop = write("loop.fio", "include loop.fio\ninclude loop.fio\n[j]\n");
  Diagnostics deep;
  CHECK_FALSE(load_fio_jobs(loop, "l", kDrive, deep).has_value());
  CHECK(contains(deep.to_string(), "nested deeper than 16"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ftlsim
