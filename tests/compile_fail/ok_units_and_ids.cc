// The positive control: the permitted counterpart of each snippet in this folder.
#include "sim/ids.h"
#include "sim/units.h"

namespace ftlsim {

Time later(Time a, Duration b) { return a + b; }
Duration five() { return Duration::us(5); }
Bytes three() { return Bytes{3}; }
Ppn same_number(Lpn lpn) { return Ppn{lpn.value()}; }
bool same() { return Lpn{1} == Lpn{1}; }

}  // namespace ftlsim
