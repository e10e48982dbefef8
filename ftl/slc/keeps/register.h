// The entries of slc.keep: each is defined in the file of its policy.
#pragma once

#include "ftl/slc/keep_policy.h"

// One line per policy.
#define FTLSIM_SLC_KEEPS(X) \
  X(nothing)                \
  X(newest)                 \
  X(hot)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_slc_keep_##name(SlcKeepFamily& family);
FTLSIM_SLC_KEEPS(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
