// The entries of write.heat: each is defined in the file of its policy.
#pragma once

#include "ftl/write/heat_policy.h"

// One line per policy.
#define FTLSIM_HEAT_POLICIES(X) \
  X(none)                       \
  X(two_level)                  \
  X(multi_level)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_heat_##name(HeatFamily& family);
FTLSIM_HEAT_POLICIES(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
