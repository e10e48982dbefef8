// The timeline against the counters of the medium: slices of a track follow each other, durations
// add up to the busy times, a window is a cut-out of the whole, and the file holds all of it.
#include "tools/timeline/timeline.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"
#include "tools/timeline/trace_json.h"

namespace ftlsim {
namespace {

using Kind = TimelineSlice::Kind;
using Json = nlohmann::json;

constexpr uint64_t kSeed = 7;
const TimelineWindow kAll = {Time(), Duration::max()};

// Small reads and writes at random, so that programs and erases are suspended.
class MixedSource final : public test::AccessSource {
 public:
  MixedSource(uint32_t span, Rng rng) : span_(span), rng_(rng) {}
  test::Access next() override {
    const Opcode opcode = rng_.below(2) == 0 ? Opcode::kRead : Opcode::kWrite;
    return {opcode, static_cast<uint32_t>(rng_.below(span_ - 8)), 4};
  }

 private:
  uint32_t span_;
  Rng rng_;
};

DriveConfig drive() {
  DriveConfig c = test::tiny_drive();
  test::use_slc(c);
  REQUIRE(test::fit_capacity(c, kSeed, 0));
  return c;
}

// A drive that has been filled and overwritten in part, so that it folds, collects and suspends.
struct Recorded {
  explicit Recorded(TimelineWindow window, size_t limit = 1'000'000)
      : sim(kSeed), device(sim, drive(), "drive"), timeline(sim, device, window, limit) {
    device.firmware().set_observers(&timeline, &timeline);
    const auto span = static_cast<uint32_t>(device.host().capacity().count() / kSlotBytes);
    test::LoadHost host(sim, device.host(), 16);
    test::SequentialSource fill(Opcode::kWrite, span, 16);
    host.run(fill, span / 16);
    MixedSource mixed(span, Rng(kSeed, "mixed"));
    host.run(mixed, 6000);
    commands = host.completed();
    sim.run_until(sim.now() + Duration::ms(1));  // before idle work begins
    timeline.finish();
  }
  Simulator sim;
  Device device;
  Timeline timeline;
  uint64_t commands = 0;
};

const Recorded& whole() {
  static const Recorded kRun(kAll);
  return kRun;
}

// Which resource a slice is on, as the file has it: process-like group, track, lane.
std::tuple<int, int, int> track_of(const TimelineSlice& s) {
  int group = 0;
  if (s.kind == Kind::kDataIn || s.kind == Kind::kDataOut) group = 1;
  if (s.kind == Kind::kCore) group = 2;
  if (s.kind == Kind::kCommand) group = 3;
  return {group, s.track, s.lane};
}

int64_t sum_of(const Timeline& t, Kind kind, int track) {
  int64_t sum = 0;
  for (const TimelineSlice& s : t.slices()) {
    if (s.kind != kind || s.track != track || s.unfinished) continue;
    sum += (s.end_ns - s.begin_ns) * (kind == Kind::kSense ? s.planes : 1);
  }
  return sum;
}

TEST_CASE("timeline: the slices of a track do not overlap and have a length") {
  std::map<std::tuple<int, int, int>, int64_t> last;
  for (const TimelineSlice& s : whole().timeline.slices()) {
    REQUIRE(s.end_ns > s.begin_ns);
    int64_t& end = last[track_of(s)];
    CHECK(s.begin_ns >= end);
    end = s.end_ns;
  }
}

TEST_CASE("timeline: durations add up to the counters of dies and channels") {
  const Timeline& t = whole().timeline;
  const Flash& flash = whole().device.firmware().flash();
  uint64_t suspends = 0;
  REQUIRE_FALSE(t.cut());
  for (uint16_t d = 0; d < flash.layout().dies(); ++d) {
    CAPTURE(d);
    const DieCounters& counters = flash.die_counters(DieId(d));
    CHECK(sum_of(t, Kind::kProgram, d) == counters.program_ns);
    CHECK(sum_of(t, Kind::kErase, d) == counters.erase_ns);
    CHECK(sum_of(t, Kind::kSense, d) == counters.read_plane_ns);
    const auto suspended = std::count_if(
        t.slices().begin(), t.slices().end(),
        [d](const TimelineSlice& s) { return s.kind == Kind::kSuspend && s.track == d; });
    CHECK(static_cast<uint64_t>(suspended) == counters.suspends);
    suspends += counters.suspends;
  }
  CHECK(suspends > 100);
  for (uint16_t c = 0; c < flash.layout().geometry().channels; ++c) {
    CAPTURE(c);
    CHECK(sum_of(t, Kind::kDataIn, c) + sum_of(t, Kind::kDataOut, c) ==
          flash.channel_busy_ns(ChannelId(c)));
  }
}

TEST_CASE("timeline: every command and its firmware stage once, on whose behalf the rest ran") {
  uint64_t commands = 0;
  uint64_t stages = 0;
  std::map<Purpose, uint64_t> seen;
  for (const TimelineSlice& s : whole().timeline.slices()) {
    commands += s.kind == Kind::kCommand;
    stages += s.kind == Kind::kCore;
    if (s.kind == Kind::kProgram || s.kind == Kind::kSense || s.kind == Kind::kErase)
      ++seen[s.purpose];
    CHECK((s.kind == Kind::kErase) ==
          (s.purpose == Purpose::kErase && s.kind != Kind::kSuspend && s.kind != Kind::kResume));
  }
  CHECK(commands == whole().commands);
  CHECK(stages == whole().commands);
  for (const Purpose p :
       {Purpose::kHostRead, Purpose::kHostWrite, Purpose::kFold, Purpose::kGc, Purpose::kErase})
    CHECK_MESSAGE(seen[p] > 0, kPurposeNames[static_cast<size_t>(p)]);
}

TEST_CASE("timeline: a window is what the whole shows there") {
  const TimelineWindow window = {Time() + Duration::ms(20), Duration::ms(15)};
  const Recorded part(window);
  const int64_t begin = window.begin.to_ns();
  const int64_t end = begin + window.length.to_ns();
  int64_t expected = 0;
  size_t slices = 0;
  for (const TimelineSlice& s : whole().timeline.slices()) {
    const int64_t inside = std::min(s.end_ns, end) - std::max(s.begin_ns, begin);
    if (inside <= 0) continue;
    expected += inside;
    ++slices;
  }
  int64_t sum = 0;
  for (const TimelineSlice& s : part.timeline.slices()) {
    CHECK(s.begin_ns >= begin);
    CHECK(s.end_ns <= end);
    sum += s.end_ns - s.begin_ns;
  }
  CHECK(part.timeline.slices().size() == slices);
  CHECK(sum == expected);
  CHECK(slices > 100);
  CHECK_FALSE(part.timeline.cut());
}

TEST_CASE("timeline: the limit cuts the window, not single slices") {
  constexpr size_t kLimit = 2000;
  const Recorded limited(kAll, kLimit);
  const Timeline& t = limited.timeline;
  CHECK(t.cut());
  const int64_t end = t.end().to_ns();
  const auto before =
      std::count_if(whole().timeline.slices().begin(), whole().timeline.slices().end(),
                    [end](const TimelineSlice& s) { return s.begin_ns < end; });
  CHECK(t.slices().size() == static_cast<size_t>(before));
  CHECK(t.slices().size() < kLimit + 500);
  for (const TimelineSlice& s : t.slices()) CHECK(s.end_ns <= end);
}

// Exact nanoseconds of a time in microseconds as the file writes it.
int64_t nanos(const Json& micros) {
  REQUIRE(micros.is_number());
  return std::llround(micros.get<double>() * 1000.0);
}

Json written(const Timeline& t) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("ftlsim-timeline-{}.json", getpid());
  write_trace_json(t, path.string());
  std::ifstream in(path);
  Json file = Json::parse(in, nullptr, false);
  std::filesystem::remove(path);
  return file;
}

// The names of tracks and what they say of their order; each is given once.
struct TraceNames {
  std::map<std::pair<int, int>, std::string> threads;
  std::map<int, std::string> processes;
  std::map<std::pair<int, int>, int> order;

  void take(const Json& e) {
    const int pid = e.at("pid");
    const int tid = e.at("tid");
    const std::string what = e.at("name");
    const Json& args = e.at("args");
    if (what == "thread_name") {
      CHECK(threads.emplace(std::pair(pid, tid), args.at("name")).second);
    } else if (what == "process_name") {
      CHECK(processes.emplace(pid, args.at("name")).second);
    } else {
      CHECK((what == "thread_sort_index" || what == "process_sort_index"));
      CHECK(order.emplace(std::pair(pid, tid), args.at("sort_index")).second);
    }
  }
};

// A track for every die, channel, core and queue in use of the drive.
static void check_tracks(const TraceNames& tracks) {
  // One process each for dies, channels and cores, and one for the queue in use.
  CHECK(tracks.processes.size() == 4);
  std::set<std::string> found;
  for (const auto& [track, name] : tracks.threads) CHECK(found.insert(name).second);
  const Layout& layout = whole().device.firmware().media().layout();
  for (uint32_t d = 0; d < layout.dies(); ++d) CHECK(found.contains(fmt::format("die {}", d)));
  for (uint32_t c = 0; c < layout.geometry().channels; ++c)
    CHECK(found.contains(fmt::format("channel {}", c)));
  for (uint32_t c = 0; c < whole().device.firmware().config().firmware.cores; ++c)
    CHECK(found.contains(fmt::format("core {}", c)));
  CHECK(found.contains("queue 0 #1"));
}

// What the Chrome trace event format and its viewers ask of a file of complete events ("ph": "X").
TEST_CASE("timeline: the file is a Chrome trace") {
  for (const bool limited : {false, true}) {
    CAPTURE(limited);
    const Recorded few(kAll, limited ? 2'000 : 1);
    const Timeline& t = limited ? few.timeline : whole().timeline;
    const Json file = written(t);
    REQUIRE(file.is_object());
    CHECK((file.at("displayTimeUnit") == "ns" || file.at("displayTimeUnit") == "ms"));
    REQUIRE(file.at("traceEvents").is_array());
    CHECK(file.at("otherData").at("cut") == limited);
    const int64_t begin = t.begin().to_ns();
    const int64_t end = limited ? t.end().to_ns() : INT64_MAX;
    const std::set<std::string> names = {"host read", "read-ahead",     "host write", "fold",
                                         "gc",        "wear levelling", "refresh",    "patrol read",
                                         "map",       "erase",          "suspend",    "resume",
                                         "flush",     "deallocate",     "format"};
    TraceNames tracks;
    std::map<std::pair<int, int>, int64_t> last;
    std::map<std::pair<int, int>, double> ends;
    std::map<std::string, std::set<std::string>> colours;  // by name
    size_t slices = 0;
    int64_t former = 0;
    for (const Json& e : file.at("traceEvents")) {
      REQUIRE(e.is_object());
      REQUIRE(e.at("pid").is_number_unsigned());
      REQUIRE(e.at("tid").is_number_unsigned());
      REQUIRE(e.at("name").is_string());
      if (e.at("ph") == "M") {
        CHECK(slices == 0);  // names first: a viewer may read the file as a stream
        tracks.take(e);
        continue;
      }
      REQUIRE(e.at("ph") == "X");
      ++slices;
      const std::pair<int, int> track{e.at("pid"), e.at("tid")};
      const int64_t from = nanos(e.at("ts"));
      const int64_t to = from + nanos(e.at("dur"));
      CHECK(to > from);
      CHECK(from >= begin);
      CHECK(to <= end);
      CHECK(from >= former);  // sorted
      former = from;
      CHECK(from >= last[track]);  // one track holds one thing at a time: nothing to nest
      last[track] = to;
      // The same for readers that stay with floating point.
      const double ts = e.at("ts").get<double>();
      CHECK(ts > ends.try_emplace(track, -1.0).first->second);
      ends[track] = ts + e.at("dur").get<double>();
      CHECK(tracks.threads.contains(track));
      CHECK(tracks.processes.contains(track.first));
      const std::string name = e.at("name");
      CHECK_MESSAGE(names.contains(name), name);
      colours[name].insert(e.at("cname"));
      CHECK_FALSE(e.at("cat").get<std::string>().empty());
      CHECK(e.at("args").at("op").is_string());
      const std::string process = tracks.processes[track.first];
      CHECK(e.at("args").contains("superblock") == (process == "dies" || process == "channels"));
    }
    CHECK(slices == t.slices().size());
    CHECK(file.at("otherData").at("slices") == slices);
    CHECK(last.size() == tracks.threads.size());  // every track that is named is used
    CHECK(tracks.order.size() == tracks.threads.size() + tracks.processes.size());
    if (limited) continue;
    for (const char* name : {"host read", "host write", "fold", "gc", "erase"})
      CHECK(colours.contains(name));
    check_tracks(tracks);
  }
}

TEST_CASE("timeline: the window on the command line") {
  std::string error;
  const auto window = parse_timeline_window("12.5s,50ms", error);
  REQUIRE(window);
  CHECK(window->begin == Time() + Duration::ms(12'500));
  CHECK(window->length == Duration::ms(50));
  for (const char* wrong : {"", "1s", "1s,", ",1s", "1,2", "1s,2ms,3ms", "0s,0s", "-1s,1s"}) {
    CAPTURE(wrong);
    error.clear();
    CHECK_FALSE(parse_timeline_window(wrong, error));
    CHECK_FALSE(error.empty());
  }
}

}  // namespace
}  // namespace ftlsim
