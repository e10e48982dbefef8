#include "sim/assert.h"

#include <cstdio>
#include <cstdlib>

namespace ftlsim {
namespace {

// The only process-wide state: where a failed check reports. It never influences a simulation.
AssertHandler g_handler = nullptr;
const AssertContext* g_context = nullptr;

}  // namespace

AssertHandler set_assert_handler(AssertHandler handler) {
  AssertHandler former = g_handler;
  g_handler = handler;
  return former;
}

void set_assert_context(const AssertContext* context) { g_context = context; }

const AssertContext* assert_context() { return g_context; }

void assert_failed(const char* file, int line, const char* condition, std::string message) {
  std::string text = fmt::format("{}:{}: check failed: {}: {}", file, line, condition, message);
  if (g_context != nullptr) text += fmt::format(" [{}]", g_context->describe());
  if (g_handler != nullptr) g_handler(text);
  std::fputs((text + "\n").c_str(), stderr);
  std::abort();
}

}  // namespace ftlsim
