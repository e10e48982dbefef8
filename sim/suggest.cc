// Transposition-aware edit distance (optimal string alignment), three rows at a time.
#include "sim/suggest.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace ftlsim {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);  // row i - 2
  std::vector<size_t> above(b.size() + 1);   // row i - 1
  std::vector<size_t> row(b.size() + 1);     // row i
  for (size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::optional<std::string_view> suggest(std::string_view word,
                                        std::span<const std::string_view> candidates) {
  const size_t limit = std::max<size_t>(2, word.size() / 3);
  std::optional<std::string_view> best;
  size_t best_distance = limit + 1;
  for (const std::string_view candidate : candidates) {
    const size_t longer = std::max(word.size(), candidate.size());
    const size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter >= best_distance) continue;  // Also keeps huge words cheap.
    const size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance || distance >= longer) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace ftlsim
