// Scalars with units: parsing in integers, formatting, patterns.
#include "sim/config_scalar.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <system_error>

#include "sim/diagnostics.h"

namespace ftlsim {
namespace {

__extension__ using Wide = unsigned __int128;

struct Unit {
  std::string_view name;
  uint64_t factor;
};

constexpr uint64_t kDay = 86'400'000'000'000;
constexpr Unit kDurationUnits[] = {
    {"ns", 1},
    {"us", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"min", 60'000'000'000},
    {"h", kDay / 24},
    {"d", kDay},
};
constexpr Unit kByteUnits[] = {
    {"B", 1},
    {"KB", 1'000},
    {"MB", 1'000'000},
    {"GB", 1'000'000'000},
    {"TB", 1'000'000'000'000},
    {"KiB", uint64_t{1} << 10},
    {"MiB", uint64_t{1} << 20},
    {"GiB", uint64_t{1} << 30},
    {"TiB", uint64_t{1} << 40},
};

constexpr Unit kEnergyUnits[] = {{"nJ", 1}, {"uJ", 1'000}, {"mJ", 1'000'000}, {"J", 1'000'000'000}};
constexpr Unit kPowerUnits[] = {{"uW", 1}, {"mW", 1'000}, {"W", 1'000'000}};
constexpr Unit kTemperatureUnits[] = {{"C", 1'000}};
constexpr Unit kResistanceUnits[] = {{"mK/W", 1}, {"K/W", 1'000}};
constexpr Unit kCapacityUnits[] = {{"mJ/K", 1}, {"J/K", 1'000}};

// One kind of scalar with a unit: the words for messages, the units, and what follows the unit.
struct Quantity {
  std::string_view noun;
  std::string_view base;  // plural of the smallest step
  std::string_view example;
  std::span<const Unit> units;
  std::string_view tail;
  uint64_t max;
};

constexpr Quantity kDuration = {
    "duration", "nanoseconds", "50us", kDurationUnits, "", std::numeric_limits<int64_t>::max()};
constexpr Quantity kBytes = {"size",     "bytes", "16KiB",
                             kByteUnits, "",      std::numeric_limits<uint64_t>::max()};
constexpr Quantity kRate = {
    "rate", "bytes per second", "250MB/s", kByteUnits, "/s", std::numeric_limits<uint64_t>::max()};

// In the order of Physical.
constexpr uint64_t kPhysicalMax = std::numeric_limits<int64_t>::max();
constexpr Quantity kPhysical[] = {
    {"energy", "nanojoules", "45uJ", kEnergyUnits, "", kPhysicalMax},
    {"power", "microwatts", "2.4W", kPowerUnits, "", kPhysicalMax},
    {"temperature", "thousandths of a degree", "83C", kTemperatureUnits, "", kPhysicalMax},
    {"thermal resistance", "mK/W", "12K/W", kResistanceUnits, "", kPhysicalMax},
    {"heat capacity", "mJ/K", "1.5J/K", kCapacityUnits, "", kPhysicalMax},
};

const Quantity& quantity_of(Physical kind) { return kPhysical[static_cast<size_t>(kind)]; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t count_digits(std::string_view text) {
  size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

std::string unit_list(const Quantity& q) {
  std::string list;
  for (const Unit& u : q.units) {
    if (!list.empty()) list += ", ";
    list += fmt::format("{}{}", u.name, q.tail);
  }
  return list;
}

// The unit written as `suffix`, or nullptr and an error that names the units there are.
const Unit* find_unit(const Quantity& q, std::string_view text, std::string_view suffix,
                      std::string& error) {
  for (const Unit& u : q.units) {
    if (suffix.size() == u.name.size() + q.tail.size() && suffix.starts_with(u.name) &&
        suffix.ends_with(q.tail)) {
      return &u;
    }
  }
  if (suffix.empty()) {
    error = fmt::format("{} {} has no unit (one of {})", q.noun, quote(text), unit_list(q));
  } else if (suffix.front() == ' ') {
    error = fmt::format("{} {}: no space between number and unit, as in '{}'", q.noun, quote(text),
                        q.example);
  } else {
    error = fmt::format("{} {} has the unknown unit {} (one of {})", q.noun, quote(text),
                        quote(suffix), unit_list(q));
  }
  return nullptr;
}

// whole.fraction times factor, if that is an integer up to q.max. `fraction` holds digits only.
std::optional<uint64_t> scale(const Quantity& q, std::string_view text, std::string_view whole,
                              std::string_view fraction, uint64_t factor, std::string& error) {
  while (fraction.ends_with('0')) fraction.remove_suffix(1);
  constexpr size_t kMaxFraction = 18;  // 10^18 times a day in ns fits into 128 bits
  Wide numerator = 0;
  Wide denominator = 1;
  for (size_t i = 0; i < fraction.size() && i < kMaxFraction; ++i) {
    numerator = numerator * 10 + static_cast<Wide>(fraction[i] - '0');
    denominator *= 10;
  }
  numerator *= factor;
  if (fraction.size() > kMaxFraction || numerator % denominator != 0) {
    error = fmt::format("{} {} is not a whole number of {}", q.noun, quote(text), q.base);
    return std::nullopt;
  }
  uint64_t units = 0;
  const auto [end, status] = std::from_chars(whole.data(), whole.data() + whole.size(), units);
  const Wide total = Wide{units} * factor + numerator / denominator;
  if (status != std::errc() || end != whole.data() + whole.size() || total > q.max) {
    error = fmt::format("{} {} is too large", q.noun, quote(text));
    return std::nullopt;
  }
  return static_cast<uint64_t>(total);
}

std::optional<uint64_t> parse_quantity(const Quantity& q, std::string_view text,
                                       std::string& error) {
  const std::string_view whole = text.substr(0, count_digits(text));
  std::string_view rest = text.substr(whole.size());
  std::string_view fraction;
  if (rest.starts_with('.')) {
    fraction = rest.substr(1, count_digits(rest.substr(1)));
    rest.remove_prefix(1 + fraction.size());
    if (fraction.empty()) rest = text;  // "5.us": not a number
  }
  if (whole.empty() || rest == text) {
    error = fmt::format("{} is not a {} such as '{}'", quote(text), q.noun, q.example);
    return std::nullopt;
  }
  if (whole.size() > 1 && whole.front() == '0') {
    error = fmt::format("{} {} has a leading zero", q.noun, quote(text));
    return std::nullopt;
  }
  const Unit* unit = find_unit(q, text, rest, error);
  if (unit == nullptr) return std::nullopt;
  return scale(q, text, whole, fraction, unit->factor, error);
}

// The shortest of "<n><unit>" over all units that divide the value; the later unit wins a tie.
std::string format_quantity(const Quantity& q, uint64_t value) {
  std::string best = fmt::format("{}{}{}", value, q.units.front().name, q.tail);
  if (value == 0) return best;
  for (const Unit& u : q.units) {
    if (value % u.factor != 0) continue;
    std::string text = fmt::format("{}{}{}", value / u.factor, u.name, q.tail);
    if (text.size() <= best.size()) best = std::move(text);
  }
  return best;
}

std::string pattern(const Quantity& q) {
  std::string names;
  for (const Unit& u : q.units) {
    if (!names.empty()) names += '|';
    names += u.name;
  }
  return fmt::format("^(0|[1-9][0-9]*)(\\.[0-9]+)?({}){}$", names, q.tail);
}

// Whether `text` is a real number in the syntax of the head comment.
bool is_real(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const size_t whole = count_digits(text);
  if (whole == 0 || (whole > 1 && text.front() == '0')) return false;
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    const size_t fraction = count_digits(text.substr(1));
    if (fraction == 0) return false;
    text.remove_prefix(1 + fraction);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    const size_t exponent = count_digits(text);
    if (exponent == 0) return false;
    text.remove_prefix(exponent);
  }
  return text.empty();
}

// `number` is in real syntax; `text` is what the user wrote.
std::optional<double> to_double(std::string_view number, std::string_view text,
                                std::string& error) {
  double value = 0;
  const auto [end, status] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (status != std::errc() || end != number.data() + number.size() || !std::isfinite(value)) {
    error = fmt::format("{} is outside the range of a real number", quote(text));
    return std::nullopt;
  }
  return value == 0 ? 0.0 : value;  // No negative zero.
}

}  // namespace

std::optional<bool> parse_bool(std::string_view text, std::string& error) {
  if (text == "true") return true;
  if (text == "false") return false;
  error = fmt::format("{} is neither 'true' nor 'false'", quote(text));
  return std::nullopt;
}

std::optional<uint64_t> parse_integer(std::string_view text, std::string& error) {
  if (text.empty() || count_digits(text) != text.size()) {
    error = fmt::format("{} is not a whole number in plain decimal digits", quote(text));
    return std::nullopt;
  }
  if (text.size() > 1 && text.front() == '0') {
    error = fmt::format("{} has a leading zero", quote(text));
    return std::nullopt;
  }
  uint64_t value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc()) {
    error = fmt::format("{} is too large", quote(text));
    return std::nullopt;
  }
  return value;
}

std::optional<double> parse_real(std::string_view text, std::string& error) {
  if (is_real(text)) return to_double(text, text, error);
  error = fmt::format("{} is not a number such as '0.5' or '1e-9'", quote(text));
  return std::nullopt;
}

std::optional<double> parse_ratio(std::string_view text, std::string& error) {
  std::string_view number = text;
  const bool percent = number.ends_with('%');
  if (percent) number.remove_suffix(1);
  if (!is_real(number) || (percent && number.find_first_of("eE") != std::string_view::npos)) {
    error = fmt::format("{} is not a ratio such as '7%' or '0.07'", quote(text));
    return std::nullopt;
  }
  // Shifting the decimal exponent keeps "7%" and "0.07" the same double.
  return percent ? to_double(fmt::format("{}e-2", number), text, error)
                 : to_double(number, text, error);
}

std::optional<Duration> parse_duration(std::string_view text, std::string& error) {
  const auto ns = parse_quantity(kDuration, text, error);
  if (!ns) return std::nullopt;
  return Duration::ns(static_cast<int64_t>(*ns));
}

std::optional<Bytes> parse_bytes(std::string_view text, std::string& error) {
  const auto bytes = parse_quantity(kBytes, text, error);
  if (!bytes) return std::nullopt;
  return Bytes(*bytes);
}

std::optional<uint64_t> parse_rate(std::string_view text, std::string& error) {
  return parse_quantity(kRate, text, error);
}

std::optional<int64_t> parse_physical(Physical kind, std::string_view text, std::string& error) {
  const bool minus = kind == Physical::kTemperature && text.starts_with('-');
  const auto value = parse_quantity(quantity_of(kind), minus ? text.substr(1) : text, error);
  if (!value) return std::nullopt;
  return minus ? -static_cast<int64_t>(*value) : static_cast<int64_t>(*value);
}

std::string format_real(double value) { return fmt::format("{}", value); }

std::string format_duration(Duration value) {
  if (value.to_ns() < 0) return fmt::format("{}ns", value.to_ns());
  return format_quantity(kDuration, static_cast<uint64_t>(value.to_ns()));
}

std::string format_bytes(Bytes value) { return format_quantity(kBytes, value.count()); }

std::string format_rate(uint64_t bytes_per_second) {
  return format_quantity(kRate, bytes_per_second);
}

// A temperature has one unit, and a fraction where it needs one.
std::string format_physical(Physical kind, int64_t value) {
  const uint64_t size = static_cast<uint64_t>(value < 0 ? -value : value);
  if (kind != Physical::kTemperature) return format_quantity(quantity_of(kind), size);
  std::string fraction = size % 1000 == 0 ? "" : fmt::format(".{:03}", size % 1000);
  while (fraction.ends_with('0')) fraction.pop_back();
  return fmt::format("{}{}{}C", value < 0 ? "-" : "", size / 1000, fraction);
}

std::string percentage_pattern() { return "^(0|[1-9][0-9]*)(\\.[0-9]+)?%$"; }
std::string duration_pattern() { return pattern(kDuration); }
std::string bytes_pattern() { return pattern(kBytes); }
std::string rate_pattern() { return pattern(kRate); }
std::string physical_pattern(Physical kind) {
  std::string text = pattern(quantity_of(kind));
  return kind == Physical::kTemperature ? "^-?" + text.substr(1) : text;
}

}  // namespace ftlsim
