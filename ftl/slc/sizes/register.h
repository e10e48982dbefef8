// The entries of slc.mode: each is defined in the file of its policy.
#pragma once

#include "ftl/slc/size_policy.h"

// One line per policy.
#define FTLSIM_SLC_SIZES(X) \
  X(none)                   \
  X(static_size)            \
  X(dynamic)                \
  X(hybrid)                 \
  X(full_drive)             \
  X(adaptive)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_slc_##name(SlcSizeFamily& family);
FTLSIM_SLC_SIZES(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
