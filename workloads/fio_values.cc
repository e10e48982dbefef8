#include "workloads/fio_values.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <limits>
#include <system_error>

#include "sim/diagnostics.h"

namespace ftlsim {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Reads the number at the front of `text` and removes it.
std::optional<uint64_t> take_number(std::string_view& text, std::string& error) {
  const std::string_view whole = text;
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (status == std::errc::result_out_of_range) {
    error = fmt::format("{} is too large", quote(whole));
    return std::nullopt;
  }
  if (status != std::errc()) {
    error = whole.empty()     ? "has no value"
            : whole[0] == '-' ? fmt::format("{} is negative", quote(whole))
            : whole[0] == '(' ? fmt::format("{}: arithmetic is not modelled yet", quote(whole))
            : whole[0] == '$' ? fmt::format("{}: keywords are not modelled yet", quote(whole))
                              : fmt::format("{} is not a number", quote(whole));
    return std::nullopt;
  }
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return value;
}

// The factor of a suffix such as "k", "kb" or "KiB".
std::optional<uint64_t> unit_factor(std::string_view suffix, KbBase base, bool& decimal_kib) {
  const std::string unit = lower(suffix);
  if (unit.empty() || unit == "b") return 1;
  constexpr std::string_view kPrefixes = "kmgtp";
  const size_t power = kPrefixes.find(unit[0]);
  const std::string_view tail = std::string_view(unit).substr(1);
  if (power == std::string_view::npos) return std::nullopt;
  const bool iec = tail == "i" || tail == "ib";
  if (!iec && !tail.empty() && tail != "b") return std::nullopt;
  const bool binary = iec != (base == KbBase::k1024);
  decimal_kib = decimal_kib || (iec && !binary);
  uint64_t factor = 1;
  for (size_t i = 0; i <= power; ++i) factor *= binary ? 1024 : 1000;
  return factor;
}

std::optional<uint64_t> product(uint64_t value, uint64_t factor, uint64_t most,
                                std::string_view text, std::string& error) {
  if (factor != 0 && value > most / factor) {
    error = fmt::format("{} is too large", quote(text));
    return std::nullopt;
  }
  return value * factor;
}

}  // namespace

std::optional<uint64_t> parse_fio_integer(std::string_view text, KbBase base, bool& decimal_kib,
                                          std::string& error) {
  std::string_view rest = text;
  const std::optional<uint64_t> value = take_number(rest, error);
  if (!value) return std::nullopt;
  const std::optional<uint64_t> factor = unit_factor(rest, base, decimal_kib);
  if (!factor) {
    error = rest.starts_with('.')
                ? fmt::format("{}: fio takes whole numbers only", quote(text))
                : fmt::format("{} has the unknown unit {}", quote(text), quote(rest));
    return std::nullopt;
  }
  return product(*value, *factor, std::numeric_limits<int64_t>::max(), text, error);
}

std::optional<FioAmount> parse_fio_amount(std::string_view text, KbBase base, bool& decimal_kib,
                                          std::string& error) {
  if (!text.ends_with('%')) {
    const std::optional<uint64_t> bytes = parse_fio_integer(text, base, decimal_kib, error);
    if (!bytes) return std::nullopt;
    return FioAmount{*bytes, false};
  }
  std::string_view rest = text;
  while (rest.ends_with('%')) rest.remove_suffix(1);
  const std::optional<uint64_t> value = take_number(rest, error);
  if (!value) return std::nullopt;
  if (!rest.empty() || *value > 100) {
    error = fmt::format("{} is not a percentage from 0% to 100%", quote(text));
    return std::nullopt;
  }
  return FioAmount{*value, true};
}

std::optional<Duration> parse_fio_time(std::string_view text, std::string& error) {
  return parse_fio_time(text, Duration::s(1), error);
}

std::optional<Duration> parse_fio_time(std::string_view text, Duration plain, std::string& error) {
  struct Unit {
    std::string_view name;
    uint64_t ns;
  };
  constexpr uint64_t kSecond = 1'000'000'000;
  const Unit units[] = {{"", static_cast<uint64_t>(plain.to_ns())},
                        {"s", kSecond},
                        {"sec", kSecond},
                        {"m", 60 * kSecond},
                        {"min", 60 * kSecond},
                        {"h", 3600 * kSecond},
                        {"d", 86'400 * kSecond},
                        {"ms", 1'000'000},
                        {"msec", 1'000'000},
                        {"us", 1'000},
                        {"usec", 1'000}};
  constexpr uint64_t kMost = kSecond * 86'400 * 366 * 100;  // a century
  std::string_view rest = text;
  const std::optional<uint64_t> value = take_number(rest, error);
  if (!value) return std::nullopt;
  for (const Unit& unit : units) {
    if (lower(rest) != unit.name) continue;
    const std::optional<uint64_t> ns = product(*value, unit.ns, kMost, text, error);
    if (!ns) return std::nullopt;
    return Duration::ns(static_cast<int64_t>(*ns));
  }
  error = fmt::format("{} has the unknown unit {} (one of d, h, m, s, ms, us)", quote(text),
                      quote(rest));
  return std::nullopt;
}

std::optional<double> parse_fio_number(std::string_view text, std::string& error) {
  constexpr size_t kMostDigits = 9;
  uint64_t digits = 0;
  size_t before = 0;
  size_t after = 0;
  bool point = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit) {
      digits = digits * 10 + static_cast<uint64_t>(c - '0');
      ++(point ? after : before);
    }
    if ((!digit && (c != '.' || point)) || before > kMostDigits || after > kMostDigits) {
      error = fmt::format("{} is not a number", quote(text));
      return std::nullopt;
    }
    point = point || c == '.';
  }
  if (before + after == 0) {
    error = "has no value";
    return std::nullopt;
  }
  double scale = 1;
  for (size_t i = 0; i < after; ++i) scale *= 10;
  return static_cast<double>(digits) / scale;
}

std::optional<bool> parse_fio_bool(const std::optional<std::string>& text, std::string& error) {
  if (!text || *text == "1" || *text == "true") return true;
  if (*text == "0" || *text == "false") return false;
  error = fmt::format("{} is neither 0 nor 1", quote(*text));
  return std::nullopt;
}

}  // namespace ftlsim
