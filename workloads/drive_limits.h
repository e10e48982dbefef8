// What a workload must know of the drive before it runs.
#pragma once

#include "sim/units.h"

namespace ftlsim {

struct DriveLimits {
  Bytes capacity;                // user bytes, a multiple of lba_size
  Bytes lba_size = Bytes(512);   // a power of two
  Bytes mdts = Bytes::kib(128);  // largest transfer of one command
};

}  // namespace ftlsim
