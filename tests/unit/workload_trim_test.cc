// Trims of what was written, sizes by the order of requests, sizes in logical blocks, and where
// percentages begin. The sequences are those of fio: of version 3.42 for the trims (3.33 stops at
// the first with an assertion of its own), of 3.33 for the rest.
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

struct TrimRun {
  explicit TrimRun(const std::string& options, uint32_t thread = 0) {
    Diagnostics diagnostics;
    const DriveLimits drive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};
    const std::optional<Workload> workload =
        parse_fio_jobs("[j]\n" + options, "t.fio", "t", drive, diagnostics);
    messages = diagnostics.to_string();
    if (!workload) return;
    job = workload->phases[0].jobs[0];
    SyntheticSource source(job, 1, thread);
    IoRequest request;
    while (all.size() < 3000 && source.next(request = IoRequest{})) all.push_back(request);
  }

  // "w0 t0 r0": direction and block of 4 KiB.
  std::string text() const {
    std::string out;
    for (const IoRequest& r : all)
      out += (out.empty() ? "" : " ") + std::string(1, "rwt"[index_of(r.direction)]) +
             std::to_string(r.offset / 4096);
    return out;
  }
  // The blocks of one direction, in order.
  std::vector<uint64_t> blocks(Direction d) const {
    std::vector<uint64_t> out;
    for (const IoRequest& r : all)
      if (r.direction == d) out.push_back(r.offset / 4096);
    return out;
  }

  JobSpec job;
  std::vector<IoRequest> all;
  std::string messages;
};

const std::string kVerified = "rw=write\nsize=64k\nverify=crc32c\n";

TEST_CASE("trims follow a backlog of writes, and everything is read back") {
  const std::string reads = " r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15";
  CHECK(TrimRun(kVerified + "trim_percentage=100\ntrim_backlog=4\n").text() ==
        "w0 w1 w2 w3 t0 t1 t2 t3 w4 w5 w6 w7 t4 t5 t6 t7 w8 w9 w10 w11 t8 t9 t10 t11 w12 w13 w14 "
        "w15 t12 t13 t14 t15" +
            reads);
  CHECK(TrimRun(kVerified + "trim_percentage=100\ntrim_backlog=5\ntrim_backlog_batch=2\n").text() ==
        "w0 w1 w2 w3 w4 t0 t1 w5 w6 w7 w8 w9 t2 t3 w10 w11 w12 w13 w14 t4 t5 w15" + reads);
  CHECK(TrimRun(kVerified + "trim_percentage=100\ntrim_backlog=4\nverify_backlog=8\n").text() ==
        "w0 w1 w2 w3 t0 t1 t2 t3 w4 w5 w6 w7 r0 r1 r2 r3 r4 r5 r6 r7 w8 w9 w10 w11 t8 t9 t10 t11 "
        "w12 w13 w14 w15 r8 r9 r10 r11 r12 r13 r14 r15");
  CHECK(
      TrimRun(kVerified + "trim_percentage=100\ntrim_backlog=4\nnumber_ios=20\n").text() ==
      "w0 w1 w2 w3 t0 t1 t2 t3 w4 w5 w6 w7 t4 t5 t6 t7 w8 w9 w10 w11 t8 t9 t10 t11 r0 r1 r2 r3 r4 "
      "r5 r6 r7 r8 r9 r10 r11");
  const std::string loop = "w0 w1 t0 t1 w2 w3 t2 t3 r0 r1 r2 r3";
  CHECK(TrimRun("rw=write\nsize=16k\nverify=md5\ntrim_percentage=100\ntrim_backlog=2\nloops=2\n")
            .text() == loop + " " + loop);
}

TEST_CASE("a share of the writes is trimmed, each once, after it was written") {
  const TrimRun run("rw=randrw\nsize=8m\nverify=crc32c\ntrim_percentage=30\ntrim_backlog=16\n");
  const std::vector<uint64_t> writes = run.blocks(Direction::kWrite);
  const std::vector<uint64_t> trims = run.blocks(Direction::kTrim);
  CHECK(writes.size() == doctest::Approx(1024).epsilon(0.1));
  CHECK(static_cast<double>(trims.size()) ==
        doctest::Approx(0.3 * static_cast<double>(writes.size())).epsilon(0.15));
  size_t at = 0;  // in the order of the writes
  for (const uint64_t trim : trims) {
    while (at < writes.size() && writes[at] != trim) ++at;
    REQUIRE(at < writes.size());
    ++at;
  }
  std::set<uint64_t> written;
  for (const IoRequest& r : run.all) {
    if (r.direction == Direction::kWrite) written.insert(r.offset);
    if (r.direction == Direction::kTrim) CHECK(written.contains(r.offset));
  }
}

TEST_CASE("without reading back or a backlog nothing is trimmed, as in fio") {
  for (const char* options :
       {"rw=write\nsize=64k\ntrim_percentage=100\ntrim_backlog=4\n",
        "rw=write\nsize=64k\nverify=md5\ndo_verify=0\ntrim_percentage=100\ntrim_backlog=4\n",
        "rw=write\nsize=64k\nverify=md5\ntrim_percentage=100\n",
        "rw=write\nsize=64k\nverify=md5\ntrim_backlog=4\n"}) {
    INFO(options);
    CHECK(TrimRun(options).blocks(Direction::kTrim).empty());
    CHECK(TrimRun(options).blocks(Direction::kWrite).size() == 16);
  }
  CHECK(TrimRun(kVerified + "trim_percentage=101\n").messages.find("is outside 0 to 100") !=
        std::string::npos);
}

TEST_CASE("sizes by order: sequential requests as reads, random ones as writes") {
  const std::string sizes = "bs=4k,16k\nbs_is_seq_rand=1\nsize=1m\n";
  for (const IoRequest& r : TrimRun("rw=rw\n" + sizes).all) CHECK(r.bytes == 4096);
  const TrimRun runs("rw=randwrite:4\nnorandommap\n" + sizes);
  for (size_t i = 0; i + 4 < runs.all.size(); ++i) {
    const IoRequest& r = runs.all[i];
    if (r.offset + 16'384 <= Bytes::mib(1).count()) CHECK(r.bytes == (i % 4 == 0 ? 16'384 : 4096));
    CHECK(r.offset % 16'384 == (i % 4 == 0 ? 0 : r.offset % 16'384));
  }
  const TrimRun half("rw=randread\npercentage_random=50\nnorandommap\n" + sizes);
  uint64_t expected = UINT64_MAX;
  for (const IoRequest& r : half.all) {
    const bool at_end = r.offset + r.bytes == Bytes::mib(1).count();
    CHECK((r.bytes == 4096 || r.bytes == 16'384 || at_end));
    if (r.bytes == 4096) CHECK((expected == UINT64_MAX || r.offset == expected || r.offset == 0));
    expected = r.offset + r.bytes;
  }
  CHECK(
      TrimRun("rw=write\nsize=8k\nbs=4k,1m\nbs_is_seq_rand=1\n").messages.find("is larger than") !=
      std::string::npos);
}

TEST_CASE(
    "requests stay inside the region: aligned below their size, or repeating a first offset") {
  const TrimRun fine(
      "rw=randread\nbs=4k\nblockalign=512\nrandrepeat=0\noffset=1m\nsize=64k\nio_size=8m\n");
  CHECK(fine.all.size() == 2048);
  uint64_t last = 0;
  for (const IoRequest& r : fine.all) {
    CHECK(r.offset >= Bytes::mib(1).count());
    CHECK(r.offset % 512 == 0);
    last = std::max(last, r.offset + r.bytes);
  }
  CHECK(last == (Bytes::mib(1) + Bytes::kib(64)).count());  // the last place is used
  const TrimRun same(
      "rw=randread\noffset=1m\nsize=1m\nrw_sequencer=identical\npercentage_random=5\n");
  for (const IoRequest& r : same.all) CHECK(r.offset >= Bytes::mib(1).count());
}

// fio 3.33 drew 8 KiB for half of the requests of 4 to 8 KiB, and all other sizes for the rest.
TEST_CASE("unaligned sizes are any whole number of logical blocks of the range") {
  std::map<uint64_t, int> sizes;
  const TrimRun run("rw=randread\nnorandommap\nbsrange=4k-8k\nbs_unaligned\nsize=32m\n");
  for (const IoRequest& r : run.all) {
    ++sizes[r.bytes];
    CHECK(r.offset % 4096 == 0);
  }
  CHECK(sizes.size() == 9);
  CHECK(sizes.begin()->first == 4096);
  CHECK(sizes[8192] == doctest::Approx(1500).epsilon(0.1));
  CHECK(sizes[4608] == doctest::Approx(187).epsilon(0.35));
  uint64_t at = 0;
  for (const IoRequest& r :
       TrimRun("rw=read\nbsrange=1k-2k\nblocksize_unaligned\nsize=64k\n").all) {
    if (r.offset != 0) CHECK(r.offset == at);
    at = r.offset + r.bytes;
  }
}

TEST_CASE("percentages begin on the next multiple of the request or of offset_align") {
  const std::string read = "filename=/dev/sda\nrw=read\nsize=8k\nbs=512\n";
  const auto begin = [&](const std::string& options, uint32_t clone = 0) {
    return TrimRun(read + options).job.region_of(clone).offset.count();
  };
  CHECK(begin("offset=30%") == 322'122'752);
  CHECK(begin("offset=30%\noffset_align=64k") == 322'174'976);
  CHECK(begin("offset=30%\nbs=4k") == 322'125'824);
  CHECK(begin("offset=102400\noffset_align=64k") == 102'400);
  CHECK(begin("offset=1%\noffset_increment=1%\nnumjobs=2") == 10'737'664);
  CHECK(begin("offset=1%\noffset_increment=1%\nnumjobs=2", 1) == 21'475'328);
  CHECK(begin("offset=1000k\noffset_increment=1%\nnumjobs=2\noffset_align=1m") == 1'048'576);
  CHECK(begin("offset=1000k\noffset_increment=1%\nnumjobs=2\noffset_align=1m", 1) == 12'582'912);
  CHECK(begin("offset=1%\noffset_increment=1m\nnumjobs=2", 1) == 10'737'664 + (1u << 20));
}

// A size that is given limits it, in fio 3.33 as well.
TEST_CASE("fill_device is the rest of the drive, if no size is given") {
  const TrimRun run("rw=write\nbs=1m\nfill_device=1\noffset=512m\n");
  CHECK(run.job.size == Bytes::mib(512));
  CHECK(run.all.size() == 512);
  CHECK(TrimRun("rw=write\nbs=1m\nfill_device=1\nsize=64m\noffset=512m\n").all.size() == 64);
  CHECK(TrimRun("rw=write\nbs=1m\nfill_fs=1\nnumjobs=2\n", 1).all.front().offset == 0);
}

}  // namespace
}  // namespace ftlsim
