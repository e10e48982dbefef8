// What one page read is expected to do, as closed forms over the models: for reports, for tests,
// and for whoever wants to judge a block without reading it.
//
// Variation between blocks and word lines enters as one lognormal factor of mean 1; classes of
// layers and weak regions do not.
#pragma once

#include <cstdint>
#include <vector>

#include "nand/reliability/config.h"
#include "nand/reliability/ecc.h"
#include "nand/reliability/rber.h"
#include "nand/reliability/retry_ladder.h"

namespace ftlsim {

// Where a page stands: type, wear, age as x, and what its block has learned.
struct PageState {
  CellMode mode = CellMode::kTlc;
  uint32_t page = 0;
  double cycles = 0;
  double x = 0;
  double x_block = 0;
  double disturb = 0;  // RBER
};

class ReadModel {
 public:
  explicit ReadModel(const ReliabilityConfig& config);

  const RberModel& rber() const { return rber_; }
  const Ecc& ecc() const { return ecc_; }
  const RetryLadder& ladder() const { return ladder_; }

  // Mean RBER of a sense.
  double rber_of(const PageState& s, uint32_t sense) const;
  // Probability that the first sense of a page of `codewords` does not decode.
  double first_read_failure(const PageState& s, uint32_t codewords) const;
  // Mean number of retries until a page decodes, soft decoding being one; a lost page counts as
  // having used all.
  double mean_retries(const PageState& s, uint32_t codewords) const;
  // Probability that a page is lost.
  double loss(const PageState& s, uint32_t codewords) const;

 private:
  // ln of the mean RBER of a sense without read disturb.
  double log_mean(const RberModel::LogRber& r, const PageState& s, uint32_t sense) const {
    return RberModel::mix(r, ladder_.weight(sense, s.x, s.x_block));
  }
  // Probability that not all codewords decode at a sense with this ln RBER before read disturb.
  double fails(const PageState& s, uint32_t sense, double log_rber, uint32_t codewords) const;
  // Mean over the variation of f(ln factor).
  template <class F>
  double over_variation(F f) const;

  RberModel rber_;
  Ecc ecc_;
  RetryLadder ladder_;
  double sigma_;
  std::vector<double> factors_;  // ln of the factors that the variation is summed over
  std::vector<double> weights_;
};

}  // namespace ftlsim
