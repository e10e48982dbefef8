// The entries of slc.mode, one line per policy: each is defined in the file of its policy.
#include "ftl/slc/size_policy.h"

namespace ftlsim {

const SlcSizeFamily& slc_sizes() {
  static const SlcSizeFamily kFamily([](SlcSizeFamily& family) {
    FTLSIM_POLICY(none);
    FTLSIM_POLICY(static_size);
    FTLSIM_POLICY(dynamic);
    FTLSIM_POLICY(hybrid);
    FTLSIM_POLICY(full_drive);
    FTLSIM_POLICY(adaptive);
  });
  return kFamily;
}

}  // namespace ftlsim
