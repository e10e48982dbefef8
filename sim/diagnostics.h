// Collected messages about user input.
//
// Bad input never aborts and never throws out of a library: every problem becomes one Diagnostic
// with a place, all of them are collected in one pass, and a tool prints them and exits with
// code 2. Messages keep the order in which they were added.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ftlsim {

enum class Severity : uint8_t { kError, kWarning, kNote };

// A place in user input. Lines and columns are 1-based; 0 means "not known" and is not printed, as
// for a value from the command line (file "<cmdline>").
struct Origin {
  std::string file;
  int line = 0;
  int col = 0;
  bool is_default = false;  // the key was not written: the place is that of the enclosing section

  // "file:line:col", or only the parts that are known.
  std::string to_string() const;
};

struct Diagnostic {
  std::string file;
  int line = 0;
  int col = 0;
  std::string message;
  Severity severity = Severity::kError;

  // "file:line:col: error: message"; unknown parts of the place are left out.
  std::string to_string() const;
};

class Diagnostics {
 public:
  void add(Severity severity, const Origin& where, std::string message);
  void error(const Origin& where, std::string message);
  void warning(const Origin& where, std::string message);
  void note(const Origin& where, std::string message);

  bool has_errors() const { return error_count_ > 0; }
  size_t error_count() const { return error_count_; }
  bool empty() const { return items_.empty(); }
  const std::vector<Diagnostic>& items() const { return items_; }

  // Sorts the messages from index `first` on by line and column within each file; files keep the
  // order in which they were first named. Notes count as messages of their own.
  void sort_by_place(size_t first);

  // All messages, one per line, each line ended by '\n'.
  std::string to_string() const;

 private:
  std::vector<Diagnostic> items_;
  size_t error_count_ = 0;
};

// `text` in single quotes for use in a message: control characters become '?', and text beyond 80
// bytes is cut (never inside a UTF-8 sequence) and marked with "...".
std::string quote(std::string_view text);

}  // namespace ftlsim
