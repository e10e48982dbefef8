// Finds sequential streams among host writes.
//
// A command belongs to a stream if it begins near where the stream ended: several commands of a
// stream are in flight at once and may arrive a little out of order. A command that fits no stream
// begins one in place of the stream that was quiet for longest.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ids.h"

namespace ftlsim {

class StreamDetector {
 public:
  explicit StreamDetector(uint32_t streams) : streams_(streams) {}

  // Notes a write. Returns the units that its stream had before it: 0 for a command that begins
  // one.
  uint64_t observe(Lpn lpn, uint32_t units) {
    const uint64_t first = lpn.value();
    const uint64_t slack = uint64_t{kReorder} * units;
    Stream* quiet = &streams_.front();
    for (Stream& s : streams_) {
      if (s.run != 0 && first <= s.next + slack && first + slack >= s.next) {
        const uint64_t run = s.run;
        s.run += units;
        if (first + units > s.next) s.next = first + units;
        s.used = ++clock_;
        return run;
      }
      if (s.used < quiet->used) quiet = &s;
    }
    *quiet = {first + units, units, ++clock_};
    return 0;
  }
  void reset() { streams_.assign(streams_.size(), Stream{}); }

 private:
  static constexpr uint32_t kReorder = 4;  // commands
  struct Stream {
    uint64_t next = 0;  // unit that follows its furthest command
    uint64_t run = 0;   // units seen, 0: none
    uint64_t used = 0;
  };
  std::vector<Stream> streams_;
  uint64_t clock_ = 0;
};

}  // namespace ftlsim
