// A number is not a duration: its unit is missing.
#include "sim/units.h"

namespace ftlsim {

Duration five() {
  Duration d = 5;  // must not compile
  return d;
}

}  // namespace ftlsim
