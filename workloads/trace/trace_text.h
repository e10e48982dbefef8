// Numbers and fields out of the lines of a trace. Nothing here depends on the
// locale, allocates, or accepts a text that is not a number from its first to
// its last character.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "workloads/trace/trace_record.h"

namespace ftlsim::trace_text {

inline std::string_view trim(std::string_view t) {
  while (!t.empty() && (t.front() == ' ' || t.front() == '\t')) t.remove_prefix(1);
  while (!t.empty() && (t.back() == ' ' || t.back() == '\t')) t.remove_suffix(1);
  return t;
}

// Decimal digits only, up to 2^64 - 1.
inline bool parse_u64(std::string_view t, uint64_t& out) {
  if (t.empty() || t.size() > 20) return false;
  uint64_t v = 0;
  for (const char c : t) {
    const auto digit = static_cast<unsigned>(static_cast<unsigned char>(c)) - '0';
    if (digit > 9) return false;
    if (__builtin_mul_overflow(v, uint64_t{10}, &v)) return false;
    if (__builtin_add_overflow(v, uint64_t{digit}, &v)) return false;
  }
  out = v;
  return true;
}

// Decimal, or hexadecimal with 0x in front.
inline bool parse_number(std::string_view t, uint64_t& out) {
  if (!t.starts_with("0x") && !t.starts_with("0X")) return parse_u64(t, out);
  t.remove_prefix(2);
  if (t.empty() || t.size() > 16) return false;
  uint64_t v = 0;
  for (const char c : t) {
    unsigned digit = static_cast<unsigned char>(c);
    if (digit - '0' <= 9) {
      digit -= '0';
    } else if ((digit | 32) - 'a' <= 5) {
      digit = (digit | 32) - 'a' + 10;
    } else {
      return false;
    }
    v = v << 4 | digit;
  }
  out = v;
  return true;
}

// digits[.digits] of `unit_ns` nanoseconds each, cut off below a nanosecond.
// False also if the result exceeds kMaxTraceNs.
inline bool parse_time(std::string_view t, uint64_t unit_ns, int64_t& out, char point = '.') {
  uint64_t whole = 0;
  uint64_t fraction = 0;
  uint64_t scale = 1;
  const size_t dot = t.find(point);
  if (!parse_u64(t.substr(0, dot), whole)) return false;
  if (dot != std::string_view::npos) {
    const std::string_view digits = t.substr(dot + 1);
    if (digits.empty()) return false;
    for (size_t i = 0; i < digits.size(); ++i) {
      const auto digit = static_cast<unsigned>(static_cast<unsigned char>(digits[i])) - '0';
      if (digit > 9) return false;
      if (i >= 9) continue;
      fraction = fraction * 10 + digit;
      scale *= 10;
    }
  }
  uint64_t ns = 0;
  if (__builtin_mul_overflow(whole, unit_ns, &ns)) return false;
  // Below 10^9 times the largest unit, which is 10^9: no overflow.
  if (__builtin_add_overflow(ns, fraction * unit_ns / scale, &ns)) return false;
  if (ns > static_cast<uint64_t>(kMaxTraceNs)) return false;
  out = static_cast<int64_t>(ns);
  return true;
}

// The next field of `rest`, up to the delimiter, which is consumed. After the
// last one `rest` has no data(); after a delimiter at the very end it is empty
// and has.
inline std::string_view next_field(std::string_view& rest, char delimiter) {
  const auto* at = rest.empty()
                       ? nullptr
                       : static_cast<const char*>(std::memchr(rest.data(), delimiter, rest.size()));
  if (at == nullptr) {
    const std::string_view field = rest;
    rest = {};
    return field;
  }
  const auto length = static_cast<size_t>(at - rest.data());
  const std::string_view field = rest.substr(0, length);
  rest.remove_prefix(length + 1);
  return field;
}

// The next run of characters that are neither blank nor tab; empty at the end.
inline std::string_view next_word(std::string_view& rest) {
  size_t from = 0;
  while (from < rest.size() && (rest[from] == ' ' || rest[from] == '\t')) ++from;
  size_t to = from;
  while (to < rest.size() && rest[to] != ' ' && rest[to] != '\t') ++to;
  const std::string_view word = rest.substr(from, to - from);
  rest.remove_prefix(to);
  return word;
}

// The fields of a line. Returns their number, which may exceed fields.size();
// only that many are kept. A delimiter ' ' means any run of blanks.
inline size_t split(std::string_view line, char delimiter, std::span<std::string_view> fields) {
  size_t n = 0;
  if (delimiter == ' ') {
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line), ++n)
      if (n < fields.size()) fields[n] = word;
    return n;
  }
  do {
    const std::string_view field = next_field(line, delimiter);
    if (n < fields.size()) fields[n] = field;
    ++n;
  } while (line.data() != nullptr);
  return n;
}

}  // namespace ftlsim::trace_text
