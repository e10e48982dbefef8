// Counts calls of the global operator new in the test binaries, so that a test can show that a
// piece of code allocates nothing: read the count before and after it and compare.
#pragma once

#include <cstdint>

namespace ftlsim::test {

// Number of allocations through operator new since the program started, in all its forms.
uint64_t allocation_count();

}  // namespace ftlsim::test
