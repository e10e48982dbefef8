// The files of fio jobs: which there are, where they lie on the drive, and in what order requests
// go to them. The sequences are those that fio 3.33 wrote into its I/O logs.
#include "workloads/fio_files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "workloads/fio_jobs.h"
#include "workloads/synthetic_source.h"

namespace ftlsim {
namespace {

constexpr uint64_t kFileMib = uint64_t{1} << 20;

struct FilesRun {
  explicit FilesRun(const std::string& text) {
    Diagnostics diagnostics;
    const DriveLimits drive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};
    workload = parse_fio_jobs(text, "t.fio", "t", drive, diagnostics);
    messages = diagnostics.to_string();
  }

  const JobSpec& job(size_t i = 0) const { return workload.value().phases.at(0).jobs.at(i); }

  // The first requests of a thread as file, place within it in blocks of 4 KiB: "0+0 1+0". Files
  // are numbered by MiB of the drive.
  std::string text(size_t most = SIZE_MAX, uint32_t thread = 0, size_t index = 0) const {
    SyntheticSource source(job(index), 1, thread);
    std::string out;
    IoRequest request;
    for (size_t n = 0; n < most && source.next(request = IoRequest{}); ++n) {
      out += (n == 0 ? "" : " ") + std::to_string(request.offset / kFileMib);
      out += "+" + std::to_string(request.offset % kFileMib / 4096);
    }
    return out;
  }

  // Requests of a thread by file.
  std::map<uint64_t, int> counts(uint64_t seed) const {
    SyntheticSource source(job(), seed, 0);
    std::map<uint64_t, int> out;
    IoRequest request;
    while (source.next(request = IoRequest{})) ++out[request.offset / kFileMib];
    return out;
  }

  std::optional<Workload> workload;
  std::string messages;
};

bool has_text(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("devices and a single file are the whole drive") {
  for (const char* name : {"/dev/nvme0n1", "/tmp/file", "\\\\.\\PhysicalDrive1", "3"}) {
    const FilesRun run("[j]\nrw=write\nsize=64m\nnumjobs=2\nfilename=" + std::string(name));
    INFO(name << run.messages);
    CHECK(run.job().files.regions.empty());
    CHECK(run.job().region_of(1).offset == Bytes(0));
  }
  CHECK(FilesRun("[/dev/sdb]\nnumjobs=4\nsize=64m").job().files.regions.empty());
  CHECK(FilesRun("[j]\nnumjobs=4\n[k]\nsize=50%").job(1).files.regions.empty());
  CHECK(FilesRun("[j]\nsize=64m\n").job().files.regions.empty());
  CHECK(names_fio_device("/dev/ng0n1"));
  CHECK_FALSE(names_fio_device("/dev/shm/x"));
  CHECK_FALSE(names_fio_device("data.1"));
}

TEST_CASE("clones have files of their own; whoever names a file shares it") {
  const FilesRun own("[j]\nsize=1536k\nnumjobs=3\n[k]\nsize=1m\n");
  CHECK(own.job(0).region_of(0).offset == Bytes(0));
  CHECK(own.job(0).region_of(1).offset == Bytes::mib(2));
  CHECK(own.job(0).region_of(2).offset == Bytes::mib(4));
  CHECK(own.job(1).region_of(0).offset == Bytes::mib(6));
  CHECK(own.job(0).region_of(1).size == Bytes::kib(1536));
  CHECK(
      has_text(own.messages,
               "note: 4 files lie on the drive one after the other: 'j.0.0' at 0 MiB (1572864 B)"));
  const FilesRun shared(
      "[j]\nsize=1m\nfilename=a\nnumjobs=2\n[k]\nsize=3m\nfilename=b\n"
      "[l]\nfilename=a\noffset=4k\n");
  CHECK(shared.job(0).region_of(1).offset == Bytes(0));
  CHECK(shared.job(1).region_of(0).offset == Bytes::mib(1));
  CHECK(shared.job(2).region_of(0).offset == Bytes(4096));
  CHECK(shared.job(2).size == Bytes::mib(1) - Bytes(4096));  // up to the end of the file
  // The same name in another folder is another file; without $jobnum clones share theirs.
  CHECK(FilesRun("[j]\nsize=1m\nfilename=a\ndirectory=/x\n[k]\nsize=1m\nfilename=a\ndirectory=/y\n")
            .job(1)
            .region_of(0)
            .offset == Bytes::mib(1));
  const FilesRun folders("[j]\nsize=1m\nfilename=a\ndirectory=/x:/y\nnumjobs=3\n");
  CHECK(folders.job().region_of(1).offset == Bytes::mib(1));
  CHECK(folders.job().region_of(2).offset == Bytes(0));
  CHECK(FilesRun("[j]\nsize=1m\nfilename_format=f.$filenum\nnumjobs=3\n")
            .job()
            .files.regions.empty());
  CHECK(FilesRun("[j]\nsize=1m\nfilename=a\\:b\n").job().files.regions.empty());
}

TEST_CASE("a size is divided over the files, and each has the same offset") {
  const FilesRun thirds("[j]\nrw=read\nsize=100k\nnrfiles=3\n");
  CHECK(thirds.job().region_of(0, 2).size == Bytes(33'792));  // whole logical blocks of 34,133
  CHECK(thirds.text() ==
        "0+0 1+0 2+0 0+1 1+1 2+1 0+2 1+2 2+2 0+3 1+3 2+3 0+4 1+4 2+4 0+5 1+5 2+5 0+6 1+6 2+6 0+7 "
        "1+7 2+7");
  const FilesRun offset(
      "[j]\nrw=write\nsize=32k\noffset=8k\nnrfiles=2\nnumjobs=2\noffset_increment=4k\n");
  CHECK(offset.text() == "0+2 1+2 0+3 1+3 0+4 1+4 0+5 1+5");
  CHECK(offset.text(SIZE_MAX, 1) == "2+3 3+3 2+4 3+4 2+5 3+5 2+6 3+6");
  CHECK(has_text(offset.messages, "'j.1.0' at 2 MiB (28672 B)"));
}

TEST_CASE(
    "filesize is the length of each file, of which the job uses what lies behind its offset") {
  const FilesRun given("[j]\nrw=write\nsize=40k\nfilesize=16k\nnrfiles=3\noffset=4k\n");
  CHECK(given.text() == "0+1 1+1 2+1 0+2 1+2 2+2 0+3 1+3 2+3");
  CHECK(FilesRun("[j]\nrw=write\nsize=16k\nfilesize=64k\nio_size=48k\n").text() ==
        "0+0 0+1 0+2 0+3 0+4 0+5 0+6 0+7 0+8 0+9 0+10 0+11");
  CHECK(FilesRun("[j]\nrw=write\nsize=16k\nfilesize=64k\nloops=2\n").text() ==
        "0+0 0+1 0+2 0+3 0+4 0+5 0+6 0+7");
  CHECK(FilesRun("[j]\nrw=write\nfilename=/dev/nvme0n1\nfilesize=16k\noffset=8k\n").text() ==
        "0+2 0+3");
  const FilesRun range("[j]\nrw=write\nfilesize=16k-40k\nnrfiles=64\n");
  std::set<uint64_t> sizes;
  for (uint32_t i = 0; i < 64; ++i) sizes.insert(range.job().region_of(0, i).size.count());
  CHECK(*sizes.begin() >= 16'384);
  CHECK(*sizes.rbegin() <= 40'960);
  CHECK(sizes.size() >= 6);  // of the seven multiples of 4 KiB
}

TEST_CASE("the order of the files") {
  CHECK(FilesRun("[j]\nrw=write\nsize=40k\nnrfiles=3\nfile_service_type=sequential\n").text() ==
        "0+0 0+1 0+2 1+0 1+1 1+2 2+0 2+1 2+2");
  CHECK(FilesRun("[j]\nrw=write\nsize=64k\nnrfiles=2\nfile_service_type=roundrobin:3\n").text() ==
        "0+0 0+1 0+2 1+0 1+1 1+2 0+3 0+4 0+5 1+3 1+4 1+5 0+6 0+7 1+6 1+7");
  CHECK(FilesRun("[j]\nrw=write\nsize=32k\nio_size=64k\nnrfiles=2\n").text() ==
        "0+0 1+0 0+1 1+1 0+2 1+2 0+3 1+3 0+0 1+0 0+1 1+1 0+2 1+2 0+3 1+3");
  CHECK(FilesRun("[j]\nrw=write\nsize=16k\nloops=2\nnrfiles=2\n").text() ==
        "0+0 1+0 0+1 1+1 0+0 1+0 0+1 1+1");
  const std::string timed =
      "size=16k\nnrfiles=2\nfile_service_type=sequential\ntime_based\nruntime=1\n";
  CHECK(FilesRun("[j]\nrw=write\n" + timed).text(6) == "0+0 0+1 1+0 1+1 0+0 0+1");
  // fio begins a file with a random map again by itself, so that the second is never reached.
  CHECK_FALSE(has_text(FilesRun("[j]\nrw=randwrite\n" + timed).text(100), "1+"));
  CHECK(FilesRun("[j]\nrw=write\nsize=16k\nnrfiles=2\nverify=crc32c\n").text() ==
        "0+0 1+0 0+1 1+1 0+0 1+0 0+1 1+1");
}

TEST_CASE("random kinds: every block of every file once a pass") {
  const FilesRun run("[j]\nrw=randwrite\nsize=64k\nfilename=a:b:c\n");
  SyntheticSource source(run.job(), 3, 0);
  IoRequest request;
  std::set<uint64_t> places;
  int n = 0;
  for (; source.next(request = IoRequest{}); ++n) {
    places.insert(request.offset);
    CHECK(request.offset / kFileMib == static_cast<uint64_t>(n % 3));
  }
  CHECK(n == 15);  // three files of 21,845 bytes
  CHECK(places.size() == 15);
  // Two passes with randrepeat are the same twice; the files' orders differ.
  const std::string twice =
      FilesRun("[j]\nrw=randwrite\nsize=128k\nio_size=256k\nfilename=a:b\n").text();
  CHECK(twice.substr(0, twice.size() / 2) == twice.substr(twice.size() / 2 + 1));
  std::string of_a;
  std::string of_b;
  for (size_t at = 0; at < twice.size() / 2; at = twice.find(' ', at) + 1)
    (twice[at] == '0' ? of_a : of_b) += twice.substr(at + 1, twice.find(' ', at) - at);
  CHECK(of_a != of_b);
}

TEST_CASE("random files: all requests of a run stay in one, and all files are used up") {
  const std::map<uint64_t, int> counts =
      FilesRun("[j]\nrw=write\nsize=1920k\nnrfiles=3\nfile_service_type=random\n").counts(1);
  CHECK(counts == std::map<uint64_t, int>{{0, 160}, {1, 160}, {2, 160}});
  const std::string runs =
      FilesRun("[j]\nrw=write\nsize=96k\nnrfiles=3\nfile_service_type=random:2\n").text();
  for (size_t at = 0; at + 8 <= runs.size(); at += 8) CHECK(runs[at] == runs[at + 4]);
}

// Of 2048 requests fio 3.33 sent 1826 and 1847 to the hottest of 16 files under zipf:1.2, 868 under
// pareto:0.3, and under normal:20 1583 to the four in the middle.
TEST_CASE("files by a distribution, in order") {
  const auto run = [](const std::string& type) {
    return FilesRun("[j]\nrw=randwrite\nsize=8m\nnrfiles=16\nfile_service_type=" + type).counts(7);
  };
  const std::map<uint64_t, int> zipf = run("zipf:1.2:0.5");
  CHECK(zipf.at(8) == doctest::Approx(1837).epsilon(0.03));
  CHECK(zipf.at(9) == doctest::Approx(61).epsilon(0.5));
  CHECK(run("pareto:0.3:0").at(0) == doctest::Approx(868).epsilon(0.1));
  std::map<uint64_t, int> normal = run("normal:20");
  CHECK(normal[6] + normal[7] + normal[8] + normal[9] == doctest::Approx(1583).epsilon(0.05));
  CHECK(std::abs(normal[7] - normal[8]) < 150);
  std::map<uint64_t, int> moved = run("gauss:10:0.25");
  CHECK(moved[2] + moved[3] + moved[4] + moved[5] == doctest::Approx(1714).epsilon(0.05));
}

TEST_CASE("what is wrong with files") {
  const std::pair<const char*, const char*> rows[] = {
      {"[j]\nsize=600m\nnumjobs=2\n",
       "t.fio:2:1: error: the 2 files of the jobs take 1258291200 B, and from the file 'j.1.0' on"},
      {"[j]\nfilename=a:/dev/sda\n", "t.fio:2:1: error: filename: a device among several files"},
      {"[j]\nfilename=a:b\n", "the length of the file 'a' is not known"},
      {"[j]\nfilename=\n", "filename: has no value"},
      {"[j]\nnrfiles=0\n", "nrfiles: 0 files"},
      {"[j]\nsize=1m\nnrfiles=70000\n", "are more than 65536 files"},
      {"[j]\nsize=16k\nnrfiles=8\n", "block size 4KiB is larger than what the job uses of a file"},
      {"[j]\nfilesize=8k-4k\n", "filesize: the range '8k-4k' ends below its start"},
      {"[j]\nfilesize=4k-8k-9k\n", "is not a size or a range such as 4k-64k"},
      {"[j]\nfilesize=16k\noffset=16k\nnrfiles=2\n",
       "t.fio:3:1: error: offset: 16384 B is past the end of the file 'j.0.0' of 16384 B"},
      {"[j]\nfile_service_type=zopf\n", "file_service_type: unknown word 'zopf'; did you mean"},
      {"[j]\nfile_service_type=zipf:1\n", "file_service_type: zipf takes a theta above 0"},
      {"[j]\nfile_service_type=random:0\n", "file_service_type: 0 is outside 1"},
  };
  for (const auto& row : rows) {
    const FilesRun run(row.first);
    INFO(row.first << "\n" << run.messages);
    CHECK_FALSE(run.workload.has_value());
    CHECK(has_text(run.messages, row.second));
  }
}

}  // namespace
}  // namespace ftlsim
