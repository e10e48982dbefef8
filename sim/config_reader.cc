// Document to struct.
#include "sim/config_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/assert.h"
#include "sim/config_scalar.h"
#include "sim/suggest.h"

namespace ftlsim {
namespace {

std::string format_integer(uint64_t value) { return fmt::format("{}", value); }

// "a, b, c"; long lists are cut, since they are only a help.
std::string join(std::span<const std::string_view> names) {
  constexpr size_t kLimit = 20;
  std::string text;
  for (size_t i = 0; i < names.size() && i < kLimit; ++i) {
    if (i > 0) text += ", ";
    text += names[i];
  }
  return names.size() > kLimit ? text + ", ..." : text;
}

}  // namespace

ConfigReader::ConfigReader(const ConfigNode& root, bool report_missing, Origins& origins,
                           Diagnostics& diagnostics)
    : report_missing_(report_missing), origins_(origins), diagnostics_(diagnostics) {
  SIM_ASSERT(root.kind == ConfigNode::Kind::kMap, "the root of a document must be a mapping");
  push(&root, "", root.origin);
  origins_.set("", root.origin);
}

void ConfigReader::finish() {
  SIM_ASSERT(frames_.size() == 1, "finish() inside a section");
  pop();
}

template <class T, class Parse, class Format>
void ConfigReader::scalar(const Field& f, T& value, T lo, T hi, Parse parse, Format format) {
  const ConfigNode* node = take(f, ConfigNode::Kind::kScalar);
  if (node == nullptr) return;
  std::string error;
  const auto parsed = parse(node->text, error);
  if (!parsed) {
    diagnostics_.error(node->origin, fmt::format("{}: {}", path_of(f.key), error));
  } else if (*parsed < lo || *parsed > hi) {
    diagnostics_.error(node->origin, fmt::format("{}: value {} is outside [{}, {}]", path_of(f.key),
                                                 node->text, format(lo), format(hi)));
  } else {
    value = static_cast<T>(*parsed);
  }
}

void ConfigReader::field(const Field& f, bool& value) {
  scalar(f, value, false, true, parse_bool, [](bool b) { return b ? "true" : "false"; });
}

void ConfigReader::field(const Field& f, uint32_t& value, uint32_t lo, uint32_t hi) {
  scalar(f, value, lo, hi, parse_integer, format_integer);
}

void ConfigReader::field(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) {
  scalar(f, value, lo, hi, parse_integer, format_integer);
}

void ConfigReader::ratio(const Field& f, double& value, double lo, double hi) {
  scalar(f, value, lo, hi, parse_ratio, format_real);
}

void ConfigReader::number(const Field& f, double& value, double lo, double hi) {
  scalar(f, value, lo, hi, parse_real, format_real);
}

void ConfigReader::field(const Field& f, Duration& value, Duration lo, Duration hi) {
  scalar(f, value, lo, hi, parse_duration, format_duration);
}

void ConfigReader::field(const Field& f, Bytes& value, Bytes lo, Bytes hi) {
  scalar(f, value, lo, hi, parse_bytes, format_bytes);
}

void ConfigReader::rate(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) {
  scalar(f, value, lo, hi, parse_rate, format_rate);
}

void ConfigReader::field(const Field& f, std::string& value) {
  const ConfigNode* node = take(f, ConfigNode::Kind::kScalar);
  if (node != nullptr) value = node->text;
}

void ConfigReader::physical(const Field& f, Physical kind, int64_t& value, int64_t lo, int64_t hi) {
  scalar(
      f, value, lo, hi,
      [kind](std::string_view text, std::string& error) {
        return parse_physical(kind, text, error);
      },
      [kind](int64_t v) { return format_physical(kind, v); });
}

void ConfigReader::choice_index(const Field& f, size_t& index,
                                std::span<const ChoiceName> choices) {
  const ConfigNode* node = take(f, ConfigNode::Kind::kScalar);
  if (node == nullptr) return;
  std::vector<std::string_view> names;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (choices[i].name == node->text) {
      index = i;
      return;
    }
    names.push_back(choices[i].name);
  }
  const auto guess = suggest(node->text, names);
  diagnostics_.error(
      node->origin,
      fmt::format("{}: unknown value {}{} (one of {})", path_of(f.key), quote(node->text),
                  guess ? fmt::format("; did you mean '{}'?", *guess) : "", join(names)));
}

bool ConfigReader::enter_section(const Field& f, TypeTag) {
  std::string path = path_of(f.key);
  const ConfigEntry* entry = take(f);
  if (entry == nullptr) {
    if (f.required) return false;  // One message for the section says it all.
    // Visited all the same: keys inside may be required.
    push(nullptr, std::move(path), Origin(frames_.back().origin));
    return true;
  }
  const ConfigNode& value = entry->value;
  if (value.kind == ConfigNode::Kind::kMap) {
    push(&value, std::move(path), entry->origin);
    return true;
  }
  if (value.kind == ConfigNode::Kind::kNull) {
    diagnostics_.error(
        entry->origin,
        fmt::format("{}: nothing is written here; write its keys, or {{}} for none", path));
  } else if (value.kind != ConfigNode::Kind::kInvalid) {
    diagnostics_.error(
        value.origin, fmt::format("{}: expected a mapping, found {}", path, kind_name(value.kind)));
  }
  return false;
}

void ConfigReader::leave_section() { pop(); }

FieldVisitor::ListPlan ConfigReader::enter_list(const Field& f, size_t& count, size_t lo,
                                                size_t hi) {
  const ConfigNode* node = take(f, ConfigNode::Kind::kList);
  if (node == nullptr) return ListPlan::kSkip;
  const size_t n = node->items.size();
  if (n > hi || (n < lo && report_missing_)) {
    diagnostics_.error(node->origin, fmt::format("{}: a list of {} items; the number must be in "
                                                 "[{}, {}]",
                                                 path_of(f.key), n, lo, hi));
    if (n > hi) return ListPlan::kSkip;
  }
  count = n;
  lists_.emplace_back(node, path_of(f.key));
  return ListPlan::kReplace;
}

bool ConfigReader::enter_item(size_t index, TypeTag) {
  const auto& [list, list_path] = lists_.back();
  const ConfigNode& node = list->items[index];
  std::string path = fmt::format("{}[{}]", list_path, index);
  if (node.kind == ConfigNode::Kind::kMap) {
    origins_.set(path, node.origin);
    push(&node, std::move(path), node.origin);
    return true;
  }
  if (node.kind != ConfigNode::Kind::kInvalid) {
    diagnostics_.error(node.origin,
                       fmt::format("{}: expected a mapping, found {}", path, kind_name(node.kind)));
  }
  return false;
}

void ConfigReader::leave_item() { pop(); }

void ConfigReader::leave_list() { lists_.pop_back(); }

size_t ConfigReader::select_alternative(std::span<const Field> alternatives, size_t) {
  size_t selected = kNone;
  const ConfigEntry* chosen = nullptr;
  bool several = false;
  std::vector<std::string_view> names;
  for (size_t i = 0; i < alternatives.size(); ++i) {
    names.push_back(alternatives[i].key);
    const ConfigNode* node = frames_.back().node;
    const ConfigEntry* entry = node == nullptr ? nullptr : node->find(alternatives[i].key);
    if (entry == nullptr) continue;
    if (chosen != nullptr) {
      diagnostics_.error(entry->origin, fmt::format("{} and '{}' exclude each other; write one of "
                                                    "them",
                                                    path_of(entry->key), chosen->key));
      several = true;
    } else {
      chosen = entry;
      selected = i;
    }
  }
  // The chosen one is taken when its section is entered.
  for (size_t i = 0; i < alternatives.size(); ++i) {
    if (i != selected || several) take({alternatives[i].key, ""});
  }
  const Frame& frame = frames_.back();
  if (chosen == nullptr && frame.node != nullptr && report_missing_) {
    diagnostics_.error(frame.origin,
                       fmt::format("{} needs exactly one of the keys {}",
                                   frame.path.empty() ? "the file" : frame.path, join(names)));
  }
  return several ? kNone : selected;
}

const ConfigEntry* ConfigReader::take(const Field& f) {
  Frame& frame = frames_.back();
  SIM_ASSERT(std::find(frame.known.begin(), frame.known.end(), f.key) == frame.known.end(),
             "key '{}' appears twice in one field table", f.key);
  frame.known.push_back(f.key);
  const ConfigEntry* entry = frame.node == nullptr ? nullptr : frame.node->find(f.key);
  if (entry == nullptr) {
    if (f.required) report_missing_key(f);
    return nullptr;
  }
  frame.used[static_cast<size_t>(entry - frame.node->entries.data())] = true;
  origins_.set(path_of(f.key), entry->origin);
  return entry;
}

const ConfigNode* ConfigReader::take(const Field& f, ConfigNode::Kind kind) {
  const ConfigEntry* entry = take(f);
  if (entry == nullptr || entry->value.kind == ConfigNode::Kind::kInvalid) return nullptr;
  const ConfigNode& value = entry->value;
  if (value.kind == kind) return &value;
  if (value.kind == ConfigNode::Kind::kNull) {
    diagnostics_.error(
        entry->origin,
        fmt::format("{}: nothing is written here; write a value or leave the key out",
                    path_of(f.key)));
  } else {
    diagnostics_.error(value.origin, fmt::format("{}: expected {}, found {}", path_of(f.key),
                                                 kind_name(kind), kind_name(value.kind)));
  }
  return nullptr;
}

void ConfigReader::push(const ConfigNode* node, std::string path, const Origin& origin) {
  const size_t entries = node == nullptr ? 0 : node->entries.size();
  frames_.push_back({node, std::move(path), origin, {}, std::vector<bool>(entries, false)});
}

void ConfigReader::pop() {
  const Frame& frame = frames_.back();
  for (size_t i = 0; i < frame.used.size(); ++i) {
    if (!frame.used[i]) report_unknown(frame.node->entries[i]);
  }
  frames_.pop_back();
}

std::string ConfigReader::path_of(std::string_view key) const {
  const std::string& prefix = frames_.back().path;
  return prefix.empty() ? std::string(key) : fmt::format("{}.{}", prefix, key);
}

void ConfigReader::report_missing_key(const Field& f) {
  if (!report_missing_) return;
  diagnostics_.error(frames_.back().origin,
                     fmt::format("missing required key '{}': {}", path_of(f.key), f.doc));
}

void ConfigReader::report_unknown(const ConfigEntry& entry) {
  const std::vector<std::string_view>& known = frames_.back().known;
  std::string help;
  if (const auto guess = suggest(entry.key, known)) {
    help = fmt::format("; did you mean '{}'?", *guess);
  } else if (!known.empty()) {
    help = fmt::format(" (known here: {})", join(known));
  }
  diagnostics_.error(entry.origin,
                     fmt::format("unknown key {}{}", quote(path_of(entry.key)), help));
}

}  // namespace ftlsim
