// The request sequences of the engine, held against what fio 3.33 was seen to do: patterns, sizes,
// distributions, loops, reading back.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/math.h"
#include "workloads/fio_jobs.h"
#include "workloads/synthetic_source.h"

namespace ftlsim {
namespace {

constexpr uint64_t kBlock = 4096;

// Requests of the only job of a file with these options, as "r0+1": direction, block, blocks.
struct Sequence {
  explicit Sequence(const std::string& options, uint64_t seed = 1, uint32_t thread = 0)
      : job(load(options)), source(job, seed, thread) {}

  static JobSpec load(const std::string& options) {
    Diagnostics diagnostics;
    const DriveLimits drive{Bytes::gib(1), Bytes(512), Bytes::kib(128)};
    const std::optional<Workload> workload =
        parse_fio_jobs("[j]\n" + options, "t.fio", "t", drive, diagnostics);
    INFO(diagnostics.to_string());
    REQUIRE(workload.has_value());
    return workload->phases[0].jobs[0];
  }

  std::vector<IoRequest> all(size_t most = SIZE_MAX) {
    std::vector<IoRequest> out;
    IoRequest request;
    while (out.size() < most && source.next(request = IoRequest{})) out.push_back(request);
    return out;
  }

  std::string text(size_t most = SIZE_MAX) {
    std::string out;
    for (const IoRequest& r : all(most)) {
      if (!out.empty()) out += ' ';
      if (r.flush) {
        out += "sync";
        continue;
      }
      out += "rwt"[index_of(r.direction)];
      out += std::to_string(r.offset / kBlock) + "+" + std::to_string(r.bytes / kBlock);
    }
    return out;
  }

  JobSpec job;
  SyntheticSource source;
};

// A request ends where the next block is taken, and one that would begin on such a block begins
// behind it: fio 3.33 needs 120,889 to 121,244 requests for this gigabyte, and the first 2000 in
// 64 MiB have 12,874 bytes on average.
TEST_CASE("mixed sizes on a random map are cut as fio cuts them") {
  const std::string options = "rw=randread\nbssplit=4k/60:8k/20:64k/20\n";
  const std::vector<IoRequest> whole = Sequence(options).all();
  CHECK(static_cast<double>(whole.size()) == doctest::Approx(121'066).epsilon(0.01));
  std::set<uint64_t> blocks;
  uint64_t sum = 0;
  for (const IoRequest& r : whole) {
    for (uint64_t at = r.offset; at < r.offset + r.bytes; at += kBlock) blocks.insert(at);
    sum += r.bytes;
  }
  CHECK(sum == Bytes::gib(1).count());
  CHECK(blocks.size() == Bytes::gib(1).count() / kBlock);  // each block once
  double first = 0;
  for (const IoRequest& r : Sequence(options + "size=64m\n").all(2000))
    first += static_cast<double>(r.bytes) / 2000;
  CHECK(first == doctest::Approx(12'874).epsilon(0.05));
}

TEST_CASE("sequential kinds with holes and backwards") {
  CHECK(Sequence("rw=read:4k\nsize=64k").text(9) ==
        "r0+1 r2+1 r4+1 r6+1 r8+1 r10+1 r12+1 r14+1 r0+1");
  CHECK(Sequence("rw=read:-8k\nsize=1m").text(4) == "r0+1 r254+1 r253+1 r252+1");
  CHECK(Sequence("rw=read:-8k\nsize=64k\noffset=512k").text(3) == "r142+1 r141+1 r140+1");
  CHECK(Sequence("rw=read:-8k\nsize=64k").all().size() == 16);
}

TEST_CASE("runs of a random kind") {
  const std::vector<IoRequest> run = Sequence("rw=randread:4\nsize=1m").all();
  REQUIRE(run.size() == 256);
  for (size_t i = 0; i < 8; ++i)
    if (i % 4 != 0) CHECK(run[i].offset == (run[i - 1].offset + kBlock) % (1 << 20));
  CHECK(run[4].offset != run[3].offset + kBlock);
  const std::vector<IoRequest> same =
      Sequence("rw=randread:4\nrw_sequencer=identical\nsize=1m").all(8);
  CHECK(same[3].offset == same[0].offset);
  CHECK(same[4].offset != same[3].offset);
}

TEST_CASE("trim and write the same block; both halves count") {
  CHECK(Sequence("rw=trimwrite\nsize=8k").text() == "t0+1 w0+1 t1+1 w1+1");
  const std::vector<IoRequest> all = Sequence("rw=randtrimwrite\nsize=64k").all();
  REQUIRE(all.size() == 32);
  std::set<uint64_t> blocks;
  for (size_t i = 0; i < 32; i += 2) {
    CHECK(all[i].direction == Direction::kTrim);
    CHECK(all[i + 1].direction == Direction::kWrite);
    CHECK(all[i].offset == all[i + 1].offset);
    blocks.insert(all[i].offset);
  }
  CHECK(blocks.size() == 16);
}

TEST_CASE("strided zones") {
  const std::string zones =
      "zonemode=strided\nzonesize=16k\nzonerange=32k\nzoneskip=64k\nsize=1m\n";
  CHECK(Sequence("rw=read\n" + zones).text(6) == "r0+1 r1+1 r2+1 r3+1 r24+1 r25+1");
  CHECK(Sequence("rw=read\n" + zones).all().size() == 256);
  const std::vector<IoRequest> random = Sequence("rw=randread\n" + zones).all(16);
  for (size_t i = 0; i < 16; ++i) CHECK(random[i].offset / kBlock / 8 == i / 4 * 3);
}

TEST_CASE("flushes: after every n writes, but not after the last") {
  CHECK(Sequence("rw=write\nsize=24k\nfsync=2").text() ==
        "w0+1 w1+1 sync w2+1 w3+1 sync w4+1 w5+1");
  CHECK(Sequence("rw=write\nsize=8k\nend_fsync=1").text() == "w0+1 w1+1 sync");
  CHECK(Sequence("rw=read\nsize=8k\nfsync=1").text() == "r0+1 r1+1");
  CHECK(Sequence("rw=read\nsize=8k\nend_fsync=1").text() == "r0+1 r1+1");
  CHECK(Sequence("rw=write\nsize=1m\nnumber_ios=4\nfsync=2").text() == "w0+1 w1+1 sync w2+1 w3+1");
  // A read between two multiples brings the flush once more.
  std::string mix = Sequence("rw=rw\nsize=256k\nfsync=2").text();
  std::erase_if(mix, [](char c) { return c == ' ' || c == '+' || (c >= '0' && c <= '9'); });
  CHECK(mix.find("syncrsync") != std::string::npos);
  CHECK(mix.find("syncsync") == std::string::npos);
  CHECK_FALSE(mix.ends_with("sync"));
  for (const IoRequest& r : Sequence("rw=write\nsize=8k\nsync=1").all()) CHECK(r.fua);
}

TEST_CASE("reading back: in the order of the writes, at the end or behind them") {
  const std::vector<IoRequest> all = Sequence("rw=randwrite\nsize=64k\nverify=md5").all();
  REQUIRE(all.size() == 32);
  for (size_t i = 0; i < 16; ++i) {
    CHECK(all[i].direction == Direction::kWrite);
    CHECK(all[16 + i].direction == Direction::kRead);
    CHECK(all[16 + i].offset == all[i].offset);
  }
  CHECK(all[16].barrier);
  const std::vector<IoRequest> behind =
      Sequence("rw=randwrite\nsize=64k\nverify=md5\nverify_backlog=4").all();
  REQUIRE(behind.size() == 32);
  for (size_t i = 0; i < 32; ++i) {
    CHECK((behind[i].direction == Direction::kRead) == (i % 8 >= 4));
    if (i % 8 >= 4) CHECK(behind[i].offset == behind[i - 4].offset);
  }
  const std::vector<IoRequest> mixed = Sequence("rw=randrw\nsize=1m\nverify=md5").all();
  std::vector<uint64_t> written;
  std::vector<uint64_t> read;
  for (size_t i = 0; i < mixed.size(); ++i) {
    if (mixed[i].direction == Direction::kWrite) written.push_back(mixed[i].offset);
    if (i >= 256) read.push_back(mixed[i].offset);
  }
  CHECK(written == read);
  CHECK(Sequence("rw=write\nsize=8k\nverify=md5\nverify_only=1").text() == "r0+1 r1+1");
  CHECK(Sequence("rw=write\nsize=8k\nverify=md5\nloops=2").text() ==
        "w0+1 w1+1 r0+1 r1+1 w0+1 w1+1 r0+1 r1+1");
}

TEST_CASE("loops and passes repeat the same numbers under randrepeat") {
  for (const char* again : {"loops=2", "io_size=128k"}) {
    const std::vector<IoRequest> all =
        Sequence(std::string("rw=randread\nsize=64k\n") + again).all();
    REQUIRE(all.size() == 32);
    for (size_t i = 0; i < 16; ++i) CHECK(all[16 + i].offset == all[i].offset);
  }
  const std::vector<IoRequest> other =
      Sequence("rw=randread\nsize=256k\nloops=2\nrandrepeat=0").all();
  size_t equal = 0;
  for (size_t i = 0; i < 64; ++i) equal += other[64 + i].offset == other[i].offset;
  CHECK(equal < 10);
  const std::vector<IoRequest> timed =
      Sequence("rw=randread\nsize=256k\ntime_based\nruntime=1").all(128);
  equal = 0;
  for (size_t i = 0; i < 64; ++i) equal += timed[64 + i].offset == timed[i].offset;
  CHECK(equal < 10);
  CHECK(Sequence("rw=randread\nsize=1m\nnumber_ios=5\nloops=2").all().size() == 10);
  CHECK(Sequence("rw=rw\nsize=64k\nloops=2").all().size() == 32);
}

TEST_CASE("a map with mixed sizes covers every block once, in cut requests") {
  for (const char* sizes : {"bsrange=4k-16k", "bssplit=4k/50:16k/50"}) {
    std::vector<int> taken(256);
    for (const IoRequest& r : Sequence(std::string("rw=randread\nsize=1m\n") + sizes).all())
      for (uint64_t b = r.offset; b < r.offset + r.bytes; b += kBlock) ++taken[b / kBlock];
    CHECK(std::all_of(taken.begin(), taken.end(), [](int n) { return n == 1; }));
  }
}

TEST_CASE("shares of sizes, alignment, the random part") {
  std::map<uint64_t, double> shares;
  const std::vector<IoRequest> split =
      Sequence("rw=randread\nnorandommap\nbssplit=4k/60:8k/30:64k/10\nio_size=1g\nsize=1g").all();
  for (const IoRequest& r : split) shares[r.bytes] += 1.0 / static_cast<double>(split.size());
  CHECK(shares[4096] == doctest::Approx(0.6).epsilon(0.02));
  CHECK(shares[8192] == doctest::Approx(0.3).epsilon(0.02));
  CHECK(shares[65536] == doctest::Approx(0.1).epsilon(0.04));

  shares.clear();
  const std::vector<IoRequest> range =
      Sequence("rw=randread\nnorandommap\nbsrange=4k-20k\nio_size=500m").all();
  for (const IoRequest& r : range) shares[r.bytes] += 1.0 / static_cast<double>(range.size());
  CHECK(shares.size() == 5);
  for (const auto& [bytes, share] : shares) CHECK(share == doctest::Approx(0.2).epsilon(0.03));

  for (const IoRequest& r : Sequence("rw=randread\nbs=512\nba=16k\nsize=1m").all(100))
    CHECK(r.offset % 16384 == 0);

  const std::vector<IoRequest> half =
      Sequence("rw=randread\nnorandommap\npercentage_random=50\nsize=1g\nio_size=100m").all();
  size_t continued = 0;
  for (size_t i = 1; i < half.size(); ++i)
    continued += half[i].offset == half[i - 1].offset + kBlock;
  CHECK(static_cast<double>(continued) / static_cast<double>(half.size()) ==
        doctest::Approx(0.5).epsilon(0.02));
}

// Share of the accesses that the hottest block, and the hottest 1 % of the blocks, get.
std::pair<double, double> concentration(const std::string& distribution) {
  constexpr size_t kDraws = 1'000'000;
  Sequence sequence("rw=randread\nsize=1g\ntime_based\nruntime=1\nrandom_distribution=" +
                    distribution);
  std::vector<uint32_t> counts(262'144);
  IoRequest request;
  for (size_t i = 0; i < kDraws; ++i) {
    sequence.source.next(request);
    ++counts[request.offset / kBlock];
  }
  std::sort(counts.rbegin(), counts.rend());
  uint64_t hot = 0;
  for (size_t i = 0; i < counts.size() / 100; ++i) hot += counts[i];
  return {counts[0] / 1e6, static_cast<double>(hot) / 1e6};
}

TEST_CASE("distributions have the frequencies of fio") {
  const auto [zipf_top, zipf_hot] = concentration("zipf:1.2");
  CHECK(zipf_top == doctest::Approx(0.193).epsilon(0.02));
  CHECK(zipf_hot == doctest::Approx(0.89).epsilon(0.02));
  const auto [mild_top, mild_hot] = concentration("zipf:0.99");
  CHECK(mild_top == doctest::Approx(0.0725).epsilon(0.02));
  CHECK(mild_hot == doctest::Approx(0.65).epsilon(0.02));
  const auto [pareto_top, pareto_hot] = concentration("pareto:0.2");
  CHECK(pareto_top == doctest::Approx(0.178).epsilon(0.02));
  CHECK(pareto_hot == doctest::Approx(0.535).epsilon(0.02));
}

TEST_CASE("zones keep their places") {
  std::array<double, 3> shares{};
  const std::vector<IoRequest> all =
      Sequence("rw=randread\nsize=1g\nio_size=1g\nrandom_distribution=zoned:50/5:30/15:20/").all();
  for (const IoRequest& r : all) {
    const double at = static_cast<double>(r.offset) / static_cast<double>(1u << 30);
    shares[at < 0.05 ? 0 : at < 0.2 ? 1 : 2] += 1.0 / static_cast<double>(all.size());
  }
  CHECK(shares[0] == doctest::Approx(0.5).epsilon(0.02));
  CHECK(shares[1] == doctest::Approx(0.3).epsilon(0.02));
  CHECK(shares[2] == doctest::Approx(0.2).epsilon(0.02));
  for (const IoRequest& r :
       Sequence("rw=randread\nsize=1g\nio_size=4m\nrandom_distribution=zoned_abs:60/64m:40/64m")
           .all())
    CHECK(r.offset < Bytes::mib(128).count());
}

TEST_CASE("a thread's sequence does not depend on depth or the number of threads") {
  const std::string base = "rw=randrw\nbssplit=4k/50:8k/50\nsize=1m\n";
  CHECK(Sequence(base + "iodepth=32\nnumjobs=4", 1, 2).text() ==
        Sequence(base + "numjobs=8", 1, 2).text());
  CHECK(Sequence(base, 1, 1).text() != Sequence(base, 1, 2).text());
}

TEST_CASE("logarithm and exponential are exact") {
  CHECK(exact_log(1) == 0);
  CHECK(exact_log(2) == doctest::Approx(kLn2).epsilon(1e-14));
  CHECK(exact_log(1e300) == doctest::Approx(690.7755278982137).epsilon(1e-14));
  CHECK(exact_exp(0) == 1);
  CHECK(exact_exp(1) == doctest::Approx(2.718281828459045).epsilon(1e-14));
  CHECK(exact_exp(-700) > 0);
  CHECK(exact_exp(-701) == 0);
  CHECK(exact_pow(10, -3) == doctest::Approx(0.001).epsilon(1e-13));
  double sum = 0;
  for (int i = 1; i <= 100'000; ++i) sum += exact_pow(i, -0.99);
  CHECK(zeta_sum(100'000, 0.99) == doctest::Approx(sum).epsilon(1e-9));
}

}  // namespace
}  // namespace ftlsim
