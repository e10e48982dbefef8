// The sum of two points in time has no meaning.
#include "sim/units.h"

namespace ftlsim {

Time sum(Time a, Time b) { return a + b; }  // must not compile

}  // namespace ftlsim
