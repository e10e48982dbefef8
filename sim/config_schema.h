// Describing configuration for editors.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/config.h"

namespace ftlsim {

namespace config_detail {
nlohmann::ordered_json schema(Root root, TypeTag type);
}  // namespace config_detail

// JSON Schema (draft 2020-12) of a configuration file of type S, for editors. Defaults are the
// values that `config` holds. "required" is stated for list items only: in a file that extends
// another one, any other key may come from the base.
template <class S>
nlohmann::ordered_json schema_of(S& config) {
  return config_detail::schema(config_detail::root_of(config), &kTypeTag<S>);
}

}  // namespace ftlsim
