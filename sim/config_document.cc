// Files on disk to one merged document.
#include "sim/config_document.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace ftlsim {
namespace {

namespace fs = std::filesystem;

// The text of a regular file, or nothing and an error at `where` (the place that names the file).
std::optional<std::string> read_text(const fs::path& path, const Origin& where,
                                     Diagnostics& diagnostics) {
  const auto fail = [&](std::string_view why) {
    diagnostics.error(where, fmt::format("cannot read {}: {}", quote(path.string()), why));
    return std::nullopt;
  };
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (status.type() == fs::file_type::not_found) return fail("no such file");
  if (code) return fail(code.message());
  if (fs::is_directory(status)) return fail("it is a directory");
  if (!fs::is_regular_file(status)) return fail("it is not a regular file");
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail("permission denied");
  // One byte past the limit is enough to know that a file is too large.
  std::string text(kMaxConfigBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return fail("reading failed");
  text.resize(static_cast<size_t>(stream.gcount()));
  return text;
}

// Puts `overlay` over `base`: mappings merge key by key, anything else replaces.
void merge(ConfigNode& base, ConfigNode overlay) {
  if (base.kind != ConfigNode::Kind::kMap || overlay.kind != ConfigNode::Kind::kMap) {
    base = std::move(overlay);
    return;
  }
  base.origin = overlay.origin;
  std::map<std::string, size_t, std::less<>> index;
  for (size_t i = 0; i < base.entries.size(); ++i) index.emplace(base.entries[i].key, i);
  for (ConfigEntry& entry : overlay.entries) {
    const auto it = index.find(entry.key);
    if (it == index.end()) {
      base.entries.push_back(std::move(entry));
      continue;
    }
    ConfigEntry& below = base.entries[it->second];
    below.origin = entry.origin;
    merge(below.value, std::move(entry.value));
  }
}

// Takes the `extends` entry out of a document: the base file and the place that names it.
std::optional<std::pair<fs::path, Origin>> take_base(ConfigNode& document, const fs::path& path,
                                                     Diagnostics& diagnostics) {
  const ConfigEntry* entry = document.find(kExtendsKey);
  if (entry == nullptr) return std::nullopt;
  std::optional<std::pair<fs::path, Origin>> base;
  const ConfigNode& value = entry->value;
  if (value.kind == ConfigNode::Kind::kScalar && !value.text.empty()) {
    base.emplace(path.parent_path() / value.text, value.origin);
  } else if (value.kind != ConfigNode::Kind::kInvalid) {
    diagnostics.error(value.origin, fmt::format("'{}' needs the name of one file", kExtendsKey));
  }
  document.entries.erase(document.entries.begin() + (entry - document.entries.data()));
  return base;
}

// One step of an override's path: a key, then indices into lists.
struct PathStep {
  std::string_view key;
  std::vector<size_t> indices;
};

// "steps[2]" to {"steps", {2}}; nothing if malformed.
std::optional<PathStep> parse_step(std::string_view text) {
  PathStep step;
  step.key = text.substr(0, text.find('['));
  text.remove_prefix(step.key.size());
  while (!text.empty()) {
    const size_t close = text.find(']');
    if (text.front() != '[' || close == std::string_view::npos) return std::nullopt;
    size_t index = 0;
    const auto parsed = std::from_chars(text.data() + 1, text.data() + close, index);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + close) return std::nullopt;
    step.indices.push_back(index);
    text.remove_prefix(close + 1);
  }
  if (step.key.empty()) return std::nullopt;
  return step;
}

// "a.b[1].c" to its steps; nothing if malformed or too deep.
std::optional<std::vector<PathStep>> parse_path(std::string_view text) {
  std::vector<PathStep> steps;
  while (steps.size() < kMaxConfigDepth) {
    const size_t dot = text.find('.');
    std::optional<PathStep> step = parse_step(text.substr(0, dot));
    if (!step) return std::nullopt;
    steps.push_back(std::move(*step));
    if (dot == std::string_view::npos) return steps;
    text.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

// The node that `step` names below `node`, made if it is missing; nullptr if an index leads
// nowhere.
ConfigNode* descend(ConfigNode& node, const PathStep& step) {
  if (node.kind != ConfigNode::Kind::kMap) {
    node = ConfigNode{};
    node.kind = ConfigNode::Kind::kMap;
    node.origin = {kCommandLine};
  }
  ConfigEntry* entry = node.find(step.key);
  if (entry == nullptr) {
    if (!step.indices.empty()) return nullptr;
    node.entries.push_back({std::string(step.key), {kCommandLine}, {}});
    entry = &node.entries.back();
  }
  ConfigNode* target = &entry->value;
  for (const size_t index : step.indices) {
    if (target->kind != ConfigNode::Kind::kList || index >= target->items.size()) return nullptr;
    target = &target->items[index];
  }
  // The key now has its value from here, unless only something inside it changes.
  if (target->kind != ConfigNode::Kind::kMap && step.indices.empty())
    entry->origin = {kCommandLine};
  return target;
}

}  // namespace

std::optional<ConfigNode> read_document(const fs::path& path, Diagnostics& diagnostics) {
  std::optional<ConfigNode> document;
  std::vector<ConfigNode> overlays;  // from the outermost file towards its bases
  std::set<fs::path> visited;
  std::optional<std::pair<fs::path, Origin>> next;
  next.emplace(path, Origin{path.string()});
  while (next) {
    const fs::path file = next->first.lexically_normal();
    std::error_code code;
    if (!visited.insert(fs::weakly_canonical(file, code)).second) {
      diagnostics.error(next->second, fmt::format("'{}' goes round in a circle: {} is already in "
                                                  "the chain",
                                                  kExtendsKey, quote(file.string())));
      break;
    }
    const std::optional<std::string> text = read_text(file, next->second, diagnostics);
    if (!text) break;
    ConfigNode root = parse_yaml(*text, file.string(), diagnostics);
    next = take_base(root, file, diagnostics);
    overlays.push_back(std::move(root));
  }
  while (!overlays.empty()) {
    if (!document) {
      document = std::move(overlays.back());
    } else {
      merge(*document, std::move(overlays.back()));
    }
    overlays.pop_back();
  }
  return document;
}

void apply_override(ConfigNode& root, const std::string& text, Diagnostics& diagnostics) {
  const Origin where{kCommandLine};
  if (!check_text(text, kCommandLine, diagnostics)) return;
  const size_t equals = text.find('=');
  if (equals == std::string::npos) {
    diagnostics.error(where, fmt::format("override {} is not of the form key=value", quote(text)));
    return;
  }
  const std::string_view path = std::string_view(text).substr(0, equals);
  const auto steps = parse_path(path);
  if (!steps) {
    diagnostics.error(where, fmt::format("override {}: {} is not a key path such as 'slc.limit'",
                                         quote(text), quote(path)));
    return;
  }
  ConfigNode* node = &root;
  for (const PathStep& step : *steps) {
    node = descend(*node, step);
    if (node == nullptr) {
      diagnostics.error(where, fmt::format("override {}: the file has no such list item at {}",
                                           quote(text), quote(step.key)));
      return;
    }
  }
  *node = ConfigNode{};
  node->kind = ConfigNode::Kind::kScalar;
  node->origin = where;
  node->text = text.substr(equals + 1);
}

}  // namespace ftlsim
