// Reading of tables in text files.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlsim {

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

// Nothing if the file cannot be read.
std::optional<std::string> read_text_file(const std::string& path);

// The cells of one line. A cell may be quoted, with "" for a quote inside (a name with a comma).
std::vector<std::string> split_csv(std::string_view line);

// The whole cell as a finite number, else kNoNumber.
double parse_number(const std::string& cell);

}  // namespace ftlsim
