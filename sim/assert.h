// SIM_ASSERT: the check for programmer errors. It stays on in release builds.
//
// A failed check calls the installed handler, which must not return. The default handler prints the
// message with its place and aborts; the test runner installs one that throws. User input is never
// checked with it (see sim/diagnostics.h), and simulated failures are ordinary values.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace ftlsim {

// Receives the finished message. Must throw or end the process.
using AssertHandler = void (*)(std::string_view message);

// Installs a handler and returns the former one. nullptr restores the default.
AssertHandler set_assert_handler(AssertHandler handler);

// Adds facts of the running simulation (time, event number, seed) to every later message.
// The pointer must stay valid until it is replaced; nullptr removes it.
class AssertContext {
 public:
  virtual ~AssertContext() = default;
  virtual std::string describe() const = 0;
};
void set_assert_context(const AssertContext* context);
const AssertContext* assert_context();

[[noreturn]] void assert_failed(const char* file, int line, const char* condition,
                                std::string message);

}  // namespace ftlsim

#define SIM_ASSERT(cond, ...)                                                       \
  do {                                                                              \
    if (!(cond)) [[unlikely]]                                                       \
      ::ftlsim::assert_failed(__FILE__, __LINE__, #cond, fmt::format(__VA_ARGS__)); \
  } while (false)
