// A logical address is not a physical one.
#include "sim/ids.h"

namespace ftlsim {

Ppn convert() {
  Ppn p = Lpn{3};  // must not compile
  return p;
}

}  // namespace ftlsim
