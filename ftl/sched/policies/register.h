// The entries of sched.policy: each is defined in the file of its policy.
#pragma once

#include "ftl/sched/die_policy.h"

// One line per policy.
#define FTLSIM_DIE_POLICIES(X) \
  X(fifo)                      \
  X(read_first)                \
  X(read_first_suspend)        \
  X(weighted)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_die_##name(DiePolicyFamily& family);
FTLSIM_DIE_POLICIES(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
