// The entries of the victim families: each is defined in the file of its policy.
#pragma once

#include "ftl/gc/victim_policy.h"

// One line per policy that collects (gc.victim), folds (slc.fold.victim), or does both.
#define FTLSIM_GC_VICTIMS(X) \
  X(greedy)                  \
  X(fifo)                    \
  X(cost_benefit)            \
  X(d_choices)               \
  X(windowed_greedy)
#define FTLSIM_FOLD_VICTIMS(X) \
  X(fifo)                      \
  X(greedy)                    \
  X(oldest_data)               \
  X(coldest)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_##name(VictimFamily& family);
FTLSIM_GC_VICTIMS(FTLSIM_DECLARE)
FTLSIM_FOLD_VICTIMS(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
