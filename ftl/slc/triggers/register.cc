#include "ftl/slc/triggers/register.h"

namespace ftlsim {

const FoldTriggerFamily& fold_triggers() {
  static const FoldTriggerFamily kFamily = [] {
    FoldTriggerFamily family;
#define FTLSIM_REGISTER(name) register_fold_trigger_##name(family);
    FTLSIM_FOLD_TRIGGERS(FTLSIM_REGISTER)
#undef FTLSIM_REGISTER
    return family;
  }();
  return kFamily;
}

}  // namespace ftlsim
