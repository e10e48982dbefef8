// Loading and echoing configuration: the entry points. sim/config_schema.h describes it.
//
// Input is one YAML mapping. A key is a plain name, a value is a scalar, a mapping or a list of
// mappings. Anchors, aliases, tags, `<<` merge keys, null values and several documents are refused
// by name. At the top of a file `extends: other.yaml` names a base file, relative to the file that
// says so: mappings merge key by key, everything else in the extending file replaces what the base
// has. An override "a.b.c=value" (from --set) comes last; "list[2].key=value" reaches into a list
// that is written in the file. Its place in messages is "<cmdline>".
//
// Every problem is reported with its place, all in one pass. A key with an error keeps its default.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sim/config_visitor.h"
#include "sim/diagnostics.h"

namespace ftlsim {

// Where the values of a loaded configuration were written, by key path ("slc.limit",
// "steps[2].size").
class Origins {
 public:
  // The place of the key at `path`. For a key nobody wrote: the place of the innermost enclosing
  // section that was written (at least the file), with is_default set.
  Origin origin_of(std::string_view path) const;
  // The same as text for a message; "default" for a key nobody wrote.
  std::string place_of(std::string_view path) const;

  void set(std::string path, Origin origin);
  void clear() { places_.clear(); }

 private:
  std::map<std::string, Origin, std::less<>> places_;
};

namespace config_detail {

// Type-erased root struct.
struct Root {
  void* object;
  void (*visit)(void* object, FieldVisitor&);
};

template <class S>
Root root_of(S& s) {
  return {&s, [](void* object, FieldVisitor& v) { static_cast<S*>(object)->visit(v); }};
}

bool load_file(const std::filesystem::path& path, std::span<const std::string> overrides, Root root,
               Diagnostics& diagnostics, Origins* origins);
bool load_text(std::string_view text, const std::string& name,
               std::span<const std::string> overrides, Root root, Diagnostics& diagnostics,
               Origins* origins);
std::string echo(Root root);

}  // namespace config_detail

// Reads the file at `path` with its bases and the overrides into `out`. True if there was no error.
template <class S>
bool load_config(const std::filesystem::path& path, std::span<const std::string> overrides, S& out,
                 Diagnostics& diagnostics, Origins* origins = nullptr) {
  return config_detail::load_file(path, overrides, config_detail::root_of(out), diagnostics,
                                  origins);
}

// The same from text in memory; `name` stands for the file in messages. `extends` is refused.
template <class S>
bool load_config_text(std::string_view text, const std::string& name,
                      std::span<const std::string> overrides, S& out, Diagnostics& diagnostics,
                      Origins* origins = nullptr) {
  return config_detail::load_text(text, name, overrides, config_detail::root_of(out), diagnostics,
                                  origins);
}

// The effective configuration as YAML, every key written out. Loading it gives the same values
// back.
template <class S>
std::string echo_config(S& config) {
  return config_detail::echo(config_detail::root_of(config));
}

}  // namespace ftlsim
