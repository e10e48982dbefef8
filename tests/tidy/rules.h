// The rules of structure and determinism that a machine can check. Each looks at one file and
// returns what is wrong with it; tidy_test.cc applies all of them to the tree, and shows for each
// that it can fail.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/tidy/source_tree.h"

namespace ftlsim::tidy {

using Findings = std::vector<std::string>;  // "path:line: what is wrong"

// Includes name files from the root, and each layer includes only itself and what is below it.
Findings check_includes(const SourceFile& file);

// No file has more than 700 lines.
Findings check_file_length(const SourceFile& file);

// No function has more than 70 lines, from its first line to its closing brace.
Findings check_function_length(const SourceFile& file);

// Calls and types that would make results depend on the machine, or a library print or exit.
Findings check_banned(const SourceFile& file);

// No expression draws twice from one random generator (`rng`, `..._rng`, `rng_`), unless an operator
// or a list in braces says which draw comes first.
Findings check_draws(const SourceFile& file);

// No marks of unfinished work, and no path of some developer's machine.
Findings check_wording(const SourceFile& file);

// In NAND and drive files every value names its source, says that it is an estimate, or names the
// validation row it was calibrated on, in a comment on its line or right above; a drive has at most
// three calibrated keys.
Findings check_value_sources(const SourceFile& file);

// Nothing but the agreed entries at the top level, and a README.md there and in every layer.
Findings check_layout(const std::filesystem::path& root);

}  // namespace ftlsim::tidy
