#include "ftl/slc/keeps/register.h"

namespace ftlsim {

const SlcKeepFamily& slc_keeps() {
  static const SlcKeepFamily kFamily = [] {
    SlcKeepFamily family;
#define FTLSIM_REGISTER(name) register_slc_keep_##name(family);
    FTLSIM_SLC_KEEPS(FTLSIM_REGISTER)
#undef FTLSIM_REGISTER
    return family;
  }();
  return kFamily;
}

}  // namespace ftlsim
