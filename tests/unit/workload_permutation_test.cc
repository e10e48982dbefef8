// The random order of blocks: a bijection for every length, different with every key, and without
// visible structure.
#include <doctest/doctest.h>

#include <vector>

#include "workloads/block_permutation.h"

namespace ftlsim {
namespace {

bool is_bijection(const BlockPermutation& order) {
  std::vector<bool> seen(order.blocks());
  for (uint64_t i = 0; i < order.blocks(); ++i) {
    const uint64_t block = order.at(i);
    if (block >= order.blocks() || seen[block]) return false;
    seen[block] = true;
  }
  return true;
}

TEST_CASE("every length up to 600 and some larger ones are permuted") {
  Rng rng(3, "permutation");
  BlockPermutation order;
  for (uint64_t n = 1; n <= 600; ++n) {
    order.reset(n, rng);
    CHECK(is_bijection(order));
  }
  for (const uint64_t n : {65'535ull, 65'536ull, 65'537ull, 1'000'003ull}) {
    order.reset(n, rng);
    CHECK(is_bijection(order));
  }
}

TEST_CASE("a whole drive stays in range") {
  Rng rng(4, "permutation");
  BlockPermutation order;
  const uint64_t blocks = 15'628'053'168;  // 8 TB in 512 B blocks
  order.reset(blocks, rng);
  for (uint64_t i = 0; i < 100'000; ++i) CHECK_UNARY(order.at(i) < blocks);
}

TEST_CASE("any window of the order is spread evenly over the region") {
  Rng rng(5, "permutation");
  BlockPermutation order;
  const uint64_t blocks = 244'190'646;
  for (int round = 0; round < 8; ++round) {
    order.reset(blocks, rng);
    constexpr uint64_t kCells = 64;
    constexpr uint64_t kDraws = 64'000;
    std::vector<uint64_t> cells(kCells);
    uint64_t ascents = 0;
    uint64_t last = 0;
    for (uint64_t i = 0; i < kDraws; ++i) {
      const uint64_t block = order.at(1'000'000 + i);
      ++cells[block * kCells / blocks];
      ascents += block > last ? 1 : 0;
      last = block;
    }
    double chi2 = 0;
    for (const uint64_t count : cells) {
      const double off = static_cast<double>(count) - 1000.0;
      chi2 += off * off / 1000.0;
    }
    CHECK(chi2 < 125);  // 63 degrees of freedom: p < 1e-5
    CHECK(ascents > kDraws / 2 - 700);
    CHECK(ascents < kDraws / 2 + 700);
  }
}

TEST_CASE("small regions: every order of 4 blocks turns up") {
  Rng rng(6, "permutation");
  BlockPermutation order;
  std::vector<int> counts(256);
  for (int round = 0; round < 2400; ++round) {
    order.reset(4, rng);
    size_t code = 0;
    for (uint64_t i = 0; i < 4; ++i) code = code * 4 + order.at(i);
    ++counts[code];
  }
  int kinds = 0;
  for (const int n : counts) kinds += n > 0 ? 1 : 0;
  CHECK(kinds == 24);
}

}  // namespace
}  // namespace ftlsim
