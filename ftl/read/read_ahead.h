// Read-ahead: finds sequential streams and keeps what was read ahead of them.
//
// The buffer is a fixed ring of lines, one per chunk-sized, aligned piece of the logical space. A
// line is being read, holds data, or is free; a write or trim makes it stale. It is a cache of
// clean data: dropping a line is always right. Commands that want a line that is being read wait
// for it.
#pragma once

#include <cstdint>
#include <vector>

#include "ftl/config.h"
#include "ftl/host/command_slot.h"
#include "sim/ids.h"

namespace ftlsim {

class ReadAhead {
 public:
  // Units of a line: 64 KiB, as in the pending index.
  static constexpr uint32_t kLine = 16;
  enum class State : uint8_t { kFree, kReading, kReady, kStale };
  static constexpr uint32_t kMaxWaiters = 8;

  struct Line {
    uint32_t group = UINT32_MAX;  // first unit / kLine
    State state = State::kFree;
    uint8_t pieces = 0;  // flash reads outstanding
    uint8_t waiters = 0;
    uint64_t lost = 0;  // units that cannot be recovered, as bits
    Time decoded;       // when the last piece is
    struct Waiter {
      CommandSlot* slot;
      uint16_t units;
      uint16_t index;   // of the first unit in the command
      uint16_t offset;  // and in the line
    } waiter[kMaxWaiters];
    uint64_t tokens[kLine];  // content as it was read (verification only)
  };

  ReadAhead(const ReadAheadConfig& config, uint32_t user_slots);

  // Off: nothing is read ahead any more, and what was is forgotten. On at first.
  void set_on(bool on) {
    if (on_ && !on) reset();
    on_ = on;
  }
  // Notes a host read. Returns the range to read ahead now (n may be 0).
  struct Range {
    Lpn lpn{0};
    uint32_t n = 0;
  };
  Range observe(Lpn lpn, uint32_t n);

  // The line that covers a unit and is being read or ready; nullptr if none.
  Line* find(Lpn lpn);
  // A free line for the group of `lpn`; nullptr if all are being read.
  Line* allocate(Lpn lpn);
  // The host has taken the last unit of a ready line: it may go first.
  void consumed(Line& line) {
    line.state = State::kFree;
    line.group = UINT32_MAX;
  }
  void invalidate(Lpn lpn, uint32_t n);
  void reset();
  uint32_t index_of(const Line& line) const { return static_cast<uint32_t>(&line - lines_.data()); }
  Line& at(uint32_t index) { return lines_[index]; }

 private:
  struct Stream {
    uint32_t next = UINT32_MAX;  // unit that a sequential read would start with
    uint32_t ahead = 0;          // first unit not yet asked for
    uint32_t hits = 0;
    uint64_t used = 0;
  };

  ReadAheadConfig config_;
  uint32_t user_slots_;
  uint32_t window_;
  std::vector<Stream> streams_;
  static constexpr uint32_t kIndex = 4096;
  static uint32_t bucket(uint32_t group) { return (group * 0x9e3779b1u) >> 20; }

  std::vector<Line> lines_;
  std::vector<uint32_t> index_;  // group -> line; a collision only forgets a line
  uint32_t hand_ = 0;
  bool live_ = false;  // some line has been used since the last reset
  uint64_t clock_ = 0;
  bool on_ = true;
};

}  // namespace ftlsim
