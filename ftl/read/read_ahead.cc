#include "ftl/read/read_ahead.h"

#include <algorithm>

namespace ftlsim {

ReadAhead::ReadAhead(const ReadAheadConfig& config, uint32_t user_slots)
    : config_(config),
      user_slots_(user_slots),
      window_(static_cast<uint32_t>(config.window.count() / kSlotBytes)),
      streams_(config.streams) {
  // Room for the whole window of each stream, and one line for unaligned ends.
  lines_.resize(streams_.empty() ? 0 : config.streams * (size_t{window_} / kLine + 2));
  index_.assign(kIndex, UINT32_MAX);
}

void ReadAhead::reset() {
  std::fill(streams_.begin(), streams_.end(), Stream{});
  for (Line& line : lines_) line.state = State::kStale;
}

ReadAhead::Range ReadAhead::observe(Lpn lpn, uint32_t n) {
  if (streams_.empty() || !on_) return {};
  const uint32_t end = lpn.value() + n;
  Stream* oldest = &streams_.front();
  for (Stream& s : streams_) {
    if (s.used < oldest->used) oldest = &s;
    // Commands of one stream may arrive slightly out of order: accept a short step back or ahead.
    if (s.next == UINT32_MAX || lpn.value() + window_ / 2 < s.next ||
        lpn.value() > s.next + window_)
      continue;
    s.used = ++clock_;
    if (lpn.value() == s.next) ++s.hits;
    s.next = std::max(s.next, end);
    if (s.hits < config_.trigger) return {};
    const uint32_t from = std::max(s.ahead, s.next);
    const uint32_t to = std::min(user_slots_, s.next + window_);
    // Whole lines only, and not for less than a quarter of the window.
    if (from >= to || to - from < window_ / 4) return {};
    const uint32_t first = from / kLine * kLine + (from % kLine != 0 ? kLine : 0);
    const uint32_t last = to / kLine * kLine;
    if (first >= last) return {};
    s.ahead = last;
    return {Lpn(first), last - first};
  }
  *oldest = Stream{end, end, 1, ++clock_};
  return {};
}

ReadAhead::Line* ReadAhead::find(Lpn lpn) {
  if (!live_) return nullptr;
  const uint32_t group = lpn.value() / kLine;
  const uint32_t i = index_[bucket(group)];
  if (i == UINT32_MAX || lines_[i].group != group) return nullptr;
  Line& line = lines_[i];
  return line.state == State::kReading || line.state == State::kReady ? &line : nullptr;
}

ReadAhead::Line* ReadAhead::allocate(Lpn lpn) {
  for (uint32_t i = 0; i < lines_.size(); ++i) {
    const uint32_t at = hand_;
    Line& line = lines_[at];
    hand_ = (hand_ + 1) % static_cast<uint32_t>(lines_.size());
    if (line.pieces != 0) continue;
    line = Line{};
    line.group = lpn.value() / kLine;
    line.state = State::kReading;
    index_[bucket(line.group)] = at;
    live_ = true;
    return &line;
  }
  return nullptr;
}

void ReadAhead::invalidate(Lpn lpn, uint32_t n) {
  if (!live_) return;
  const uint32_t last = (lpn.value() + n - 1) / kLine;
  if (last - lpn.value() / kLine >= lines_.size()) {
    for (Line& line : lines_) line.state = State::kStale;
    return;
  }
  for (uint32_t group = lpn.value() / kLine; group <= last; ++group)
    if (Line* line = find(Lpn(group * kLine))) line->state = State::kStale;
}

}  // namespace ftlsim
