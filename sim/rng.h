// Random streams: xoshiro256++ seeded by splitmix64, one stream per *named* consumer.
//
// A stream depends on the run's seed and its own name alone, never on creation order, so adding a
// consumer moves no other. Algorithms: Blackman and Vigna, "Scrambled Linear Pseudorandom Number
// Generators" (2019); bounded integers by multiply-shift (Lemire 2019, without the rejection step:
// the bias is below 2^-32 for the bounds used here).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ftlsim {

// One round of splitmix64; also a good 64-bit mixer.
constexpr uint64_t mix64(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// FNV-1a over the name: stable across compilers and runs.
constexpr uint64_t hash_name(std::string_view name) {
  uint64_t h = 0xcbf29ce484222325u;
  for (char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

class Rng {
 public:
  Rng(uint64_t seed, std::string_view stream_name) {
    uint64_t x = mix64(seed) ^ hash_name(stream_name);
    for (uint64_t& word : state_) {
      x += 0x9e3779b97f4a7c15u;
      word = mix64(x);
    }
  }

  uint64_t next() {
    const uint64_t result = rotl(state_[0] + state_[3], 23) + state_[0];
    const uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound); bound >= 1.
  uint64_t below(uint64_t bound) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
  }
  // True with probability numerator / denominator.
  bool chance(uint64_t numerator, uint64_t denominator) { return below(denominator) < numerator; }
  // Uniform in [0, 1) with 53 random bits.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static constexpr uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::array<uint64_t, 4> state_{};
};

}  // namespace ftlsim
