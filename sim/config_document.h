// From a file and overrides to one document: reading, `extends`, merging, --set.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "sim/config_node.h"
#include "sim/diagnostics.h"

namespace ftlsim {

// The key at the top of a file that names its base file.
inline constexpr std::string_view kExtendsKey = "extends";

// Where overrides come from, as the file of their places.
inline constexpr const char* kCommandLine = "<cmdline>";

// Reads the file and its chain of bases into one mapping. Nothing if the file itself cannot be
// read. Every problem is reported; after one, keys may be missing from the document.
std::optional<ConfigNode> read_document(const std::filesystem::path& path,
                                        Diagnostics& diagnostics);

// Puts "a.b.c=value" into the document; a section that is missing on the way is made.
void apply_override(ConfigNode& root, const std::string& text, Diagnostics& diagnostics);

}  // namespace ftlsim
