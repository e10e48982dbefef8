// The entries of the victim families, one line per policy: each is defined in the file of its
// policy.
#include "ftl/gc/victim_policy.h"

namespace ftlsim {

const VictimFamily& gc_victims() {
  static const VictimFamily kFamily([](VictimFamily& family) {
    FTLSIM_POLICY(greedy);
    FTLSIM_POLICY(fifo);
    FTLSIM_POLICY(cost_benefit);
    FTLSIM_POLICY(d_choices);
    FTLSIM_POLICY(windowed_greedy);
  });
  return kFamily;
}

const VictimFamily& fold_victims() {
  static const VictimFamily kFamily([](VictimFamily& family) {
    FTLSIM_POLICY(fifo);
    FTLSIM_POLICY(greedy);
    FTLSIM_POLICY(oldest_data);
    FTLSIM_POLICY(coldest);
  });
  return kFamily;
}

}  // namespace ftlsim
