// The entries of map.cache, one line per policy: each is defined in the file of its policy.
#include "ftl/map/replacement.h"

namespace ftlsim {

const ReplacementFamily& map_caches() {
  static const ReplacementFamily kFamily([](ReplacementFamily& family) {
    FTLSIM_POLICY(none);
    FTLSIM_POLICY(lru);
    FTLSIM_POLICY(clock);
    FTLSIM_POLICY(slru);
  });
  return kFamily;
}

}  // namespace ftlsim
