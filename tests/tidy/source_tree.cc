#include "tests/tidy/source_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>

namespace ftlsim::tidy {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Copies a text and blanks the parts that are not code. Each skip function moves past one part.
class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), out_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  bool starts(std::string_view prefix) const { return text_.substr(at_).starts_with(prefix); }

  void step() {
    const char c = text_[at_];
    if (starts("//")) {
      blank_to(text_.find('\n', at_));
    } else if (starts("/*")) {
      const size_t end = text_.find("*/", at_ + 2);
      blank_to(end == std::string_view::npos ? end : end + 2);
    } else if (c == '#' && line_is_blank_) {
      skip_preprocessor();
    } else if (c == '"') {
      skip_string();
    } else if (c == '\'' && !(at_ > 0 && is_word(text_[at_ - 1]))) {  // 1'000 is no literal
      skip_quoted('\'');
    } else {
      if (c == '\n') {
        line_is_blank_ = true;
      } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
        line_is_blank_ = false;
      }
      ++at_;
    }
  }

  // Blanks everything before `end` except line breaks.
  void blank_to(size_t end) {
    end = std::min(end, text_.size());
    for (; at_ < end; ++at_) {
      if (out_[at_] != '\n') out_[at_] = ' ';
    }
  }

  // The whole directive with its continuation lines.
  void skip_preprocessor() {
    size_t end = text_.find('\n', at_);
    while (end != std::string_view::npos && text_[end - 1] == '\\') end = text_.find('\n', end + 1);
    blank_to(end);
  }

  void skip_string() {
    line_is_blank_ = false;
    const bool raw = at_ > 0 && text_[at_ - 1] == 'R' && !(at_ > 1 && is_word(text_[at_ - 2]));
    if (!raw) {
      skip_quoted('"');
      return;
    }
    const size_t open = std::min(text_.find('(', at_), text_.size());
    const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const size_t end = text_.find(close, open);
    blank_to(end == std::string_view::npos ? end : end + close.size());
  }

  // A literal in quotes; the quotes themselves stay.
  void skip_quoted(char quote) {
    line_is_blank_ = false;
    size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') {
      end += text_[end] == '\\' ? 2U : 1U;
    }
    ++at_;
    blank_to(end);
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::string out_;
  size_t at_ = 0;
  bool line_is_blank_ = true;  // nothing but blanks so far on this line
};

bool is_text_file(const fs::path& path) {
  static constexpr std::array kTextExtensions = {".cc",   ".h",  ".md",  ".yaml",  ".yml",
                                                 ".json", ".js", ".sh",  ".cmake", ".css",
                                                 ".html", "",    ".fio", ".txt"};
  return std::find(kTextExtensions.begin(), kTextExtensions.end(), path.extension().string()) !=
         kTextExtensions.end();
}

SourceFile load_file(const fs::path& root, const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return make_source(path.lexically_relative(root).generic_string(), text);
}

}  // namespace

bool SourceFile::is_cpp() const { return path.ends_with(".cc") || path.ends_with(".h"); }

bool SourceFile::in(std::string_view dir) const {
  return path.size() > dir.size() && path.starts_with(dir) && path[dir.size()] == '/';
}

SourceFile make_source(std::string path, std::string_view text) {
  SourceFile file;
  file.path = std::move(path);
  file.lines = split_lines(text);
  if (file.is_cpp()) file.code = split_lines(blank_non_code(text));
  return file;
}

std::vector<SourceFile> load_tree(const fs::path& root) {
  std::vector<SourceFile> files;
  for (auto it = fs::recursive_directory_iterator(root); it != fs::recursive_directory_iterator();
       ++it) {
    const std::string path = it->path().lexically_relative(root).generic_string();
    if (it->is_directory()) {
      if (path == ".git" || path == "build" || path == "out" || path == "tests/fuzz/corpus") {
        it.disable_recursion_pending();
      }
    } else if (it->is_regular_file() && is_text_file(it->path())) {
      files.push_back(load_file(root, it->path()));
    }
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::string blank_non_code(std::string_view text) { return Blanker(text).run(); }

}  // namespace ftlsim::tidy
