// A number may be sectors or pages as well as bytes.
#include "sim/units.h"

namespace ftlsim {

Bytes three() {
  Bytes b = 3;  // must not compile
  return b;
}

}  // namespace ftlsim
