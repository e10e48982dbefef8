#include "ftl/slc/routes/register.h"

namespace ftlsim {

const SlcRouteFamily& slc_routes() {
  static const SlcRouteFamily kFamily = [] {
    SlcRouteFamily family;
#define FTLSIM_REGISTER(name) register_slc_route_##name(family);
    FTLSIM_SLC_ROUTES(FTLSIM_REGISTER)
#undef FTLSIM_REGISTER
    return family;
  }();
  return kFamily;
}

}  // namespace ftlsim
