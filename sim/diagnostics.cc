// Formatting and ordering of collected messages.
#include "sim/diagnostics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ftlsim {
namespace {

std::string place(const std::string& file, int line, int col) {
  if (line <= 0) return file;
  if (col <= 0) return fmt::format("{}:{}", file, line);
  return fmt::format("{}:{}:{}", file, line, col);
}

const char* word(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

}  // namespace

std::string Origin::to_string() const { return place(file, line, col); }

std::string Diagnostic::to_string() const {
  return fmt::format("{}: {}: {}", place(file, line, col), word(severity), message);
}

void Diagnostics::add(Severity severity, const Origin& where, std::string message) {
  if (severity == Severity::kError) ++error_count_;
  items_.push_back({where.file, where.line, where.col, std::move(message), severity});
}

void Diagnostics::error(const Origin& where, std::string message) {
  add(Severity::kError, where, std::move(message));
}

void Diagnostics::warning(const Origin& where, std::string message) {
  add(Severity::kWarning, where, std::move(message));
}

void Diagnostics::note(const Origin& where, std::string message) {
  add(Severity::kNote, where, std::move(message));
}

void Diagnostics::sort_by_place(size_t first) {
  std::map<std::string, size_t> rank;
  for (size_t i = first; i < items_.size(); ++i) rank.emplace(items_[i].file, rank.size());
  const auto key = [&rank](const Diagnostic& d) {
    return std::tuple(rank.at(d.file), d.line, d.col);
  };
  const auto begin = items_.begin() + static_cast<std::ptrdiff_t>(std::min(first, items_.size()));
  std::stable_sort(begin, items_.end(),
                   [&key](const Diagnostic& a, const Diagnostic& b) { return key(a) < key(b); });
}

std::string Diagnostics::to_string() const {
  std::string text;
  for (const Diagnostic& d : items_) text += d.to_string() + '\n';
  return text;
}

std::string quote(std::string_view text) {
  constexpr size_t kLimit = 80;
  size_t length = std::min(text.size(), kLimit);
  if (length < text.size()) {
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  }
  std::string result = "'";
  for (const char c : text.substr(0, length)) {
    const auto byte = static_cast<unsigned char>(c);
    result += byte < 0x20 || byte == 0x7F ? '?' : c;
  }
  if (length < text.size()) result += "...";
  return result + "'";
}

}  // namespace ftlsim
