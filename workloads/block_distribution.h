// Where random requests go when not every block is equally likely: fio's random_distribution.
//
// zipf, pareto and normal draw a rank and scatter the ranks over the region by a hash, as fio does:
// hot blocks are not neighbours, and some blocks share a rank or have none. Zones keep their place.
// Drawing allocates nothing, and the same random numbers give the same blocks on every machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/rng.h"
#include "sim/units.h"

namespace ftlsim {

enum class Spread : uint8_t { kUniform, kZipf, kPareto, kNormal, kZoned };

// One zone of a zoned distribution: this share of the accesses goes to the next `size`.
struct AccessZone {
  uint32_t access_percent = 0;
  Bytes size;                 // zoned_abs
  uint32_t size_percent = 0;  // zoned, if size is 0
};

struct DistributionSpec {
  Spread spread = Spread::kUniform;
  // zipf: theta > 0, not 1; pareto: h in (0, 1); normal: deviation in percent of the region
  double parameter = 0;
  std::optional<double> centre;  // where rank 0 lies, as a part of the region; else drawn
  // Ranks are places: neighbours have neighbouring ranks. The middle of a normal distribution lies
  // at the centre, which is that of the region if there is none.
  bool in_order = false;
  // Of reads, writes and trims; in order. The access shares of each sum to 100.
  std::array<std::vector<AccessZone>, 3> zones;
};

class BlockDistribution {
 public:
  BlockDistribution() = default;
  // For a region of `blocks` >= 1 blocks of `block` bytes and the zones of `direction` (0 to 2).
  // `spec` must outlive the distribution. `rng` places the centre if the spec does not.
  BlockDistribution(const DistributionSpec& spec, size_t direction, uint64_t blocks, Bytes block,
                    Rng& rng);

  // A block below `blocks`.
  uint64_t draw(Rng& rng) const {
    switch (spec_->spread) {
      case Spread::kZipf:
        return scattered(zipf_rank(rng));
      case Spread::kPareto:
        return scattered(pareto_rank(rng));
      case Spread::kNormal:
        return scattered(normal_rank(rng));
      case Spread::kZoned:
        return zoned_block(rng);
      case Spread::kUniform:
        break;
    }
    return rng.below(blocks_);
  }

 private:
  uint64_t scattered(uint64_t rank) const {
    return ((spec_->in_order ? rank : mix64(rank)) + centre_) % blocks_;
  }
  uint64_t zipf_rank(Rng& rng) const;
  uint64_t pareto_rank(Rng& rng) const;
  uint64_t normal_rank(Rng& rng) const;
  uint64_t zoned_block(Rng& rng) const;

  const DistributionSpec* spec_ = nullptr;
  size_t direction_ = 0;
  uint64_t blocks_ = 1;
  uint64_t block_bytes_ = 1;
  uint64_t centre_ = 0;
  // zipf
  double zeta_ = 0;    // sum of rank^-theta
  double second_ = 0;  // 1 + 2^-theta: up to here rank 1
  double eta_ = 0;     // scale of the tail's inverse
  double alpha_ = 0;   // 1 / (1 - theta)
  double pareto_power_ = 0;
  uint64_t deviation_ = 0;  // normal: in blocks
};

// The sum of i^-theta for i = 1..n, theta > 0 and not 1; exact to 1e-10.
double zeta_sum(uint64_t n, double theta);

}  // namespace ftlsim
