// The speed map: how time and bytes are shared out to regions, and what reaches the file.
#include "tools/run/speed_map.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kRegion = SpeedMap::kRegion.count();

struct TestFile {
  fs::path path =
      fs::temp_directory_path() / ("ftlsim-speed-map-" + std::to_string(getpid()) + ".csv");
  ~TestFile() { fs::remove(path); }
  std::string text() const {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
};

PhaseSpec reads(RwKind rw, uint32_t depth) {
  PhaseSpec phase;
  phase.name = "reads";
  phase.jobs.resize(1);
  phase.jobs[0].rw = rw;
  phase.jobs[0].iodepth = depth;
  return phase;
}

IoEvent read(uint64_t offset, uint64_t bytes, int64_t completed_us) {
  IoEvent event;
  event.offset = offset;
  event.bytes = bytes;
  event.completed = Time() + Duration::us(completed_us);
  return event;
}

struct Counter final : IoObserver {
  void on_thread_begin(uint32_t, const JobSpec&, uint32_t, Time) override { ++begun; }
  void on_request(const IoEvent&) override { ++requests; }
  void on_thread_error(uint32_t, const ThreadError&) override {}
  void on_thread_end(uint32_t, Time) override { ++ended; }
  void on_job_steady(const JobSpec&, const SteadyState&) override {}
  int begun = 0;
  int requests = 0;
  int ended = 0;
};

TEST_CASE("time goes by completions to the region where a read begins") {
  TestFile file;
  SpeedMap map(SpeedMap::kRegion * 4, file.path);
  PhaseSpec spec = reads(RwKind::kRead, 1);
  PhaseResult phase;
  phase.index = 3;
  phase.spec = &spec;
  phase.begin = Time() + Duration::us(1'000);
  REQUIRE(map.begin(phase));
  map.on_request(read(0, 1'000'000, 1'250));                    // 250 us since the begin
  map.on_request(read(kRegion - 4'096, 1'000'000, 1'750));      // 500 us, begins in region 0
  map.on_request(read(2 * kRegion, 2'000'000, 2'000));          // 250 us
  map.on_request(read(2 * kRegion + 8'192, 1'000'000, 1'900));  // noted late: no time of its own
  IoEvent flush = read(0, 0, 9'000);
  flush.flush = true;
  map.on_request(flush);
  const std::optional<SpeedSummary> speed = map.end();
  REQUIRE(speed.has_value());
  CHECK(speed->regions == 2);
  CHECK(speed->rows);
  CHECK(speed->slowest == 2'666'667);  // 2 MB in 750 us, in kB/s
  CHECK(speed->fastest == 12'000'000);
  map.close();
  CHECK(file.text() ==
        "phase,region,begin_GB,read_MB,time_ms,MBps\n"
        "3,0,0.000,2.000,0.750,2666.667\n"
        "3,2,0.067,3.000,0.250,12000.000\n");
}

TEST_CASE("each phase begins with an empty map") {
  TestFile file;
  SpeedMap map(SpeedMap::kRegion * 2, file.path);
  PhaseSpec spec = reads(RwKind::kRead, 32);
  PhaseResult phase;
  phase.spec = &spec;
  REQUIRE(map.begin(phase));
  map.on_request(read(0, kRegion, 100));
  CHECK(map.end()->regions == 1);
  phase.index = 1;
  phase.begin = Time() + Duration::us(500);
  REQUIRE(map.begin(phase));
  map.on_request(read(kRegion, 1'000'000, 1'500));
  const std::optional<SpeedSummary> second = map.end();
  REQUIRE(second.has_value());
  CHECK(second->regions == 1);
  CHECK(second->median == 1'000'000);
  REQUIRE(map.begin(phase));
  CHECK_FALSE(map.end().has_value());  // nothing was read
}

TEST_CASE("phases in which the gaps say nothing of a region are left out") {
  CHECK(SpeedMap::maps(reads(RwKind::kRead, 32)));
  CHECK(SpeedMap::maps(reads(RwKind::kRandRead, 1)));
  CHECK_FALSE(SpeedMap::maps(reads(RwKind::kRandRead, 2)));
  CHECK_FALSE(SpeedMap::maps(reads(RwKind::kReadWrite, 1)));
  CHECK_FALSE(SpeedMap::maps(reads(RwKind::kWrite, 1)));
  CHECK_FALSE(SpeedMap::maps(PhaseSpec{}));
  PhaseSpec two = reads(RwKind::kRandRead, 1);
  two.jobs[0].numjobs = 2;
  CHECK_FALSE(SpeedMap::maps(two));
}

TEST_CASE("another observer sees the requests too, and the phases that are not mapped") {
  TestFile file;
  SpeedMap map(SpeedMap::kRegion, file.path);
  Counter counter;
  map.set_next(&counter);
  PhaseSpec spec = reads(RwKind::kRandRead, 4);
  PhaseResult phase;
  phase.spec = &spec;
  CHECK_FALSE(map.begin(phase));
  map.on_thread_begin(0, spec.jobs[0], 0, Time());
  map.on_request(read(0, 4'096, 5));
  map.on_thread_end(0, Time());
  CHECK_FALSE(map.end().has_value());
  CHECK(counter.begun == 1);
  CHECK(counter.requests == 1);
  CHECK(counter.ended == 1);
}

}  // namespace
}  // namespace ftlsim
