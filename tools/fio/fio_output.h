// fio's result formats: JSON, JSON with bins, terse (version 3) and the normal text.
//
// Names, order, units and rounding are those of fio 3.33. Times of day count from 1970 on the
// simulated clock, so that equal runs give equal text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tools/fio/fio_result.h"

namespace ftlsim {

enum class FioFormat : uint8_t { kNormal, kJson, kJsonPlus, kTerse };

// The format of that name, as after --output-format.
std::optional<FioFormat> fio_format(std::string_view name);

// The whole text for standard output, with its last newline.
std::string render_fio(const FioReport& report, FioFormat format);

std::string render_fio_json(const FioReport& report, bool with_bins);
std::string render_fio_terse(const FioReport& report);
std::string render_fio_normal(const FioReport& report);

// What the formats have in common.
inline constexpr std::string_view kFioVersion = "fio-3.33";
// Count per second.
double fio_rate(uint64_t count, Duration span);
// Whole milliseconds, at least 1 if anything ran.
int64_t fio_milliseconds(Duration span);
// Share in percent; 0 of nothing.
double fio_percent(uint64_t part, uint64_t whole);
// Bytes per second of all results of a group in one direction, or in all.
double fio_group_rate(const FioReport& report, uint32_t group, size_t direction);
double fio_group_rate(const FioReport& report, uint32_t group);
// Seconds since 1970 as "Thu Jan  1 00:00:10 1970".
std::string fio_date(int64_t seconds);

}  // namespace ftlsim
