// Sets keys of a configuration struct from YAML text, as a drive file would.
#pragma once

#include <stdexcept>
#include <string_view>

#include "sim/config.h"
#include "sim/policy.h"

namespace ftlsim::test {

// Keys that the text does not name keep their values.
template <class S>
void set_keys(S& section, std::string_view yaml) {
  Diagnostics diagnostics;
  if (!load_config_text(yaml, "test", {}, section, diagnostics))
    throw std::runtime_error(diagnostics.to_string());
}

// A policy of a family with its parameters: "policy: d_choices\nd_choices: {d: 3}".
template <class Family>
PolicyChoice<Family> policy_from(const Family& family, std::string_view yaml) {
  struct Holder {
    PolicyChoice<Family> choice;
    void visit(FieldVisitor& v) { v.policy({"policy", "which one"}, choice); }
  } holder{PolicyChoice<Family>(family, family.entries().front().name)};
  set_keys(holder, yaml);
  return holder.choice;
}

}  // namespace ftlsim::test
