// The project's own text files, as the structure tests see them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ftlsim::tidy {

// One text file. `lines` is the text as it stands. `code`, of C++ files only, has the same shape,
// with comments, the contents of string and character literals and preprocessor lines replaced by
// spaces, so that a rule can look for words and braces without being misled.
struct SourceFile {
  std::string path;  // from the root of the tree, with '/'
  std::vector<std::string> lines;
  std::vector<std::string> code;

  bool is_cpp() const;
  // True if the file is inside the folder `dir`, given without a trailing slash.
  bool in(std::string_view dir) const;
};

// A file with this path and text, prepared for the rules.
SourceFile make_source(std::string path, std::string_view text);

// Every text file of the project below `root`, sorted by path. Build and output folders, fuzz
// corpora and binary files are left out.
std::vector<SourceFile> load_tree(const std::filesystem::path& root);

// The code of a C++ text as described above.
std::string blank_non_code(std::string_view text);

}  // namespace ftlsim::tidy
