#include "ftl/map/replacements/register.h"

namespace ftlsim {

#define FTLSIM_REGISTER(name) register_map_##name(family);

const ReplacementFamily& map_caches() {
  static const ReplacementFamily kFamily = [] {
    ReplacementFamily family;
    FTLSIM_MAP_CACHES(FTLSIM_REGISTER)
    return family;
  }();
  return kFamily;
}

#undef FTLSIM_REGISTER

}  // namespace ftlsim
