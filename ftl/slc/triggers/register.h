// The entries of slc.fold.trigger: each is defined in the file of its policy.
#pragma once

#include "ftl/slc/fold_trigger.h"

// One line per policy.
#define FTLSIM_FOLD_TRIGGERS(X) \
  X(idle)                       \
  X(background)                 \
  X(watermarks)                 \
  X(foreground)

namespace ftlsim {

#define FTLSIM_DECLARE(name) void register_fold_trigger_##name(FoldTriggerFamily& family);
FTLSIM_FOLD_TRIGGERS(FTLSIM_DECLARE)
#undef FTLSIM_DECLARE

}  // namespace ftlsim
