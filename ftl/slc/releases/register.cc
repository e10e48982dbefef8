// The entries of slc.release, one line per policy: each is defined in its own file.
#include "ftl/slc/release_policy.h"

namespace ftlsim {

const SlcReleaseFamily& slc_releases() {
  static const SlcReleaseFamily kFamily([](SlcReleaseFamily& family) {
    FTLSIM_POLICY(lazy);
    FTLSIM_POLICY(dead);
    FTLSIM_POLICY(nearly_dead);
  });
  return kFamily;
}

}  // namespace ftlsim
