#include "ftl/sched/policies/register.h"

namespace ftlsim {

const DiePolicyFamily& die_policies() {
  static const DiePolicyFamily kFamily = [] {
    DiePolicyFamily family;
#define FTLSIM_REGISTER(name) register_die_##name(family);
    FTLSIM_DIE_POLICIES(FTLSIM_REGISTER)
#undef FTLSIM_REGISTER
    return family;
  }();
  return kFamily;
}

}  // namespace ftlsim
