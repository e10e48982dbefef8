// The decoding engines of the controller: who waits for which, without an event of its own.
//
// An engine serves the channels whose number is congruent to its own, in the order in which their
// transfers end. A codeword is decoded as soon as it has crossed the bus and the engine is free.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/ids.h"
#include "sim/units.h"

namespace ftlsim {

class Decoders {
 public:
  explicit Decoders(uint32_t engines) : free_(engines) {}

  // The end of decoding of `codewords` >= 1 that took `total` altogether and `last` for the last
  // one, when their transfer ends now and each of them needs `per_codeword` on the bus.
  Time reserve(ChannelId channel, Time now, uint32_t codewords, Duration total, Duration last,
               Duration per_codeword) {
    Time& free = free_[channel.value() % free_.size()];
    const Time first = now - per_codeword * (codewords - 1);
    free = max(now + last, max(free, first) + total);
    busy_ns_ += total.to_ns();
    return free;
  }
  int64_t busy_ns() const { return busy_ns_; }
  uint32_t engines() const { return static_cast<uint32_t>(free_.size()); }

 private:
  std::vector<Time> free_;  // when each engine is free
  int64_t busy_ns_ = 0;
};

}  // namespace ftlsim
