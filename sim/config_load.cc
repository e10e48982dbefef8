// The entry points of sim/config.h that read: document, overrides, visit, places.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "sim/config.h"
#include "sim/config_document.h"
#include "sim/config_reader.h"

namespace ftlsim {

Origin Origins::origin_of(std::string_view path) const {
  const auto exact = places_.find(path);
  if (exact != places_.end()) return exact->second;
  while (!path.empty()) {
    const size_t cut = path.find_last_of(".[");
    path = path.substr(0, cut == std::string_view::npos ? 0 : cut);
    const auto it = places_.find(path);
    if (it == places_.end()) continue;
    Origin origin = it->second;
    origin.is_default = true;
    return origin;
  }
  return {"", 0, 0, true};
}

std::string Origins::place_of(std::string_view path) const {
  const Origin origin = origin_of(path);
  return origin.is_default ? "default" : origin.to_string();
}

void Origins::set(std::string path, Origin origin) {
  places_.insert_or_assign(std::move(path), std::move(origin));
}

namespace config_detail {
namespace {

// Reads `document` into the struct; `first_message` and `first_error` count what was there before
// this load began.
bool read(ConfigNode document, std::span<const std::string> overrides, Root root,
          Diagnostics& diagnostics, size_t first_message, size_t first_error, Origins* origins) {
  for (const std::string& text : overrides) apply_override(document, text, diagnostics);
  Origins unused;
  Origins& places = origins == nullptr ? unused : *origins;
  places.clear();
  // After an error in the document, a key that seems to be missing may only be unreadable.
  const bool complete = diagnostics.error_count() == first_error;
  ConfigReader reader(document, complete, places, diagnostics);
  root.visit(root.object, reader);
  reader.finish();
  diagnostics.sort_by_place(first_message);
  return diagnostics.error_count() == first_error;
}

}  // namespace

bool load_file(const std::filesystem::path& path, std::span<const std::string> overrides, Root root,
               Diagnostics& diagnostics, Origins* origins) {
  const size_t first_message = diagnostics.items().size();
  const size_t first_error = diagnostics.error_count();
  std::optional<ConfigNode> document = read_document(path, diagnostics);
  if (!document) return false;
  return read(std::move(*document), overrides, root, diagnostics, first_message, first_error,
              origins);
}

bool load_text(std::string_view text, const std::string& name,
               std::span<const std::string> overrides, Root root, Diagnostics& diagnostics,
               Origins* origins) {
  const size_t first_message = diagnostics.items().size();
  const size_t first_error = diagnostics.error_count();
  ConfigNode document = parse_yaml(text, name, diagnostics);
  if (const ConfigEntry* base = document.find(kExtendsKey)) {
    diagnostics.error(base->origin,
                      fmt::format("'{}' works in files only, not in this text", kExtendsKey));
    document.entries.erase(document.entries.begin() + (base - document.entries.data()));
  }
  return read(std::move(document), overrides, root, diagnostics, first_message, first_error,
              origins);
}

}  // namespace config_detail
}  // namespace ftlsim
