// The PCI Express link: full duplex, one transfer after the other in each direction.
#pragma once

#include <cstdint>

#include "ftl/config.h"
#include "sim/units.h"

namespace ftlsim {

class Link {
 public:
  explicit Link(const LinkConfig& config) : ps_per_slot_(config.ps_per_slot()) {}

  // Reserves the direction from `earliest` on for `slots` units of 4 KiB; returns the end.
  Time to_device(Time earliest, uint32_t slots) { return reserve(down_, earliest, slots); }
  Time to_host(Time earliest, uint32_t slots) { return reserve(up_, earliest, slots); }

  Duration transfer_time(uint32_t slots) const { return Duration::ceil_ps(ps_per_slot_ * slots); }
  int64_t down_busy_ns() const { return down_.busy_ns; }
  int64_t up_busy_ns() const { return up_.busy_ns; }
  // Units of 4 KiB moved in both directions.
  uint64_t slots() const { return slots_; }

 private:
  struct Direction {
    Time free;
    int64_t busy_ns = 0;
  };
  Time reserve(Direction& d, Time earliest, uint32_t slots) {
    const Duration t = transfer_time(slots);
    d.free = max(d.free, earliest) + t;
    d.busy_ns += t.to_ns();
    slots_ += slots;
    return d.free;
  }

  uint64_t ps_per_slot_;
  Direction down_;
  Direction up_;
  uint64_t slots_ = 0;
};

}  // namespace ftlsim
