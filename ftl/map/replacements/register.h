// The entries of map.cache: each is defined in the file of its policy.
#pragma once

#include "ftl/map/replacement.h"

// One line per policy.
#define FTLSIM_MAP_CACHES(X) \
  X(none)                    \
  X(lru)                     \
  X(clock)                   \
  X(slru)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_map_##name(ReplacementFamily& family);
FTLSIM_MAP_CACHES(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
