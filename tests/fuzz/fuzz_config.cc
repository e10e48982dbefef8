// Fuzz target: configuration text. Any bytes give diagnostics or a configuration whose echo loads
// back to the same echo; nothing may crash or throw.
//
// Lines that begin with "set " are overrides, the rest is the document.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/assert.h"
#include "sim/config.h"

namespace ftlsim {
namespace {

enum class Colour { kRed, kGreen };
constexpr Choice<Colour> kColours[] = {{"red", Colour::kRed, ""}, {"green", Colour::kGreen, ""}};

struct Inner {
  uint32_t n = 1;
  std::string s;
  void visit(FieldVisitor& v) {
    v.field({"n", "small integer", true}, n, 0, 100);
    v.field({"s", "text"}, s);
  }
};

struct Step;
struct Loop {
  std::vector<Step> steps;
  void visit(FieldVisitor& v);
};
struct Step {
  std::variant<Inner, Loop> action;
  void visit(FieldVisitor& v) {
    static constexpr Field kActions[] = {{"inner", "values"}, {"loop", "steps"}};
    v.one_of(kActions, action);
  }
};
void Loop::visit(FieldVisitor& v) { v.list({"steps", "steps"}, steps, 0, 100); }

// One key of every kind.
struct Everything {
  bool b = false;
  uint64_t u = 0;
  double r = 0;
  double x = 0;
  Duration t;
  Bytes z;
  uint64_t v = 1;
  std::string s;
  Colour c = Colour::kRed;
  Inner inner;
  std::vector<Inner> list;
  std::vector<Step> steps;
  void visit(FieldVisitor& w) {
    w.field({"b", ""}, b);
    w.field({"u", ""}, u, 0, UINT64_MAX);
    w.ratio({"r", ""}, r, -1e300, 1e300);
    w.number({"x", ""}, x, -1e300, 1e300);
    w.field({"t", ""}, t, Duration(), Duration::ns(INT64_MAX));
    w.field({"z", ""}, z, Bytes(0), Bytes(UINT64_MAX));
    w.rate({"v", ""}, v, 0, UINT64_MAX);
    w.field({"s", ""}, s);
    w.choice({"c", ""}, c, kColours);
    w.section({"inner", ""}, inner);
    w.list({"list", ""}, list, 0, 100);
    w.list({"steps", ""}, steps, 0, 100);
  }
};

void split(std::string_view input, std::string& text, std::vector<std::string>& overrides) {
  while (!input.empty()) {
    const size_t end = std::min(input.find('\n'), input.size() - 1) + 1;
    const std::string_view line = input.substr(0, end);
    if (line.starts_with("set ")) {
      overrides.emplace_back(line.substr(4));
    } else {
      text += line;
    }
    input.remove_prefix(end);
  }
}

void check(std::string_view input) {
  std::string text;
  std::vector<std::string> overrides;
  split(input, text, overrides);
  Everything config;
  Diagnostics diagnostics;
  if (!load_config_text(text, "fuzz", overrides, config, diagnostics)) {
    SIM_ASSERT(diagnostics.has_errors(), "refused without a reason");
    return;
  }
  SIM_ASSERT(!diagnostics.has_errors(), "accepted with errors");
  const std::string echo = echo_config(config);
  Everything again;
  Diagnostics none;
  const bool ok = load_config_text(echo, "echo", {}, again, none);
  SIM_ASSERT(ok, "the echo does not load: {}\n{}", none.to_string(), echo);
  const std::string second = echo_config(again);
  SIM_ASSERT(second == echo, "the echo changed from\n{}\nto\n{}", echo, second);
}

}  // namespace
}  // namespace ftlsim

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ftlsim::check(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
