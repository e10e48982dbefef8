#include "ftl/write/heat/register.h"

namespace ftlsim {

const HeatFamily& heat_policies() {
  static const HeatFamily kFamily = [] {
    HeatFamily family;
#define FTLSIM_REGISTER(name) register_heat_##name(family);
    FTLSIM_HEAT_POLICIES(FTLSIM_REGISTER)
#undef FTLSIM_REGISTER
    return family;
  }();
  return kFamily;
}

}  // namespace ftlsim
