// Which read levels each sense of a read uses, and when it gives up.
//
// Sense 0 is the normal one. Hard retries follow, then one soft decoding, then the data are lost.
//   table_walk   sense 0 at the factory levels, sense j at entry j of the table
//   cached       sense 0 at the levels that worked last in the block, sense 1 at the best levels,
//                which the block then keeps
//   age_indexed  sense 0 at the best levels for the age of the block
// An entry of the table is tuned for one age: how well it fits follows from the model.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/reliability/config.h"
#include "nand/reliability/rber.h"

namespace ftlsim {

enum class ReadStep : uint8_t {
  kFirst,
  kTable,   // an entry of the table
  kSearch,  // the best levels, found for this read
  kSoft,
  kNone,  // no further sense
};

class RetryLadder {
 public:
  RetryLadder(const RetryConfig& config, const RberModel& rber);

  ReadStep step(uint32_t sense) const {
    if (sense == 0) return ReadStep::kFirst;
    if (sense <= hard_retries_)
      return policy_ == RetryPolicy::kTableWalk ? ReadStep::kTable : ReadStep::kSearch;
    return soft_ && sense == hard_retries_ + 1 ? ReadStep::kSoft : ReadStep::kNone;
  }

  // Weight of the factory fit at a sense (see RberModel::weight) of data at x; `x_block` is the x
  // that the block has learned.
  double weight(uint32_t sense, double x, double x_block) const {
    if (policy_ == RetryPolicy::kAgeIndexed || sense > hard_retries_) return 0;
    if (policy_ == RetryPolicy::kCached) return sense == 0 ? RberModel::weight(x, x_block) : 0;
    return sense == 0 ? 1 : RberModel::weight(x, table_[sense - 1]);
  }

  bool learns() const { return policy_ == RetryPolicy::kCached; }
  uint32_t hard_retries() const { return hard_retries_; }
  const SoftConfig& soft() const { return soft_config_; }
  double log_gain() const { return log_gain_; }
  Duration set_levels() const { return set_levels_; }

 private:
  RetryPolicy policy_;
  uint32_t hard_retries_;
  bool soft_;
  SoftConfig soft_config_;
  double log_gain_;
  Duration set_levels_;
  std::vector<double> table_;  // x of each entry
};

}  // namespace ftlsim
