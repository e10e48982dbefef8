// The lines of a fio job file: sections and options with their places, nothing interpreted yet.
//
// As fio 3.33 reads them, quirks included: comments from ';' or '#' to the end of the line, also
// after a value; a key without value; `${NAME}` from the environment; `include FILE`. "key =
// value", which fio itself refuses, is accepted with a warning.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/diagnostics.h"

namespace ftlsim {

struct FioOption {
  std::string key;
  std::optional<std::string> value;  // none: the key stands alone
  Origin origin;                     // of the key
};

struct FioSection {
  std::string name;
  Origin origin;
  std::vector<FioOption> options;

  // Global sections set defaults for the jobs below them. Any name that starts so is one.
  bool global() const { return name.starts_with("global"); }
};

// Splits `text` into sections; `file` names it in messages. `folder` is where included files are
// looked up; without one, `include` is refused. Errors are reported; what could be read is
// returned.
std::vector<FioSection> read_fio_sections(std::string_view text, const std::string& file,
                                          const std::optional<std::filesystem::path>& folder,
                                          Diagnostics& diagnostics);

}  // namespace ftlsim
