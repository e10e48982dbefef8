// The parameters of a vdbench parameter file with their places, nothing interpreted yet.
//
// As vdbench 5.04.06 reads them: parameters are `key=value` or `key=(value,value...)`, separated by
// commas or line ends; lines that begin with '*', '#' or '/' are comments, and so is what stands
// behind the first blank of a line; quotes protect blanks, commas and '='; a line `eof` ends the
// file; `include=FILE` stands alone on its line, and included files include no others.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/diagnostics.h"

namespace ftlsim {

struct VdbParameter {
  std::string key;                  // in lower case
  std::vector<std::string> values;  // without parentheses; empty pieces are left out
  bool list = false;                // in parentheses, where '-' between values is a range
  Origin origin;
};

// Splits `text`; `file` names it in messages. `folder` is where included files are looked up;
// without one, `include` is refused. Errors are reported; what could be read is returned.
std::vector<VdbParameter> read_vdb_parameters(std::string_view text, const std::string& file,
                                              const std::optional<std::filesystem::path>& folder,
                                              Diagnostics& diagnostics);

// Whether the text is a vdbench parameter file: its first line that is no comment begins with a
// definition or general parameter, and it has at least one definition each of `sd`, `wd` and `rd`.
bool looks_like_vdbench(std::string_view head);

}  // namespace ftlsim
