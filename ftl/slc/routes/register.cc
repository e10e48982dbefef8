// The entries of slc.route, one line per policy: each is defined in the file of its policy.
#include "ftl/slc/route_policy.h"

namespace ftlsim {

const SlcRouteFamily& slc_routes() {
  static const SlcRouteFamily kFamily([](SlcRouteFamily& family) {
    FTLSIM_POLICY(all);
    FTLSIM_POLICY(small);
    FTLSIM_POLICY(random);
    FTLSIM_POLICY(hot);
    FTLSIM_POLICY(sequential_bypass);
  });
  return kFamily;
}

}  // namespace ftlsim
