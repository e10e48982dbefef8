// The clock by which charge is lost: one per drive, weighted by temperature.
//
// It counts seconds at the reference temperature of 25 degrees Celsius:
//   AF(T) = exp((Ea / k) (1 / Tref - 1 / T)),  age(t) = integral of AF(T(s)) ds
// (Arrhenius; JESD22-A117 and JESD218 with Ea = 1.1 eV). It is moved only when the temperature
// changes, so reading it is one multiplication. Time without power counts too.
#pragma once

#include <cstdint>

#include "sim/units.h"

namespace ftlsim {

inline constexpr int64_t kReferenceMillidegrees = 25'000;

class AgeClock {
 public:
  // Activation energy in eV; the temperature is 25 degrees until it is set.
  explicit AgeClock(double activation_energy) : activation_energy_(activation_energy) {}

  // The temperature of the cells from `now` on, in thousandths of a degree Celsius. Times rise.
  void set_temperature(Time now, int64_t millidegrees);
  // Adds a span that simulated time does not have, at a temperature of its own.
  void advance_off(Duration span, int64_t millidegrees);

  // Seconds at the reference temperature since the start of the simulation.
  double age(Time now) const {
    return base_ + static_cast<double>((now - since_).to_ns()) * per_ns_;
  }
  int64_t millidegrees() const { return millidegrees_; }

  // How much faster charge is lost at a temperature than at 25 degrees.
  static double acceleration(double activation_energy, int64_t millidegrees);

 private:
  double activation_energy_;
  double base_ = 0;       // age at since_
  double per_ns_ = 1e-9;  // seconds of age per nanosecond
  Time since_;
  int64_t millidegrees_ = kReferenceMillidegrees;
};

}  // namespace ftlsim
