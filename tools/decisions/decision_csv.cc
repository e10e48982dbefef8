#include "tools/decisions/decision_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/assert.h"
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

DecisionCsv::DecisionCsv(const Simulator& sim, const std::filesystem::path& folder) : sim_(sim) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  for (size_t k = 0; k < kDecisions; ++k) {
    const std::filesystem::path path = folder / fmt::format("{}.csv", kDecisionKinds[k].name);
    files_[k].open(path, std::ios::binary);
    files_[k] << "t_s," << kDecisionKinds[k].columns << '\n';
    if (!files_[k]) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
  }
}

void DecisionCsv::decided(Decision kind, std::initializer_list<DecisionValue> values) {
  const auto k = static_cast<size_t>(kind);
  SIM_ASSERT(values.size() == columns_of(kDecisionKinds[k]), "a row of {} has {} values",
             kDecisionKinds[k].name, values.size());
  std::string row = fixed(static_cast<uint64_t>(sim_.now().to_ns()), 9);
  for (const DecisionValue& value : values) append_value(row, value);
  row += '\n';
  files_[k] << row;
}

void DecisionCsv::close() {
  for (size_t k = 0; k < kDecisions; ++k) {
    files_[k].close();
    if (!files_[k])
      throw std::runtime_error(
          fmt::format("cannot write decisions/{}.csv", kDecisionKinds[k].name));
  }
}

}  // namespace ftlsim
