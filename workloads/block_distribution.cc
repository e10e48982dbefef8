// Inverse distribution functions after Gray et al., "Quickly Generating Billion-Record Synthetic
// Databases" (1994), which is what fio uses for zipf; the pareto and normal shapes are fio's too.
#include "workloads/block_distribution.h"

#include <algorithm>

#include "sim/assert.h"
#include "sim/math.h"

namespace ftlsim {
namespace {

// fio sums the zeta function over this many ranks at most, whatever the size of the region: on a
// large drive the head is then too heavy, and much of the drive is never touched. So it is here.
constexpr uint64_t kMostZetaRanks = 10'000'000;
constexpr int kNormalTerms = 12;

}  // namespace

double zeta_sum(uint64_t n, double theta) {
  constexpr uint64_t kExact = 1000;
  double sum = 0;
  for (uint64_t i = 1; i <= std::min(n, kExact); ++i)
    sum += exact_pow(static_cast<double>(i), -theta);
  if (n <= kExact) return sum;
  // The rest by Euler and Maclaurin: the terms kExact + 1 to n.
  const auto a = static_cast<double>(kExact);
  const auto b = static_cast<double>(n);
  const double at_a = exact_pow(a, -theta);
  const double at_b = exact_pow(b, -theta);
  const double integral = (b * at_b - a * at_a) / (1 - theta);
  return sum + integral + (at_b - at_a) / 2 + theta / 12 * (at_a / a - at_b / b);
}

BlockDistribution::BlockDistribution(const DistributionSpec& spec, size_t direction,
                                     uint64_t blocks, Bytes block, Rng& rng)
    : spec_(&spec), direction_(direction), blocks_(blocks), block_bytes_(block.count()) {
  SIM_ASSERT(blocks >= 1, "a distribution over no blocks");
  const auto n = static_cast<double>(blocks);
  if (spec.spread == Spread::kZipf) {
    const double theta = spec.parameter;
    zeta_ = zeta_sum(std::min(blocks, kMostZetaRanks), theta);
    second_ = 1 + exact_pow(0.5, theta);
    alpha_ = 1 / (1 - theta);
    eta_ = (1 - exact_pow(2 / n, 1 - theta)) / (1 - second_ / zeta_);
  } else if (spec.spread == Spread::kPareto) {
    pareto_power_ = exact_log(spec.parameter) / exact_log(1 - spec.parameter);
  } else if (spec.spread == Spread::kNormal) {
    deviation_ = std::min(static_cast<uint64_t>(n * spec.parameter / 100) + 1, blocks / 2);
  }
  if (spec.spread == Spread::kUniform || spec.spread == Spread::kZoned) return;
  if (spec.in_order && spec.spread == Spread::kNormal) {
    centre_ = static_cast<uint64_t>(n * (spec.centre.value_or(0.5) + 0.5)) % blocks;
    return;
  }
  centre_ = spec.centre ? static_cast<uint64_t>(n * *spec.centre) % blocks : rng.below(blocks);
}

uint64_t BlockDistribution::zipf_rank(Rng& rng) const {
  const double u = rng.unit();
  if (u * zeta_ < 1) return 0;
  if (u * zeta_ < second_) return 1;
  const double base = eta_ * u - eta_ + 1;
  if (base <= 0) return blocks_ - 1;
  const double rank = static_cast<double>(blocks_) * exact_pow(base, alpha_);
  return rank >= 9e18 ? blocks_ - 1 : static_cast<uint64_t>(rank);
}

uint64_t BlockDistribution::pareto_rank(Rng& rng) const {
  const double u = rng.unit();
  if (u <= 0) return 0;
  return static_cast<uint64_t>(static_cast<double>(blocks_ - 1) * exact_pow(u, pareto_power_));
}

// The mean of twelve uniform numbers, and one more number as wide as the deviation.
uint64_t BlockDistribution::normal_rank(Rng& rng) const {
  uint64_t sum = 0;
  for (int i = 0; i < kNormalTerms; ++i) sum += rng.below(blocks_);
  const uint64_t mean = (sum + kNormalTerms - 1) / kNormalTerms;
  if (deviation_ == 0) return mean % blocks_;
  const uint64_t high = mean + rng.below(deviation_);
  const uint64_t half = deviation_ / 2;
  return std::min(high < half ? 0 : high - half, blocks_ - 1);
}

uint64_t BlockDistribution::zoned_block(Rng& rng) const {
  uint64_t draw = rng.below(100);
  uint64_t begin = 0;
  for (const AccessZone& zone : spec_->zones[direction_]) {
    __extension__ using Wide = unsigned __int128;
    const auto part = static_cast<uint64_t>(Wide{blocks_} * zone.size_percent / 100);
    const uint64_t size = zone.size != Bytes(0) ? zone.size.count() / block_bytes_ : part;
    if (draw < zone.access_percent && begin < blocks_) {
      const uint64_t length = std::clamp(size, uint64_t{1}, blocks_ - begin);
      return begin + rng.below(length);
    }
    draw -= std::min<uint64_t>(draw, zone.access_percent);
    begin += size;
  }
  return rng.below(blocks_);
}

}  // namespace ftlsim
