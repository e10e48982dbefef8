#include "tools/report/csv.h"

#include <charconv>
#include <fstream>
#include <iterator>

namespace ftlsim {

std::optional<std::string> read_text_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad()) return std::nullopt;
  return text;
}

std::vector<std::string> split_csv(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[++i];
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else if (c != '\r') {
      cells.back() += c;
    }
  }
  return cells;
}

double parse_number(const std::string& cell) {
  double value = 0.0;
  const char* end = cell.data() + cell.size();
  const auto [rest, status] = std::from_chars(cell.data(), end, value);
  const bool whole = status == std::errc() && rest == end;
  const bool finite = value - value == 0.0;  // false for inf and nan
  return whole && finite ? value : kNoNumber;
}

}  // namespace ftlsim
