// A parsed configuration document: scalars, mappings and lists with their places. Scalars stay
// text; their meaning comes from the field table. Keys of a mapping are unique.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/diagnostics.h"

namespace ftlsim {

struct ConfigEntry;

struct ConfigNode {
  enum class Kind : uint8_t {
    kNull,     // nothing written, or ~
    kScalar,   // text
    kMap,      // entries
    kList,     // items
    kInvalid,  // already reported: readers pass over it
  };

  Kind kind = Kind::kNull;
  Origin origin;
  std::string text;
  std::vector<ConfigEntry> entries;
  std::vector<ConfigNode> items;

  // The entry of a mapping with this key, or nullptr.
  const ConfigEntry* find(std::string_view key) const;
  ConfigEntry* find(std::string_view key);
};

struct ConfigEntry {
  std::string key;
  Origin origin;  // of the key
  ConfigNode value;
};

// "a mapping", "a list", ...: for messages.
std::string_view kind_name(ConfigNode::Kind kind);

// Limits on input, checked before and while parsing.
inline constexpr size_t kMaxConfigBytes = size_t{1} << 20;
inline constexpr size_t kMaxConfigDepth = 64;

// Reports the first byte of `text` that cannot stand in a UTF-8 text file. False if there is one.
bool check_text(std::string_view text, const std::string& file, Diagnostics& diagnostics);

// Parses one YAML document; `file` names it in messages. Returns an empty mapping for an empty
// document. Errors are added to `diagnostics`; what was read up to a syntax error is returned
// all the same.
ConfigNode parse_yaml(std::string_view text, const std::string& file, Diagnostics& diagnostics);

}  // namespace ftlsim
