// Time, Duration and Bytes: the quantities that every layer exchanges.
//
// They are distinct types that do not convert. Raw numbers enter and leave only through the named
// factories and accessors, that is at YAML, trace and report edges.
#pragma once

#include <compare>
#include <cstdint>
#include <type_traits>

namespace ftlsim {

// A span of simulated time in signed 64-bit nanoseconds (range: +-292 years).
class Duration {
 public:
  constexpr Duration() = default;
  static constexpr Duration ns(int64_t v) { return Duration(v); }
  static constexpr Duration us(int64_t v) { return Duration(v * 1'000); }
  static constexpr Duration ms(int64_t v) { return Duration(v * 1'000'000); }
  static constexpr Duration s(int64_t v) { return Duration(v * 1'000'000'000); }
  static constexpr Duration max() { return Duration(INT64_MAX / 8); }

  // The smallest whole number of nanoseconds that holds `ps` picoseconds: bus and link times are
  // summed in picoseconds for a whole transfer and rounded up once.
  static constexpr Duration ceil_ps(uint64_t ps) {
    return Duration(static_cast<int64_t>((ps + 999) / 1000));
  }

  constexpr int64_t to_ns() const { return ns_; }
  constexpr auto operator<=>(const Duration&) const = default;
  constexpr Duration operator+(Duration o) const { return Duration(ns_ + o.ns_); }
  constexpr Duration operator-(Duration o) const { return Duration(ns_ - o.ns_); }
  constexpr Duration operator*(int64_t k) const { return Duration(ns_ * k); }
  constexpr Duration operator/(int64_t k) const { return Duration(ns_ / k); }
  constexpr int64_t operator/(Duration o) const { return ns_ / o.ns_; }
  constexpr Duration& operator+=(Duration o) { return ns_ += o.ns_, *this; }
  constexpr Duration& operator-=(Duration o) { return ns_ -= o.ns_, *this; }

 private:
  explicit constexpr Duration(int64_t ns) : ns_(ns) {}
  int64_t ns_ = 0;
};

// A point on the simulated clock; the simulation starts at 0.
class Time {
 public:
  constexpr Time() = default;
  static constexpr Time at_ns(int64_t v) { return Time(v); }
  // Later than any event, but small enough that the event key (time << 2 | phase) cannot overflow.
  static constexpr Time never() { return Time(INT64_MAX / 8); }

  constexpr int64_t to_ns() const { return ns_; }
  constexpr auto operator<=>(const Time&) const = default;
  constexpr Time operator+(Duration d) const { return Time(ns_ + d.to_ns()); }
  constexpr Time operator-(Duration d) const { return Time(ns_ - d.to_ns()); }
  constexpr Duration operator-(Time o) const { return Duration::ns(ns_ - o.ns_); }
  constexpr Time& operator+=(Duration d) { return ns_ += d.to_ns(), *this; }

 private:
  explicit constexpr Time(int64_t ns) : ns_(ns) {}
  int64_t ns_ = 0;
};

constexpr Time max(Time a, Time b) { return a < b ? b : a; }
constexpr Time min(Time a, Time b) { return a < b ? a : b; }

// A number of bytes. Decimal units for drive capacities, binary ones for pages and buffers.
class Bytes {
 public:
  constexpr Bytes() = default;
  explicit constexpr Bytes(uint64_t v) : v_(v) {}
  static constexpr Bytes kib(uint64_t n) { return Bytes(n << 10); }
  static constexpr Bytes mib(uint64_t n) { return Bytes(n << 20); }
  static constexpr Bytes gib(uint64_t n) { return Bytes(n << 30); }
  static constexpr Bytes tib(uint64_t n) { return Bytes(n << 40); }
  static constexpr Bytes mb(uint64_t n) { return Bytes(n * 1'000'000); }
  static constexpr Bytes gb(uint64_t n) { return Bytes(n * 1'000'000'000); }
  static constexpr Bytes tb(uint64_t n) { return Bytes(n * 1'000'000'000'000); }

  constexpr uint64_t count() const { return v_; }
  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes operator+(Bytes o) const { return Bytes(v_ + o.v_); }
  constexpr Bytes operator-(Bytes o) const { return Bytes(v_ - o.v_); }
  constexpr Bytes operator*(uint64_t k) const { return Bytes(v_ * k); }
  constexpr uint64_t operator/(Bytes o) const { return v_ / o.v_; }
  constexpr Bytes operator/(uint64_t k) const { return Bytes(v_ / k); }

 private:
  uint64_t v_ = 0;
};

static_assert(sizeof(Time) == 8 && std::is_trivially_copyable_v<Time>);
static_assert(sizeof(Duration) == 8 && std::is_trivially_copyable_v<Duration>);
static_assert(sizeof(Bytes) == 8 && std::is_trivially_copyable_v<Bytes>);

}  // namespace ftlsim
