// The entries of slc.route: each is defined in the file of its policy.
#pragma once

#include "ftl/slc/route_policy.h"

// One line per policy.
#define FTLSIM_SLC_ROUTES(X) \
  X(all)                     \
  X(small)                   \
  X(random)                  \
  X(hot)                     \
  X(sequential_bypass)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_slc_route_##name(SlcRouteFamily& family);
FTLSIM_SLC_ROUTES(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
