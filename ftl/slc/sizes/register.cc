#include "ftl/slc/sizes/register.h"

namespace ftlsim {

const SlcSizeFamily& slc_sizes() {
  static const SlcSizeFamily kFamily = [] {
    SlcSizeFamily family;
#define FTLSIM_REGISTER(name) register_slc_##name(family);
    FTLSIM_SLC_SIZES(FTLSIM_REGISTER)
#undef FTLSIM_REGISTER
    return family;
  }();
  return kFamily;
}

}  // namespace ftlsim
