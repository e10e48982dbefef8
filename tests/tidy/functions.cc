// Finds functions by their braces. At namespace or class level the text in front of a `{` tells
// what it opens: a namespace, a type, an initialiser or a function. Inside a function only depth
// counts.
#include <cctype>
#include <string>
#include <string_view>

#include "tests/tidy/rules.h"

namespace ftlsim::tidy {
namespace {

constexpr size_t kMaxFunctionLines = 70;

// Removes `template <...>` heads, whose `class T` would look like a type.
std::string without_template_heads(std::string text) {
  for (size_t head = text.find("template"); head != std::string::npos;
       head = text.find("template", head)) {
    size_t end = text.find('<', head);
    if (end == std::string::npos) break;
    int depth = 0;
    do {
      depth += text[end] == '<' ? 1 : text[end] == '>' ? -1 : 0;
      ++end;
    } while (end < text.size() && depth > 0);
    text.erase(head, end - head);
  }
  return text;
}

bool begins_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

enum class Scope { kNamespace, kType, kInitializer, kFunction };

// What a brace opens, given the text since the last `;` or brace at namespace or class level.
Scope classify(const std::string& header) {
  std::string text = without_template_heads(header);
  text.erase(0, text.find_first_not_of(' '));
  for (std::string_view word : {"inline namespace", "namespace", "extern"}) {
    if (begins_with_word(text, word) && text.find('(') == std::string::npos) {
      return Scope::kNamespace;
    }
  }
  for (std::string_view word : {"class", "struct", "union", "enum"}) {
    if (begins_with_word(text, word)) return Scope::kType;
  }
  const size_t parameters = text.find('(');
  const size_t assignment = text.find(" = ");
  if (parameters == std::string::npos || assignment < parameters) return Scope::kInitializer;
  return Scope::kFunction;
}

// Walks through the code of one file once.
class Walker {
 public:
  explicit Walker(const SourceFile& file) : file_(file) {}

  Findings run() {
    for (line_ = 0; line_ < file_.code.size(); ++line_) {
      for (const char c : file_.code[line_]) take(c);
      take(' ');
    }
    if (closed_) finish();
    return std::move(findings_);
  }

 private:
  void take(char c) {
    if (inner_depth_ > 0) {
      take_inner(c);
    } else if (c == '{') {
      open();
    } else if (c == '}' || c == ';' || (c == ':' && is_access_specifier())) {
      if (closed_) finish();
      closed_ = false;
      header_.clear();
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (!header_.empty() && header_.back() != ' ') header_ += ' ';
    } else {
      take_header(c);
    }
  }

  // Inside a function or initialiser.
  void take_inner(char c) {
    if (c == '{') ++inner_depth_;
    if (c != '}' || --inner_depth_ > 0) return;
    last_line_ = line_;
    closed_ = true;
  }

  // A character of a header. After a closed brace, `,`, `)` and `{` go on with the same function:
  // what was closed was a default argument or initialised a member in front of the body.
  void take_header(char c) {
    if (closed_ && c != ',' && c != ')') finish();
    closed_ = false;
    if (header_.empty()) first_line_ = line_;
    header_ += c;
  }

  void open() {
    if (closed_ && scope_ != Scope::kFunction) finish();
    closed_ = false;
    if (header_.empty()) first_line_ = line_;
    scope_ = classify(header_);
    if (scope_ == Scope::kFunction || scope_ == Scope::kInitializer) {
      inner_depth_ = 1;
    } else {
      header_.clear();
    }
  }

  // The brace closed last ended a function or an initialiser.
  void finish() {
    const size_t length = last_line_ - first_line_ + 1;
    if (scope_ == Scope::kFunction && length > kMaxFunctionLines) {
      findings_.push_back(file_.path + ":" + std::to_string(first_line_ + 1) + ": function of " +
                          std::to_string(length) + " lines, more than " +
                          std::to_string(kMaxFunctionLines));
    }
    header_.clear();
  }

  bool is_access_specifier() const {
    return header_ == "public" || header_ == "private" || header_ == "protected";
  }

  const SourceFile& file_;
  Findings findings_;
  size_t line_ = 0;
  std::string header_;     // text since the last `;` or brace, at namespace or class level
  size_t first_line_ = 0;  // where header_ begins
  size_t last_line_ = 0;   // of the brace closed last
  Scope scope_ = Scope::kNamespace;
  size_t inner_depth_ = 0;
  bool closed_ = false;  // a function or initialiser was closed and nothing came after it
};

}  // namespace

Findings check_function_length(const SourceFile& file) {
  if (!file.is_cpp()) return {};
  return Walker(file).run();
}

}  // namespace ftlsim::tidy
