// Addresses of two spaces cannot be compared.
#include "sim/ids.h"

namespace ftlsim {

bool same() { return Lpn{1} == Ppn{1}; }  // must not compile

}  // namespace ftlsim
