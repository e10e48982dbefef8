#include "workloads/text_file.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxFileBytes = size_t{1} << 20;

}  // namespace

std::optional<std::string> read_text_file(const fs::path& path, const Origin& blame,
                                          Diagnostics& diagnostics) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    diagnostics.error(blame, fmt::format("{} is a directory", quote(path.string())));
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  std::string text(kMaxFileBytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!in && !in.eof()) {
    diagnostics.error(blame, fmt::format("cannot read {}", quote(path.string())));
    return std::nullopt;
  }
  text.resize(static_cast<size_t>(in.gcount()));
  if (text.size() > kMaxFileBytes) {
    diagnostics.error(blame, fmt::format("{} is larger than {} bytes: not a job file?",
                                         quote(path.string()), kMaxFileBytes));
    return std::nullopt;
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kAround = " \t\r\v\f";
  const size_t first = text.find_first_not_of(kAround);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kAround) - first + 1);
}

}  // namespace ftlsim
