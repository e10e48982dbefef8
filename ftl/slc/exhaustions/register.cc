// The entries of slc.at_exhaustion, one line per policy: each is defined in its own file.
#include "ftl/slc/exhaustion_policy.h"

namespace ftlsim {

const ExhaustionFamily& slc_exhaustions() {
  static const ExhaustionFamily kFamily([](ExhaustionFamily& family) {
    FTLSIM_POLICY(direct);
    FTLSIM_POLICY(fold_through);
    FTLSIM_POLICY(mix);
  });
  return kFamily;
}

}  // namespace ftlsim
