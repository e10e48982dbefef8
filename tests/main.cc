// The entry point of every doctest binary. A failed SIM_ASSERT throws std::logic_error here instead
// of ending the process, so that a test can expect it.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "sim/assert.h"

int main(int argc, char** argv) {
  ftlsim::set_assert_handler(
      [](std::string_view message) { throw std::logic_error(std::string(message)); });
  return doctest::Context(argc, argv).run();
}
