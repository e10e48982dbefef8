#include "tools/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "sim/config_scalar.h"
#include "sim/diagnostics.h"

namespace ftlsim {
namespace {

using Kind = TimelineSlice::Kind;

// Slices that may follow after the cut: what was under way then.
constexpr size_t kSlack = 70'000;

Kind kind_of(const Operation& op) {
  return op.kind == OpKind::kErase ? Kind::kErase : Kind::kProgram;
}

// The first unit of a program that is not padding.
uint32_t first_lpn(const Operation& op, uint32_t slots) {
  for (uint32_t i = 0; i < slots; ++i)
    if (op.spare[i] != Media::kSparePad) return op.spare[i];
  return TimelineSlice::kNoLpn;
}

}  // namespace

std::optional<TimelineWindow> parse_timeline_window(std::string_view text, std::string& error) {
  const size_t comma = text.find(',');
  if (comma == std::string_view::npos) {
    error = fmt::format("{} is not START,LENGTH, for example 12.5s,50ms", quote(text));
    return std::nullopt;
  }
  const std::optional<Duration> start = parse_duration(text.substr(0, comma), error);
  if (!start) return std::nullopt;
  const std::optional<Duration> length = parse_duration(text.substr(comma + 1), error);
  if (!length) return std::nullopt;
  if (*length <= Duration()) {
    error = fmt::format("the length in {} is zero", quote(text));
    return std::nullopt;
  }
  return TimelineWindow{Time() + *start, *length};
}

Timeline::Timeline(const Simulator& sim, const Device& device, TimelineWindow window,
                   size_t max_slices)
    : sim_(sim),
      device_(device),
      begin_(window.begin),
      end_(window.begin + window.length),
      max_slices_(max_slices),
      arrays_(device.firmware().media().layout().dies()),
      lanes_(device.firmware().config().queues.count) {
  slices_.reserve(max_slices_ + kSlack);
  const uint32_t depth = device.firmware().config().queues.depth;
  for (std::vector<Time>& lanes : lanes_) lanes.reserve(depth);
}

TimelineSlice Timeline::slice_of(const Operation& op, Kind kind) const {
  TimelineSlice s;
  s.kind = kind;
  s.purpose = op.purpose;
  s.mode = op.mode;
  s.track = op.die.value();
  s.superblock = op.superblock.value();
  s.row = op.row;
  s.page = op.page;
  s.attempt = op.kind == OpKind::kRead ? op.attempt : uint8_t{0};
  s.slots = op.slots;
  s.planes = static_cast<uint8_t>(std::popcount(op.plane_mask));
  const Media& media = device_.firmware().media();
  if (op.kind == OpKind::kProgram)
    s.lpn = first_lpn(op, media.layout().unit_slots(op.mode));
  else if (op.kind == OpKind::kRead)
    s.lpn = media.spare(op.first);
  return s;
}

void Timeline::add(TimelineSlice slice, Time begin, Time end) {
  if (begin < begin_) begin = begin_;
  if (end > end_) end = end_;
  if (begin >= end || slices_.size() == slices_.capacity()) return;
  slice.begin_ns = begin.to_ns();
  slice.end_ns = end.to_ns();
  slices_.push_back(slice);
  if (slices_.size() < max_slices_ || cut_) return;
  cut_ = true;
  end_ = max(begin_, min(end_, sim_.now()));
}

void Timeline::sensed(const Operation& op, Time begin, Time end) {
  if (begin >= end_ || end <= begin_) return;
  TimelineSlice s = slice_of(op, Kind::kSense);
  s.lane = static_cast<uint16_t>(std::countr_zero(op.plane_mask));
  add(s, begin, end);
}

void Timeline::transferred(ChannelId channel, const Operation& op, Time begin, Time end) {
  if (begin >= end_ || end <= begin_) return;
  TimelineSlice s = slice_of(op, op.kind == OpKind::kProgram ? Kind::kDataIn : Kind::kDataOut);
  s.track = channel.value();
  s.slots = op.bus_slots;
  add(s, begin, end);
}

void Timeline::array_started(const Operation& op, Time now) {
  arrays_[op.die.value()] = {&op, now, now, Duration()};
}

// The slices up to `now`: the resumption, if there was one, and the work of the array.
void Timeline::close(Array& array, const Operation& op, Time now, bool unfinished) {
  if (array.busy < min(array.working, now) && array.busy < end_)
    add(slice_of(op, Kind::kResume), array.busy, min(array.working, now));
  array.owed = array.working > now ? array.working - now : Duration();
  if (array.working >= now || array.working >= end_ || now <= begin_) return;
  TimelineSlice s = slice_of(op, kind_of(op));
  s.unfinished = unfinished;
  add(s, array.working, now);
}

void Timeline::array_suspended(const Operation& op, Time now, Time free) {
  Array& array = arrays_[op.die.value()];
  if (array.op == nullptr) return;  // began before the recorder did
  close(array, op, now, false);
  if (now < end_) add(slice_of(op, Kind::kSuspend), now, free);
  array.busy = array.working = Time::never();
}

void Timeline::array_resumed(const Operation& op, Time now, Time working) {
  Array& array = arrays_[op.die.value()];
  array.busy = now;
  array.working = working + array.owed;
}

void Timeline::array_ended(const Operation& op, Time now) {
  Array& array = arrays_[op.die.value()];
  if (array.op != nullptr) close(array, op, now, false);
  array.op = nullptr;
}

void Timeline::core_taken(uint32_t core, const CommandSlot& slot, Time begin, Time end) {
  TimelineSlice s;
  s.kind = Kind::kCore;
  s.track = static_cast<uint16_t>(core);
  s.opcode = slot.command->opcode;
  if (slot.units != 0) s.lpn = slot.lpn.value();
  s.slots = slot.units;
  add(s, begin, end);
}

// Commands come in the order of completion, so a lane is free for one if its last command had
// completed when this one was submitted.
void Timeline::command_completed(const Command& command, const CommandSlot& slot) {
  if (command.submitted >= end_ || command.completed <= begin_) return;
  std::vector<Time>& lanes = lanes_[command.queue.value()];
  size_t lane = 0;
  while (lane < lanes.size() && lanes[lane] > command.submitted) ++lane;
  if (lane == lanes.size()) lanes.push_back(Time());
  lanes[lane] = command.completed;
  TimelineSlice s;
  s.kind = Kind::kCommand;
  s.track = command.queue.value();
  s.lane = static_cast<uint16_t>(lane);
  s.opcode = command.opcode;
  if (slot.units != 0) s.lpn = slot.lpn.value();
  s.slots = slot.units;
  add(s, command.submitted, command.completed);
}

void Timeline::finish() {
  for (Array& array : arrays_) {
    if (array.op != nullptr && array.working != Time::never())
      close(array, *array.op, sim_.now(), true);
    array.op = nullptr;
  }
  for (TimelineSlice& s : slices_) s.end_ns = std::min(s.end_ns, end_.to_ns());
  std::erase_if(slices_, [](const TimelineSlice& s) { return s.end_ns <= s.begin_ns; });
  std::stable_sort(
      slices_.begin(), slices_.end(),
      [](const TimelineSlice& a, const TimelineSlice& b) { return a.begin_ns < b.begin_ns; });
}

}  // namespace ftlsim
