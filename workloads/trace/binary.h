// Integers out of binary records of either byte order.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace ftlsim::binary {

constexpr uint16_t swapped(uint16_t v) { return __builtin_bswap16(v); }
constexpr uint32_t swapped(uint32_t v) { return __builtin_bswap32(v); }
constexpr uint64_t swapped(uint64_t v) { return __builtin_bswap64(v); }

// The T at byte `at` of `bytes`, which must hold it. `swap`: it has the other
// byte order.
template <class T>
T get(std::string_view bytes, size_t at, bool swap = false) {
  T v{};
  std::memcpy(&v, bytes.data() + at, sizeof(T));
  return swap ? swapped(v) : v;
}

}  // namespace ftlsim::binary
