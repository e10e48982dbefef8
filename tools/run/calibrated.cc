// Which keys of a drive were calibrated, read from the comments of its files.
//
// Comments are no part of the configuration, so the text of the files is read once more, line by
// line. The files have been loaded without error before; the scan needs only their indentation.
#include <fstream>
#include <set>
#include <string_view>

#include "tools/run/inputs.h"

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "calibrated on ";
constexpr int kMaxFiles = 16;  // of an `extends:` chain

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\"'");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\"'") - first + 1);
}

// The key path of the line being read, from the indentation of the lines above.
class KeyPath {
 public:
  // A line without its comment. True if it names a key.
  bool take(std::string_view line) {
    size_t indent = line.find_first_not_of(' ');
    if (indent == std::string_view::npos) return false;
    if (line.substr(indent).starts_with("- ")) {
      pop(indent + 1);
      next_item();
      indent = line.find_first_not_of(' ', indent + 1);
      if (indent == std::string_view::npos) return false;
    }
    const size_t colon = line.find(':', indent);
    if (colon == std::string_view::npos) return false;
    pop(indent);
    levels_.push_back({indent, std::string(trim(line.substr(indent, colon - indent))), -1});
    return true;
  }

  std::string text() const {
    std::string path;
    for (const Level& level : levels_) {
      if (!path.empty()) path += '.';
      path += level.key;
      if (level.item >= 0) path += '[' + std::to_string(level.item) + ']';
    }
    return path;
  }

 private:
  struct Level {
    size_t indent;
    std::string key;
    int item;  // of the list below this key, -1 if none has begun
  };

  void pop(size_t indent) {
    while (!levels_.empty() && levels_.back().indent >= indent) levels_.pop_back();
  }
  void next_item() {
    if (!levels_.empty()) ++levels_.back().item;
  }

  std::vector<Level> levels_;
};

// Where the comment of a line begins; its length if there is none.
size_t comment_at(std::string_view line) {
  char quote = '\0';
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && (i == 0 || line[i - 1] == ' ')) {
      return i;
    }
  }
  return line.size();
}

// Keys that a file nearer to the user has written. A list written there replaces the whole list.
class Written {
 public:
  void add(const std::string& key) { keys_.insert(key); }
  bool has(const std::string& key) const {
    return keys_.contains(key) || keys_.contains(key.substr(0, key.find('[')));
  }

 private:
  std::set<std::string> keys_;
};

// Reads one file; returns the file it extends, or nothing. Keys in `nearer` do not count; those of
// this file are added to it.
fs::path scan(const fs::path& file, Written& nearer, std::vector<std::string>& out) {
  std::ifstream in(file);
  fs::path base;
  KeyPath path;
  Written here = nearer;
  for (std::string line; std::getline(in, line);) {
    const size_t comment = comment_at(line);
    const std::string_view content = std::string_view(line).substr(0, comment);
    if (!path.take(content)) continue;
    const std::string key = path.text();
    const std::string_view value = trim(content.substr(content.find(':') + 1));
    if (key == "extends") {
      base = file.parent_path() / value;
      continue;
    }
    here.add(key);
    const size_t mark = line.find(kMark, comment);
    if (mark == std::string::npos || nearer.has(key)) continue;
    const std::string_view rest = std::string_view(line).substr(mark + kMark.size());
    out.push_back(key + ": " + std::string(trim(rest.substr(0, rest.find_first_of(" (;,")))));
  }
  nearer = std::move(here);
  return base;
}

}  // namespace

std::vector<std::string> calibrated_keys(const fs::path& drive_file) {
  std::vector<std::string> out;
  Written written;
  fs::path file = drive_file;
  for (int i = 0; i < kMaxFiles && !file.empty(); ++i) file = scan(file, written, out);
  return out;
}

}  // namespace ftlsim
