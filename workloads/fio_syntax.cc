#include "workloads/fio_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <system_error>
#include <utility>

#include "workloads/text_file.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxLineBytes = size_t{1} << 16;
constexpr int kMaxIncludeDepth = 16;
constexpr int kMaxIncludes = 256;        // in all: files that include each other multiply
constexpr size_t kMaxOptions = 100'000;  // over all included files

constexpr std::string_view kBlanks = " \t\r\v\f";

bool has_control_character(std::string_view line) {
  for (const char c : line)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0 && kBlanks.find(c) == kBlanks.npos)
      return true;
  return false;
}

class Reader {
 public:
  explicit Reader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void read(std::string_view text, const std::string& file, const std::optional<fs::path>& folder,
            int depth) {
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);  // a byte-order mark
    int number = 0;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      read_line(line, Origin{file, ++number, 0}, folder, depth);
    }
  }

  std::vector<FioSection> take() { return std::move(sections_); }

 private:
  void read_line(std::string_view line, Origin at, const std::optional<fs::path>& folder,
                 int depth) {
    if (line.size() > kMaxLineBytes) {
      diagnostics_.error(at, fmt::format("line is longer than {} bytes", kMaxLineBytes));
      return;
    }
    const std::string_view content = trimmed(line.substr(0, line.find_first_of(";#")));
    if (content.empty()) return;
    at.col = static_cast<int>(content.data() - line.data()) + 1;
    if (has_control_character(content)) {
      diagnostics_.error(at,
                         fmt::format("control character in {}: not a job file?", quote(content)));
    } else if (content.front() == '[') {
      read_header(content, at);
    } else if (content.starts_with("include") && content.size() > 7 &&
               kBlanks.find(content[7]) != kBlanks.npos) {
      include(trimmed(content.substr(7)), at, folder, depth);
    } else {
      read_option(content, at);
    }
  }

  void read_header(std::string_view content, const Origin& at) {
    const size_t close = content.find(']');
    const std::string_view name = content.substr(1, std::min(close, content.size()) - 1);
    if (close == std::string_view::npos) {
      diagnostics_.error(at, fmt::format("section header {} has no ']'", quote(content)));
    } else if (name.empty()) {
      diagnostics_.error(at, "section has no name");
    } else if (close + 1 != content.size()) {
      diagnostics_.error(at, fmt::format("{} after the section header",
                                         quote(trimmed(content.substr(close + 1)))));
    }
    sections_.push_back({std::string(name.empty() ? "?" : name), at, {}});
  }

  void read_option(std::string_view content, const Origin& at) {
    if (sections_.empty()) {
      if (!std::exchange(headless_, true))
        diagnostics_.error(at, fmt::format("option {} before any [section]", quote(content)));
      return;
    }
    if (++options_ > kMaxOptions) {
      if (options_ == kMaxOptions + 1)
        diagnostics_.error(at, fmt::format("more than {} options", kMaxOptions));
      return;
    }
    FioOption option;
    option.origin = at;
    const size_t equals = content.find('=');
    const std::string_view key = content.substr(0, equals);
    option.key = trimmed(key);
    if (equals != std::string_view::npos) {
      const std::string_view value = content.substr(equals + 1);
      if (trimmed(key) != key || trimmed(value) != value)
        diagnostics_.warning(
            at, fmt::format("blanks around '=' of '{}': fio itself refuses them", option.key));
      option.value = expanded(trimmed(value), at);
    }
    if (option.key.empty()) {
      diagnostics_.error(at, fmt::format("no key in {}", quote(content)));
      return;
    }
    sections_.back().options.push_back(std::move(option));
  }

  // Replaces each ${NAME}.
  std::string expanded(std::string_view value, const Origin& at) {
    std::string result;
    for (;;) {
      const size_t start = value.find("${");
      result += value.substr(0, start);
      if (start == std::string_view::npos) return result;
      value.remove_prefix(start + 2);
      const size_t end = value.find('}');
      if (end == std::string_view::npos) {
        diagnostics_.error(at, "'${' without '}'");
        return result;
      }
      const std::string name(value.substr(0, end));
      value.remove_prefix(end + 1);
      if (const char* content = std::getenv(name.c_str())) {
        result += std::string_view(content).substr(0, kMaxLineBytes);
      } else {
        diagnostics_.error(at, fmt::format("environment variable {} is not set", quote(name)));
      }
    }
  }

  void include(std::string_view name, const Origin& at, const std::optional<fs::path>& folder,
               int depth) {
    if (!folder) {
      diagnostics_.error(at, "'include' is possible only in a file");
      return;
    }
    if (depth == kMaxIncludeDepth) {
      diagnostics_.error(at, fmt::format("'include' nested deeper than {}", kMaxIncludeDepth));
      return;
    }
    if (++includes_ > kMaxIncludes) {
      if (includes_ == kMaxIncludes + 1)
        diagnostics_.error(at, fmt::format("more than {} included files", kMaxIncludes));
      return;
    }
    fs::path path = *folder / fs::path(name);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) path = fs::path(name);
    const std::optional<std::string> text = read_text_file(path, at, diagnostics_);
    if (text) read(*text, path.string(), path.parent_path(), depth + 1);
  }

  Diagnostics& diagnostics_;
  std::vector<FioSection> sections_;
  size_t options_ = 0;
  int includes_ = 0;
  bool headless_ = false;  // an option before any section has been reported
};

}  // namespace

std::vector<FioSection> read_fio_sections(std::string_view text, const std::string& file,
                                          const std::optional<fs::path>& folder,
                                          Diagnostics& diagnostics) {
  Reader reader(diagnostics);
  reader.read(text, file, folder, 0);
  return reader.take();
}

}  // namespace ftlsim
