#include "tools/decisions/decision_csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "sim/assert.h"
#include "sim/diagnostics.h"
#include "sim/suggest.h"
#include "tools/run/numbers.h"

namespace ftlsim {
namespace {

constexpr size_t columns_of(const DecisionKind& kind) {
  size_t n = 1;
  for (const char c : std::string_view(kind.columns)) n += c == ',';
  return n;
}

void append_value(std::string& out, const DecisionValue& value) {
  switch (value.kind) {
    case DecisionValue::Kind::kInteger:
      fmt::format_to(std::back_inserter(out), ",{}", value.integer);
      return;
    case DecisionValue::Kind::kReal:
      fmt::format_to(std::back_inserter(out), ",{:.6f}", value.real);
      return;
    case DecisionValue::Kind::kText:
      fmt::format_to(std::back_inserter(out), ",{}", value.text);
      return;
  }
}

}  // namespace

std::optional<std::bitset<kDecisions>> parse_decision_kinds(std::string_view text,
                                                            std::string& error) {
  std::bitset<kDecisions> kinds;
  std::vector<std::string_view> names{"all"};
  for (size_t k = 0; k < kDecisions; ++k) {
    names.emplace_back(kDecisionKinds[k].name);
    if (text.empty()) kinds[k] = !kDecisionKinds[k].frequent;
  }
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) {
      const auto near = suggest(name, names);
      error = fmt::format("no decision is called {}{}; there are: {}", quote(name),
                          near ? fmt::format("; did you mean '{}'?", *near) : "",
                          fmt::join(names, ", "));
      return std::nullopt;
    }
    if (at == names.begin())
      kinds.set();
    else
      kinds.set(static_cast<size_t>(at - names.begin()) - 1);
  }
  return kinds;
}

DecisionCsv::DecisionCsv(const Simulator& sim, const std::filesystem::path& folder, Kinds kinds)
    : sim_(sim), kinds_(kinds) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (size_t k = 0; k < kDecisions; ++k) {
    if (!kinds_[k]) continue;
    const std::filesystem::path path = folder / fmt::format("{}.csv", kDecisionKinds[k].name);
    files_[k].open(path, std::ios::binary);
    files_[k] << "t_s," << kDecisionKinds[k].columns << '\n';
    if (!files_[k]) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
  }
}

void DecisionCsv::decided(Decision kind, std::initializer_list<DecisionValue> values) {
  const auto k = static_cast<size_t>(kind);
  if (!kinds_[k]) return;
  SIM_ASSERT(values.size() == columns_of(kDecisionKinds[k]), "a row of {} has {} values",
             kDecisionKinds[k].name, values.size());
  std::string row = fixed(static_cast<uint64_t>(sim_.now().to_ns()), 9);
  for (const DecisionValue& value : values) append_value(row, value);
  row += '\n';
  files_[k] << row;
}

void DecisionCsv::close() {
  for (size_t k = 0; k < kDecisions; ++k) {
    if (!kinds_[k]) continue;
    files_[k].close();
    if (!files_[k])
      throw std::runtime_error(
          fmt::format("cannot write decisions/{}.csv", kDecisionKinds[k].name));
  }
}

}  // namespace ftlsim
