// "Did you mean": the name that a mistyped word most likely stands for.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace ftlsim {

// The number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into
// `b`.
size_t edit_distance(std::string_view a, std::string_view b);

// The candidate nearest to `word`, the first of equals; none if even that is further than
// max(2, length of word / 3) edits away or has nothing in common with it.
std::optional<std::string_view> suggest(std::string_view word,
                                        std::span<const std::string_view> candidates);

}  // namespace ftlsim
