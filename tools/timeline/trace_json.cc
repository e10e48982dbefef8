#include "tools/timeline/trace_json.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace ftlsim {
namespace {

using Kind = TimelineSlice::Kind;

constexpr uint32_t kDies = 1;  // process numbers
constexpr uint32_t kChannels = 2;
constexpr uint32_t kCores = 3;
constexpr uint32_t kFirstQueue = 4;
constexpr size_t kFlushBytes = size_t{1} << 20;

struct Style {
  const char* words;
  const char* colour;  // one of the names that the format reserves
};
constexpr Style kStyles[kPurposes] = {
    {"host read", "rail_response"},
    {"read-ahead", "rail_animation"},
    {"host write", "good"},
    {"fold", "yellow"},
    {"gc", "bad"},
    {"wear levelling", "olive"},
    {"refresh", "generic_work"},
    {"patrol read", "cq_build_running"},
    {"map", "grey"},
    {"erase", "thread_state_sleeping"},
};
constexpr const char* kKindWords[] = {"sense",   "program",  "erase",         "suspend", "resume",
                                      "data in", "data out", "firmware core", "command"};

struct OpcodeStyle {
  const char* words;
  const char* category;
  const char* colour;
};
constexpr OpcodeStyle kOpcodes[] = {
    {"host read", "host_read", "rail_response"},
    {"host write", "host_write", "good"},
    {"flush", "host_flush", "grey"},
    {"deallocate", "host_deallocate", "grey"},
    {"format", "host_format", "grey"},
};

struct TraceTrack {
  uint32_t process = 0;
  uint32_t thread = 0;
  auto operator<=>(const TraceTrack&) const = default;
};

TraceTrack track_of(const TimelineSlice& s, uint32_t planes) {
  switch (s.kind) {
    case Kind::kDataIn:
    case Kind::kDataOut:
      return {kChannels, s.track + 1u};
    case Kind::kCore:
      return {kCores, s.track + 1u};
    case Kind::kCommand:
      return {kFirstQueue + s.track, s.lane + 1u};
    default:
      return {kDies, s.track * planes + s.lane + 1u};
  }
}

std::string track_name(const TimelineSlice& s) {
  switch (s.kind) {
    case Kind::kDataIn:
    case Kind::kDataOut:
      return fmt::format("channel {}", s.track);
    case Kind::kCore:
      return fmt::format("core {}", s.track);
    case Kind::kCommand:
      return fmt::format("queue {} #{}", s.track, s.lane + 1);
    default:
      return s.lane == 0 ? fmt::format("die {}", s.track)
                         : fmt::format("die {} plane {}", s.track, s.lane);
  }
}

std::string process_name(uint32_t process) {
  if (process == kDies) return "dies";
  if (process == kChannels) return "channels";
  if (process == kCores) return "firmware cores";
  return fmt::format("host queue {}", process - kFirstQueue);
}

// Nanoseconds as microseconds with three decimals.
std::string micros_text(int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

// The same less 0.1 ns: a reader that adds begin and duration in floating point must not find the
// end behind the begin of the next slice, or it nests that one. Rounded to ns it is exact.
std::string duration_text(int64_t ns) {
  return ns == 0 ? "0" : fmt::format("{}9", micros_text(ns - 1));
}

class TimelineWriter {
 public:
  TimelineWriter(const Timeline& timeline, const std::string& path)
      : timeline_(timeline),
        planes_(timeline.device().firmware().media().layout().planes()),
        file_(path, std::ios::binary) {}

  bool write() {
    text_ = fmt::format("{{\"displayTimeUnit\":\"ns\",\"otherData\":{},\n\"traceEvents\":[\n",
                        other_data());
    name_tracks();
    for (const TimelineSlice& s : timeline_.slices()) {
      write_slice(s);
      if (text_.size() >= kFlushBytes) flush();
    }
    text_ += "\n]}\n";
    flush();
    file_.close();
    return static_cast<bool>(file_);
  }

 private:
  std::string other_data() const {
    const nlohmann::ordered_json data = {
        {"device", timeline_.device().name()},
        {"window_begin_us", micros_text(timeline_.begin().to_ns())},
        {"window_end_us", micros_text(timeline_.end().to_ns())},
        {"cut", timeline_.cut()},
        {"slices", timeline_.slices().size()}};
    return data.dump();
  }

  void separate() {
    if (!first_) text_ += ",\n";
    first_ = false;
  }

  void name(const char* what, TraceTrack track, const std::string& value) {
    separate();
    fmt::format_to(std::back_inserter(text_),
                   R"({{"ph":"M","pid":{},"tid":{},"name":"{}","args":{{"name":"{}"}}}})",
                   track.process, track.thread, what, value);
  }

  // Names and order of all tracks that have a slice.
  void name_tracks() {
    std::map<TraceTrack, std::string> names;
    for (const TimelineSlice& s : timeline_.slices()) {
      const TraceTrack track = track_of(s, planes_);
      if (!names.contains(track)) names.emplace(track, track_name(s));
    }
    uint32_t last = 0;
    for (const auto& [track, text] : names) {
      if (track.process != last) {
        last = track.process;
        name("process_name", {last, 0}, process_name(last));
        sort_index("process", {last, 0}, last);
      }
      name("thread_name", track, text);
      sort_index("thread", track, track.thread);
    }
  }

  void sort_index(const char* what, TraceTrack track, uint32_t index) {
    separate();
    fmt::format_to(
        std::back_inserter(text_),
        R"({{"ph":"M","pid":{},"tid":{},"name":"{}_sort_index","args":{{"sort_index":{}}}}})",
        track.process, track.thread, what, index);
  }

  void write_slice(const TimelineSlice& s) {
    separate();
    const bool host = s.kind == Kind::kCore || s.kind == Kind::kCommand;
    const Style& style = kStyles[static_cast<size_t>(s.purpose)];
    const OpcodeStyle& opcode = kOpcodes[static_cast<size_t>(s.opcode)];
    const char* label = host ? opcode.words : style.words;
    if (s.kind == Kind::kSuspend || s.kind == Kind::kResume)
      label = kKindWords[static_cast<size_t>(s.kind)];  // the array does nothing for anybody
    const TraceTrack track = track_of(s, planes_);
    fmt::format_to(
        std::back_inserter(text_),
        R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}","cat":"{}","cname":"{}","args":{{)",
        track.process, track.thread, micros_text(s.begin_ns), duration_text(s.end_ns - s.begin_ns),
        label, host ? opcode.category : kPurposeNames[static_cast<size_t>(s.purpose)],
        host ? opcode.colour : style.colour);
    write_arguments(s, host);
    text_ += "}}";
  }

  void write_arguments(const TimelineSlice& s, bool host) {
    auto out = std::back_inserter(text_);
    fmt::format_to(out, R"("op":"{}","slots":{})", kKindWords[static_cast<size_t>(s.kind)],
                   s.slots);
    if (s.lpn != TimelineSlice::kNoLpn) fmt::format_to(out, R"(,"lpn":{})", s.lpn);
    if (host) return;
    fmt::format_to(out, R"(,"superblock":{},"row":{},"mode":"{}","planes":{})", s.superblock, s.row,
                   s.mode == CellMode::kSlc ? "slc" : "tlc", s.planes);
    if (s.kind == Kind::kSense || s.kind == Kind::kDataOut)
      fmt::format_to(out, R"(,"page":{})", s.page);
    if (s.attempt != 0) fmt::format_to(out, R"(,"attempt":{})", s.attempt);
    if (s.unfinished) text_ += R"(,"unfinished":true)";
  }

  void flush() {
    file_ << text_;
    text_.clear();
  }

  const Timeline& timeline_;
  uint32_t planes_;
  std::ofstream file_;
  std::string text_;
  bool first_ = true;
};

}  // namespace

void write_trace_json(const Timeline& timeline, const std::string& path) {
  if (!TimelineWriter(timeline, path).write())
    throw std::runtime_error(fmt::format("cannot write {}", path));
}

}  // namespace ftlsim
