// The entries of slc.fold.trigger, one line per policy: each is defined in the file of its policy.
#include "ftl/slc/fold_trigger.h"

namespace ftlsim {

const FoldTriggerFamily& fold_triggers() {
  static const FoldTriggerFamily kFamily([](FoldTriggerFamily& family) {
    FTLSIM_POLICY(idle);
    FTLSIM_POLICY(background);
    FTLSIM_POLICY(watermarks);
    FTLSIM_POLICY(foreground);
  });
  return kFamily;
}

}  // namespace ftlsim
