// Access specifications: shares, sizes, places and rates of the requests, against what the
// specification says.
#include "workloads/access_source.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

namespace ftlsim {
namespace {

constexpr Bytes kLba(512);

AccessLine line(Bytes size, uint32_t reads_percent, uint32_t random_percent) {
  AccessLine l;
  l.sizes = {{size}};
  l.reads = reads_percent * 10'000;
  l.random = random_percent * 10'000;
  l.length = Bytes::mib(64);
  return l;
}

JobSpec job_with(std::vector<AccessLine> lines) {
  JobSpec job;
  job.name = job.stream = "j";
  job.access.lines = std::move(lines);
  describe_access(job);
  return job;
}

std::vector<IoRequest> draw(AccessSource& source, size_t count) {
  std::vector<IoRequest> out;
  IoRequest request;
  while (out.size() < count && source.next(request)) out.push_back(request);
  return out;
}

// Whether `seen` of `n` draws fits a probability, within five standard deviations.
bool fits(size_t seen, size_t n, double p) {
  const double mean = static_cast<double>(n) * p;
  return std::abs(static_cast<double>(seen) - mean) <= 5 * std::sqrt(mean * (1 - p)) + 1;
}

TEST_CASE("lines, sizes and directions come in their shares") {
  AccessLine small = line(Bytes::kib(4), 70, 100);
  small.share = 750'000;
  AccessLine mixed = line(Bytes::kib(8), 0, 100);
  mixed.share = 250'000;
  mixed.sizes = {{Bytes::kib(8), 400'000}, {Bytes::kib(64), 600'000}};
  mixed.offset = Bytes::mib(128);
  JobSpec job = job_with({small, mixed});
  CHECK(job.rw == RwKind::kRandReadWrite);
  CHECK(job.offset == Bytes(0));
  CHECK(job.size == Bytes::mib(192));
  CHECK(job.largest_block(Direction::kWrite) == Bytes::kib(64));
  AccessSource source(job, 1, 0, kLba);
  constexpr size_t kDraws = 100'000;
  std::map<uint64_t, size_t> sizes;
  size_t small_reads = 0;
  for (const IoRequest& r : draw(source, kDraws)) {
    ++sizes[r.bytes];
    const bool of_small = r.bytes == 4096;
    CHECK(r.offset % r.bytes == 0);
    CHECK(r.offset >= (of_small ? 0 : Bytes::mib(128).count()));
    CHECK(r.offset + r.bytes <= Bytes::mib(of_small ? 64 : 192).count());
    CHECK((of_small || r.direction == Direction::kWrite));
    if (of_small && r.direction == Direction::kRead) ++small_reads;
  }
  CHECK(fits(sizes[4096], kDraws, 0.75));
  CHECK(fits(sizes[8192], kDraws, 0.25 * 0.4));
  CHECK(fits(sizes[65536], kDraws, 0.25 * 0.6));
  CHECK(fits(small_reads, sizes[4096], 0.7));
}

TEST_CASE("sequential requests go on where the last one ended, random ones included") {
  JobSpec job = job_with({line(Bytes::kib(4), 100, 30)});
  AccessSource source(job, 1, 0, kLba);
  constexpr size_t kDraws = 50'000;
  const std::vector<IoRequest> all = draw(source, kDraws);
  CHECK(all[0].offset % 4096 == 0);
  size_t follows = 0;
  for (size_t i = 1; i < all.size(); ++i) {
    const uint64_t behind = (all[i - 1].offset + 4096) % Bytes::mib(64).count();
    if (all[i].offset == behind) ++follows;
  }
  // A random request follows by chance once in 16,384.
  CHECK(fits(follows, kDraws - 1, 0.7 + 0.3 / 16'384));
}

TEST_CASE("a sequential line wraps, or ends with a short request") {
  AccessLine l = line(Bytes::kib(12), 100, 0);
  l.length = Bytes::kib(32);
  const std::vector<uint64_t> pass{0, 12'288, 24'576};
  JobSpec wraps = job_with({l});
  AccessSource around(wraps, 1, 0, kLba);
  const std::vector<IoRequest> seven = draw(around, 7);
  for (size_t i = 0; i < 7; ++i) CHECK(seven[i].offset == pass[i % 3]);
  CHECK(seven[2].bytes == 8192);
  l.ends = true;
  JobSpec ends = job_with({l});
  AccessSource once(ends, 1, 0, kLba);
  CHECK(draw(once, 10).size() == 3);
  IoRequest none;
  CHECK_FALSE(once.next(none));  // and stays so
}

TEST_CASE("a line that has ended leaves its share to the others") {
  AccessLine ends = line(Bytes::kib(4), 0, 0);
  ends.length = Bytes::kib(16);
  ends.ends = true;
  AccessLine other = line(Bytes::kib(4), 100, 100);
  other.stream = 1;
  JobSpec job = job_with({ends, other});
  AccessSource source(job, 1, 0, kLba);
  size_t writes = 0;
  for (const IoRequest& r : draw(source, 1000))
    if (r.direction == Direction::kWrite) ++writes;
  CHECK(writes == 4);
}

TEST_CASE("alignment of all requests, as Iometer has it") {
  AccessLine l = line(Bytes(512), 100, 50);
  l.align_all = true;
  l.align = Bytes::kib(4);
  l.offset = Bytes(1536);
  l.length = Bytes::kib(64);
  JobSpec job = job_with({l});
  AccessSource source(job, 1, 0, kLba);
  std::set<uint64_t> places;
  for (const IoRequest& r : draw(source, 5000)) {
    CHECK(r.offset % 4096 == 0);
    CHECK(r.offset >= 4096);  // the first multiple inside the region
    CHECK(r.offset + r.bytes <= 1536 + 65'536);
    places.insert(r.offset);
  }
  CHECK(places.size() == 16);
}

TEST_CASE("sizes between two with a step") {
  AccessLine l = line(Bytes::kib(4), 100, 100);
  l.size_max = Bytes::kib(16);
  l.size_step = Bytes::kib(4);
  JobSpec job = job_with({l});
  AccessSource source(job, 1, 0, kLba);
  std::map<uint64_t, size_t> sizes;
  for (const IoRequest& r : draw(source, 40'000)) ++sizes[r.bytes];
  CHECK(sizes.size() == 4);
  for (const auto& [size, count] : sizes) CHECK(fits(count, 40'000, 0.25));
}

TEST_CASE("rates: arrivals have the mean gap, and its spread") {
  for (const Arrivals arrivals : {Arrivals::kExponential, Arrivals::kUniform, Arrivals::kRegular}) {
    JobSpec job = job_with({line(Bytes::kib(4), 100, 100)});
    job.access.rate_share = kMillion / 4;
    job.access.arrivals = arrivals;
    AccessSource source(job, 1, 80'000'000, kLba);  // a quarter of 80,000 a second
    CHECK(source.rate_milli() == 20'000'000);
    constexpr int kDraws = 100'000;
    double squares = 0;
    Duration last;
    IoRequest request;
    for (int i = 0; i < kDraws; ++i) {
      REQUIRE(source.next_paced(last, request));
      const auto gap = static_cast<double>((request.due - last).to_ns());
      squares += (gap - 50'000) * (gap - 50'000);
      last = request.due;
    }
    const double mean = static_cast<double>(last.to_ns()) / kDraws;
    CHECK(mean == doctest::Approx(50'000).epsilon(0.02));
    const double deviation = std::sqrt(squares / kDraws) / 50'000;
    const double wanted = arrivals == Arrivals::kExponential ? 1
                          : arrivals == Arrivals::kUniform   ? 1 / std::sqrt(3.0)
                                                             : 0;
    CHECK(deviation == doctest::Approx(wanted).epsilon(0.03));
  }
}

TEST_CASE("a delay comes before each burst, and counts from when the thread is ready") {
  AccessLine l = line(Bytes::kib(4), 100, 0);
  l.delay = Duration::ms(10);
  l.burst = 3;
  JobSpec job = job_with({l});
  AccessSource source(job, 1, 0, kLba);
  IoRequest request;
  for (int i = 0; i < 9; ++i) {
    const Duration now = Duration::ms(100 + i);
    REQUIRE(source.next_paced(now, request));
    CHECK(request.due == (i % 3 == 0 ? now + Duration::ms(10) : Duration{}));
  }
}

TEST_CASE("bytes to move end the source") {
  JobSpec job = job_with({line(Bytes::kib(4), 100, 100)});
  job.io_size = Bytes::kib(40);
  AccessSource source(job, 1, 0, kLba);
  CHECK(draw(source, 100).size() == 10);
  CHECK(source.fraction() == 1);
}

}  // namespace
}  // namespace ftlsim
