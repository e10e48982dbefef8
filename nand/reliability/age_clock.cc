#include "nand/reliability/age_clock.h"

#include "sim/math.h"

namespace ftlsim {
namespace {

constexpr double kBoltzmann = 8.617333262e-5;  // eV/K, CODATA 2018
constexpr double kZeroCelsius = 273.15;

double kelvin(int64_t millidegrees) {
  return static_cast<double>(millidegrees) / 1000 + kZeroCelsius;
}

}  // namespace

double AgeClock::acceleration(double activation_energy, int64_t millidegrees) {
  const double difference = 1 / kelvin(kReferenceMillidegrees) - 1 / kelvin(millidegrees);
  return exact_exp(activation_energy / kBoltzmann * difference);
}

void AgeClock::set_temperature(Time now, int64_t millidegrees) {
  if (millidegrees == millidegrees_) return;
  base_ = age(now);
  since_ = now;
  millidegrees_ = millidegrees;
  per_ns_ = acceleration(activation_energy_, millidegrees) * 1e-9;
}

void AgeClock::advance_off(Duration span, int64_t millidegrees) {
  base_ +=
      static_cast<double>(span.to_ns()) * 1e-9 * acceleration(activation_energy_, millidegrees);
}

}  // namespace ftlsim
