// Files that somebody wrote by hand: their content, and lines without blanks around them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/diagnostics.h"

namespace ftlsim {

// The content of a job file, or nothing and an error at `blame`: unreadable, or larger than 1 MiB.
std::optional<std::string> read_text_file(const std::filesystem::path& path, const Origin& blame,
                                          Diagnostics& diagnostics);

// Without blanks (also tabs and carriage returns) at either end.
std::string_view trimmed(std::string_view text);

}  // namespace ftlsim
