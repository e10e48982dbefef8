#include "ftl/gc/victims/register.h"

namespace ftlsim {

#define FTLSIM_REGISTER(name) register_##name(family);

const VictimFamily& gc_victims() {
  static const VictimFamily kFamily = [] {
    VictimFamily family;
    FTLSIM_GC_VICTIMS(FTLSIM_REGISTER)
    return family;
  }();
  return kFamily;
}

const VictimFamily& fold_victims() {
  static const VictimFamily kFamily = [] {
    VictimFamily family;
    FTLSIM_FOLD_VICTIMS(FTLSIM_REGISTER)
    return family;
  }();
  return kFamily;
}

#undef FTLSIM_REGISTER

}  // namespace ftlsim
