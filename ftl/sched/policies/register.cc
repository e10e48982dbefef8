// The entries of sched.policy, one line per policy: each is defined in the file of its policy.
#include "ftl/sched/die_policy.h"

namespace ftlsim {

const DiePolicyFamily& die_policies() {
  static const DiePolicyFamily kFamily([](DiePolicyFamily& family) {
    FTLSIM_POLICY(fifo);
    FTLSIM_POLICY(read_first);
    FTLSIM_POLICY(read_first_suspend);
    FTLSIM_POLICY(weighted);
  });
  return kFamily;
}

}  // namespace ftlsim
