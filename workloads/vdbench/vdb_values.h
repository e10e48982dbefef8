// Values of vdbench parameters: numbers with their suffixes, and the ranges in lists of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ftlsim {

// What `m` behind a number means.
enum class VdbUnit : uint8_t { kBytes, kTime };

struct VdbNumber {
  double value = 0;
  bool percent = false;  // "20%"
};

// A number, with k, m, g or t (powers of 1024, upper or lower case, also as kb, mb ...), h (3600)
// or %. With kTime `m` is 60. Nothing if the text is none, or is negative or not finite.
std::optional<VdbNumber> parse_vdb_number(std::string_view text, VdbUnit unit);

// The numbers of a list with its ranges written out: "10-100,10" counts in steps of the number
// behind the range, "1k-64k,d" doubles (and halves if the first is the larger). Nothing, and
// `error`, if one is none or there are more than 10,000.
std::optional<std::vector<VdbNumber>> expand_vdb_numbers(const std::vector<std::string>& values,
                                                         VdbUnit unit, std::string& error);

// The names of a list with its ranges written out: "sd1-sd3" is sd1, sd2 and sd3.
std::optional<std::vector<std::string>> expand_vdb_names(const std::vector<std::string>& values,
                                                         std::string& error);

// Whether a name matches one that may end in '*'.
bool matches_vdb_name(std::string_view pattern, std::string_view name);

}  // namespace ftlsim
