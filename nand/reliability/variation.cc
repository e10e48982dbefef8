#include "nand/reliability/variation.h"

#include <algorithm>

#include "sim/math.h"

namespace ftlsim {

NormalTable::NormalTable() {
  // Bucket k holds the numbers from its lower edge on; the edges are those of 32-bit numbers v with
  // probability v / 2^32, the first one half a step above 0.
  constexpr uint32_t kBuckets = ((31 - kSubBits - 1) << kSubBits) + 2 * kSub;
  for (uint32_t k = 0; k <= kBuckets; ++k) {
    uint64_t v = k;
    if (k >= kSub) {
      const uint32_t shift = (k >> kSubBits) - 1;
      v = (uint64_t{kSub} + (k & (kSub - 1))) << shift;
    }
    const double p = (k == 0 ? 0.5 : static_cast<double>(v)) * 0x1.0p-32;
    edges_.push_back(p >= 0.5 ? 0 : normal_quantile(p));
  }
}

Variation::Variation(const ReliabilityConfig& config, const Layout& layout, uint64_t seed)
    : seed_(mix64(seed ^ hash_name("nand/reliability/word_line"))),
      block_seed_(mix64(seed ^ hash_name("nand/reliability/block"))),
      weak_seed_(mix64(seed ^ hash_name("nand/reliability/weak"))),
      block_sigma_(config.variation.block_sigma),
      sigma_(config.variation.word_line_sigma),
      weak_below_(static_cast<uint64_t>(config.weak.share * 0x1.0p32)),
      weak_rows_(config.weak.rows) {
  const auto& classes = config.variation.layers;
  double most = 0;
  for (uint32_t row = 0; !classes.empty() && row < layout.rows(); ++row) {
    const uint32_t layer = row / layout.geometry().strings;
    const size_t i = size_t{layer} * classes.size() / layout.geometry().word_lines;
    layers_.push_back(exact_log(classes[i].factor));
    most = std::max(most, layers_.back());
  }
  reach_ = table_.reach() * sigma_ - sigma_ * sigma_ / 2 + most;
}

double Variation::block(SuperblockId sb, DieId die) const {
  const uint64_t h = mix64(block_seed_ ^ (uint64_t{sb.value()} << 16 ^ die.value()));
  return table_.at(static_cast<uint32_t>(h >> 32)) * block_sigma_ - block_sigma_ * block_sigma_ / 2;
}

double Variation::spread(SuperblockId sb, DieId die, uint64_t salt) const {
  const uint64_t h = mix64(block_seed_ ^ mix64(salt) ^ (uint64_t{sb.value()} << 16 ^ die.value()));
  return static_cast<double>(h >> 11) * 0x1.0p-53;
}

}  // namespace ftlsim
