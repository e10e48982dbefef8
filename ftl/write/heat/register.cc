// The entries of write.heat, one line per policy: each is defined in the file of its policy.
#include "ftl/write/heat_policy.h"

namespace ftlsim {

const HeatFamily& heat_policies() {
  static const HeatFamily kFamily([](HeatFamily& family) {
    FTLSIM_POLICY(none);
    FTLSIM_POLICY(two_level);
    FTLSIM_POLICY(multi_level);
  });
  return kFamily;
}

}  // namespace ftlsim
