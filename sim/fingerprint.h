// A running 64-bit hash of what happened: equal fingerprints mean equal runs.
//
// It takes host completions and media operations, not kernel wake-ups, so that an optimisation
// which merges events keeps it.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace ftlsim {

class Fingerprint {
 public:
  void add(Time when, uint32_t kind, uint64_t what) {
    uint64_t x = static_cast<uint64_t>(when.to_ns()) * 0x9e3779b97f4a7c15u + what;
    x ^= x >> 32;
    state_ = (state_ ^ x ^ (uint64_t{kind} << 56)) * 0xd6e8feb86659fd93u;
    state_ ^= state_ >> 29;
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0x243f6a8885a308d3u;
};

}  // namespace ftlsim
