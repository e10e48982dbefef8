#include "workloads/vdbench/vdb_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "sim/diagnostics.h"

namespace ftlsim {
namespace {

constexpr size_t kMostValues = 10'000;

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto [rest, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = status == std::errc() && rest == text.data() + text.size() && !text.empty();
  if (!whole || !(value >= 0) || !(value <= 1e300)) return std::nullopt;
  return value;
}

// The factor of a suffix; 0 for none that is known.
double factor_of(char suffix, VdbUnit unit) {
  constexpr double kKilo = 1024;
  switch (suffix) {
    case 'k':
      return kKilo;
    case 'm':
      return unit == VdbUnit::kTime ? 60 : kKilo * kKilo;
    case 'g':
      return kKilo * kKilo * kKilo;
    case 't':
      return kKilo * kKilo * kKilo * kKilo;
    case 'h':
      return 3600;
    default:
      return 0;
  }
}

// What "first - last, step" stands for, without `first`.
void append_range(double first, double last, double step, std::vector<VdbNumber>& out) {
  for (double v = first + step; v <= last && out.size() <= kMostValues; v += step)
    out.push_back({v});
}

void append_doubling(double first, double last, std::vector<VdbNumber>& out) {
  if (first <= 0 || last <= 0) return;
  if (first < last) {
    for (double v = first * 2; v <= last && out.size() <= kMostValues; v *= 2) out.push_back({v});
  } else {
    for (double v = first / 2; v >= last && out.size() <= kMostValues; v /= 2) out.push_back({v});
  }
}

// Length of the part of a name before its trailing digits.
size_t stem_of(std::string_view name) {
  size_t n = name.size();
  while (n > 0 && std::isdigit(static_cast<unsigned char>(name[n - 1])) != 0) --n;
  return n;
}

}  // namespace

std::optional<VdbNumber> parse_vdb_number(std::string_view text, VdbUnit unit) {
  if (const std::optional<double> plain = plain_number(text)) return VdbNumber{*plain};
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (lower.size() > 2 && lower.back() == 'b') lower.pop_back();
  if (lower.size() < 2) return std::nullopt;
  const char suffix = lower.back();
  lower.pop_back();
  const std::optional<double> front = plain_number(lower);
  if (!front) return std::nullopt;
  if (suffix == '%') return VdbNumber{*front, true};
  const double factor = factor_of(suffix, unit);
  if (factor == 0) return std::nullopt;
  return VdbNumber{*front * factor};
}

std::optional<std::vector<VdbNumber>> expand_vdb_numbers(const std::vector<std::string>& values,
                                                         VdbUnit unit, std::string& error) {
  std::vector<VdbNumber> out;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != "-") {
      const std::optional<VdbNumber> number = parse_vdb_number(values[i], unit);
      if (!number) return error = fmt::format("{} is no number", quote(values[i])), std::nullopt;
      out.push_back(*number);
    } else {
      // first - last, step: what follows the range says how it is counted.
      if (out.empty() || i + 2 >= values.size())
        return error = "a range needs both ends and a step, as in (10-100,10)", std::nullopt;
      const std::optional<VdbNumber> last = parse_vdb_number(values[i + 1], unit);
      const bool doubles = values[i + 2] == "d";
      const std::optional<VdbNumber> step = parse_vdb_number(values[i + 2], unit);
      if (!last || (!doubles && (!step || step->value <= 0)))
        return error = "a range needs both ends and a step, as in (10-100,10)", std::nullopt;
      const double first = out.back().value;
      if (doubles) {
        append_doubling(first, last->value, out);
      } else {
        append_range(first, last->value, step->value, out);
      }
      i += 2;
    }
    if (out.size() > kMostValues)
      return error = fmt::format("more than {} values", kMostValues), std::nullopt;
  }
  return out;
}

std::optional<std::vector<std::string>> expand_vdb_names(const std::vector<std::string>& values,
                                                         std::string& error) {
  std::vector<std::string> out;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != "-") {
      out.push_back(values[i]);
      continue;
    }
    const bool ends = !out.empty() && i + 1 < values.size();
    const std::string first = ends ? out.back() : "";
    const std::string last = ends ? values[i + 1] : "";
    const size_t stem = stem_of(first);
    const std::optional<double> from = plain_number(first.substr(stem));
    const std::optional<double> to =
        plain_number(last.substr(std::min(stem_of(last), last.size())));
    if (!from || !to || first.substr(0, stem) != last.substr(0, stem_of(last)) || *to < *from ||
        *to - *from > static_cast<double>(kMostValues))
      return error = "a range of names needs both ends, as in (sd1-sd4)", std::nullopt;
    for (auto k = static_cast<uint64_t>(*from) + 1; k <= static_cast<uint64_t>(*to); ++k)
      out.push_back(fmt::format("{}{}", first.substr(0, stem), k));
    ++i;
  }
  return out;
}

bool matches_vdb_name(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view head = pattern.substr(0, star);
  const std::string_view tail = pattern.substr(star + 1);
  return name.size() >= head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail);
}

}  // namespace ftlsim
