// Values of fio options: fio's own units, which are not the project's.
//
// On failure a parser returns nothing and sets `error` to a sentence that names the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/units.h"

namespace ftlsim {

// Bytes, or a percentage of something.
struct FioAmount {
  uint64_t value = 0;
  bool percent = false;
};

// What fio's unit prefixes mean: with kb_base=1024 (the default), k and kb are 1024 and ki, kib
// 1000; with 1000 it is the other way round, which is correct SI.
enum class KbBase : uint16_t { k1000 = 1000, k1024 = 1024 };

// A decimal or hexadecimal integer with an optional prefix k m g t p, with b or ib. Sets
// `decimal_kib` if the text says "KiB" (or the like) and gets powers of 1000 for it.
std::optional<uint64_t> parse_fio_integer(std::string_view text, KbBase base, bool& decimal_kib,
                                          std::string& error);
// The same, or 1% to 100% (also "100%%", which some generators write).
std::optional<FioAmount> parse_fio_amount(std::string_view text, KbBase base, bool& decimal_kib,
                                          std::string& error);
// A number of seconds, or with unit d h m s ms us.
std::optional<Duration> parse_fio_time(std::string_view text, std::string& error);
// The same; a number without unit counts in `plain`.
std::optional<Duration> parse_fio_time(std::string_view text, Duration plain, std::string& error);
// A decimal number >= 0 with at most nine digits on either side of the point.
std::optional<double> parse_fio_number(std::string_view text, std::string& error);
// 0 or 1; a key without value is 1.
std::optional<bool> parse_fio_bool(const std::optional<std::string>& text, std::string& error);

}  // namespace ftlsim
