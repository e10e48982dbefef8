// Finds expressions that draw twice from one generator in an order that the language leaves open:
// compilers differ there, and a seed would name another run in each. A small parser of brackets and
// of the operators that sequence their operands is all that takes.
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/rules.h"

namespace ftlsim::tidy {
namespace {

// Generators by name: two of them do not disturb each other.
using Names = std::vector<std::string>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_generator(std::string_view word) {
  return word == "rng" || word.ends_with("_rng") || word == "rng_" || word.ends_with("_rng_");
}

class DrawScanner {
 public:
  explicit DrawScanner(const SourceFile& file) : path_(file.path) {
    for (const std::string& line : file.code) text_ += line + '\n';
  }

  Findings run() {
    while (at_ < text_.size()) scan('}');
    return std::move(findings_);
  }

 private:
  // What is inside one pair of brackets.
  struct Level {
    char close;
    Names part;           // drawn since the last operator that sequences
    Names item;           // drawn since the last comma
    Names all;            // drawn by all items
    Names handed;         // arguments of the call
    bool is_list = true;  // no `;` at this level
  };

  // Reads to the closing bracket; returns who draws in there when the expression is evaluated.
  Names scan(char close) {
    Level level;
    level.close = close;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') {
        word(level);
        continue;
      }
      ++at_;
      if (c == close) break;
      if (c == '(' || c == '[') {
        add(level.part, scan(c == '(' ? ')' : ']'));
      } else if (c == '{') {
        block(level);
      } else if (c == ',') {
        end_item(level);
      } else if (c == ';') {
        end_item(level);
        level.is_list = false;
        level.all.clear();
      } else if (sequences(c)) {
        end_part(level);
      }
    }
    end_item(level);
    if (!level.is_list) return {};
    for (const std::string& name : level.handed) insert(level.all, name);
    return level.all;
  }

  // A list in braces is part of the expression; a body is not, and ends a statement.
  void block(Level& level) {
    const size_t begin = at_;
    const Names drawn = scan('}');
    const bool body = text_.substr(begin, at_ - begin).find(';') != std::string::npos;
    if (body)
      end_item(level);
    else
      add(level.part, drawn);
  }

  void word(Level& level) {
    const size_t begin = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (!is_generator(name)) return;
    const size_t last = begin == 0 ? std::string::npos : text_.find_last_not_of(" \n", begin - 1);
    const char before = last == std::string::npos ? '\0' : text_[last];
    const size_t next = text_.find_first_not_of(" \n", at_);
    const char after = next == std::string::npos ? '\0' : text_[next];
    if (after == '.') {
      at_ = next + 1;
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
      if (at_ == text_.size() || text_[at_] != '(') return;
      // The arguments come before the call: they may draw themselves.
      ++at_;
      scan(')');
      add(level.part, {name});
    } else if (level.close == ')' && (before == '(' || before == ',') &&
               (after == ',' || after == ')')) {
      // Handed to a function, which draws after all of its arguments have been evaluated.
      insert(level.handed, name);
    }
  }

  static bool insert(Names& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return false;
    names.push_back(name);
    return true;
  }

  // Does the operator that begins with `c`, which has just been read, sequence its operands?
  bool sequences(char c) {
    const char next = at_ < text_.size() ? text_[at_] : '\0';
    const char last = at_ >= 2 ? text_[at_ - 2] : '\0';
    if (c == '?') return true;
    if (c == ':') return next != ':' && last != ':';
    if (c == '=')
      return next != '=' && last != '=' && last != '!' && last != '<' && last != '>';
    return (c == '&' || c == '|' || c == '<' || c == '>') && next == c;
  }

  // Into a part, where nothing orders them.
  void add(Names& part, const Names& drawn) {
    for (const std::string& name : drawn)
      if (!insert(part, name)) report(name);
  }

  static void end_part(Level& level) {
    for (const std::string& name : level.part) insert(level.item, name);
    level.part.clear();
  }

  // Items of a list in braces follow one another, arguments do not.
  void end_item(Level& level) {
    end_part(level);
    for (const std::string& name : level.item)
      if (!insert(level.all, name) && level.close == ')' && level.is_list) report(name);
    level.item.clear();
  }

  void report(const std::string& name) {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n');
    findings_.push_back(path_ + ":" + std::to_string(line) + ": " + name +
                        " draws twice in one expression: the order is open");
  }

  std::string path_;
  std::string text_;
  size_t at_ = 0;
  Findings findings_;
};

}  // namespace

Findings check_draws(const SourceFile& file) {
  if (!file.is_cpp()) return {};
  return DrawScanner(file).run();
}

}  // namespace ftlsim::tidy
