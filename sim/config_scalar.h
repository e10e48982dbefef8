// Text to value and back, for the scalars of a configuration. Independent of the locale; the whole
// text must match; results are exact or refused, never rounded (reals: correctly rounded).
//
//   integer   0 | [1-9][0-9]*               no sign, no leading zero, no hexadecimal
//   real      [-]digits[.digits][e[+-]digits]
//   ratio     a real, or a percentage "7%"
//   duration  digits[.digits] and ns us ms s min h d, to a whole number of nanoseconds
//   bytes     digits[.digits] and B KB MB GB TB (decimal) KiB MiB GiB TiB (binary), to whole bytes
//   rate      bytes and "/s"
//   physical  digits[.digits] and nJ uJ mJ J, uW mW W, K/W mK/W, J/K mJ/K, or C; a temperature may
//             have a minus sign
//
// The unit follows the number without a space and cannot be left out. On failure a parser returns
// nothing and sets `error` to a sentence that names the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config_visitor.h"
#include "sim/units.h"

namespace ftlsim {

std::optional<bool> parse_bool(std::string_view text, std::string& error);
std::optional<uint64_t> parse_integer(std::string_view text, std::string& error);
std::optional<double> parse_real(std::string_view text, std::string& error);
std::optional<double> parse_ratio(std::string_view text, std::string& error);
std::optional<Duration> parse_duration(std::string_view text, std::string& error);
std::optional<Bytes> parse_bytes(std::string_view text, std::string& error);
std::optional<uint64_t> parse_rate(std::string_view text, std::string& error);  // bytes/s
std::optional<int64_t> parse_physical(Physical kind, std::string_view text, std::string& error);

// The shortest text that the parser of the same name turns back into the same value.
std::string format_real(double value);
std::string format_duration(Duration value);
std::string format_bytes(Bytes value);
std::string format_rate(uint64_t bytes_per_second);
std::string format_physical(Physical kind, int64_t value);

// Regular expressions (ECMA 262, as JSON Schema wants) for what the parsers take.
std::string percentage_pattern();
std::string duration_pattern();
std::string bytes_pattern();
std::string rate_pattern();
std::string physical_pattern(Physical kind);

}  // namespace ftlsim
