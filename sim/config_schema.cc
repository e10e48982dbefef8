// JSON Schema (draft 2020-12) from field tables.
//
// A struct type that contains itself (a step that repeats steps) becomes a "$ref" to the place
// where it was first described.
#include "sim/config_schema.h"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/assert.h"
#include "sim/config_document.h"
#include "sim/config_scalar.h"

namespace ftlsim {
namespace {

using Json = nlohmann::ordered_json;

class SchemaWriter final : public FieldVisitor {
 public:
  explicit SchemaWriter(TypeTag type) { push("#", type); }

  Json finish() {
    Json properties = {{std::string(kExtendsKey),
                        {{"type", "string"},
                         {"description",
                          "base file, relative to this one; its keys apply where "
                          "this file has none"}}}};
    Json object = pop(false);
    properties.update(object["properties"]);
    object["properties"] = std::move(properties);
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
    schema.update(object);
    return schema;
  }

  void field(const Field& f, bool& value) override { add(f, {{"type", "boolean"}}, value); }
  void field(const Field& f, uint32_t& value, uint32_t lo, uint32_t hi) override {
    add(f, {{"type", "integer"}, {"minimum", lo}, {"maximum", hi}}, value);
  }
  void field(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) override {
    add(f, {{"type", "integer"}, {"minimum", lo}, {"maximum", hi}}, value);
  }
  void ratio(const Field& f, double& value, double lo, double hi) override {
    const Json real = {{"type", "number"}, {"minimum", lo}, {"maximum", hi}};
    const Json percent = {{"type", "string"}, {"pattern", percentage_pattern()}};
    add(f, {{"anyOf", Json::array({real, percent})}}, value);
  }
  void number(const Field& f, double& value, double lo, double hi) override {
    add(f, {{"type", "number"}, {"minimum", lo}, {"maximum", hi}}, value);
  }
  void field(const Field& f, Duration& value, Duration lo, Duration hi) override {
    quantity(f, duration_pattern(), format_duration(lo), format_duration(hi),
             format_duration(value));
  }
  void field(const Field& f, Bytes& value, Bytes lo, Bytes hi) override {
    quantity(f, bytes_pattern(), format_bytes(lo), format_bytes(hi), format_bytes(value));
  }
  void rate(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) override {
    quantity(f, rate_pattern(), format_rate(lo), format_rate(hi), format_rate(value));
  }
  void field(const Field& f, std::string& value) override {
    // An unquoted number or boolean is a string to the reader.
    add(f, {{"type", {"string", "number", "boolean"}}}, value);
  }
  void physical(const Field& f, Physical kind, int64_t& value, int64_t lo, int64_t hi) override {
    quantity(f, physical_pattern(kind), format_physical(kind, lo), format_physical(kind, hi),
             format_physical(kind, value));
  }

 private:
  // One struct being described.
  struct Object {
    std::string pointer;  // JSON pointer to it, "#/properties/slc"
    TypeTag type;
    Json properties = Json::object();
    std::vector<std::string> required = {};
    std::vector<std::string> alternatives = {};
  };

  void choice_index(const Field& f, size_t& index, std::span<const ChoiceName> choices) override {
    Json values = Json::array();
    for (const ChoiceName& c : choices) {
      values.push_back({{"const", std::string(c.name)}, {"description", std::string(c.doc)}});
    }
    add(f, {{"oneOf", std::move(values)}}, std::string(choices[index].name));
  }

  bool enter_section(const Field& f, TypeTag type) override {
    note_required(f);
    if (const std::string* known = find(type)) {
      property(f, {{"$ref", *known}});
      return false;
    }
    sections_.push_back(f);
    push(fmt::format("{}/properties/{}", objects_.back().pointer, f.key), type);
    return true;
  }
  void leave_section() override {
    Json object = pop(in_list());
    property(sections_.back(), std::move(object));
    sections_.pop_back();
  }

  ListPlan enter_list(const Field& f, size_t&, size_t lo, size_t hi) override {
    note_required(f);
    Json list = {{"type", "array"}, {"minItems", lo}};
    if (hi < kEvery) list["maxItems"] = hi;
    lists_.emplace_back(f, std::move(list));
    return ListPlan::kPrototype;
  }
  bool enter_item(size_t, TypeTag type) override {
    auto& [f, list] = lists_.back();
    if (const std::string* known = find(type)) {
      list["items"] = {{"$ref", *known}};
      return false;
    }
    push(fmt::format("{}/properties/{}/items", objects_.back().pointer, f.key), type);
    return true;
  }
  void leave_item() override { lists_.back().second["items"] = pop(true); }
  void leave_list() override {
    auto [f, list] = std::move(lists_.back());
    lists_.pop_back();
    property(f, std::move(list));
  }

  size_t select_alternative(std::span<const Field> alternatives, size_t) override {
    for (const Field& f : alternatives) objects_.back().alternatives.emplace_back(f.key);
    return kEvery;
  }

  bool in_list() const { return !lists_.empty(); }

  void push(std::string pointer, TypeTag type) { objects_.push_back({std::move(pointer), type}); }

  Json pop(bool state_required) {
    Object object = std::move(objects_.back());
    objects_.pop_back();
    Json schema = {{"type", "object"}, {"additionalProperties", false}};
    schema["properties"] = std::move(object.properties);
    if (state_required && !object.required.empty()) schema["required"] = object.required;
    if (state_required && !object.alternatives.empty()) {
      Json one_of = Json::array();
      for (const std::string& key : object.alternatives) {
        one_of.push_back({{"required", Json::array({key})}});
      }
      schema["oneOf"] = std::move(one_of);
    }
    return schema;
  }

  // Where a type that is being described stands, or nullptr.
  const std::string* find(TypeTag type) const {
    for (const Object& o : objects_) {
      if (o.type == type) return &o.pointer;
    }
    return nullptr;
  }

  void note_required(const Field& f) {
    if (f.required) objects_.back().required.emplace_back(f.key);
  }

  void property(const Field& f, Json schema) {
    Json described = {
        {"description", f.required ? fmt::format("{} (required)", f.doc) : std::string(f.doc)}};
    described.update(schema);
    objects_.back().properties[std::string(f.key)] = std::move(described);
  }

  // A required key has no default worth naming.
  void add(const Field& f, Json schema, Json default_value) {
    note_required(f);
    if (!f.required) schema["default"] = std::move(default_value);
    property(f, std::move(schema));
  }

  void quantity(const Field& f, std::string pattern, const std::string& lo, const std::string& hi,
                std::string default_value) {
    const std::string doc = fmt::format("{}; {} to {}", f.doc, lo, hi);
    add({f.key, doc, f.required}, {{"type", "string"}, {"pattern", std::move(pattern)}},
        std::move(default_value));
  }

  std::vector<Object> objects_;
  std::vector<Field> sections_;
  std::vector<std::pair<Field, Json>> lists_;
};

}  // namespace

nlohmann::ordered_json config_detail::schema(Root root, TypeTag type) {
  SchemaWriter writer(type);
  root.visit(root.object, writer);
  return writer.finish();
}

}  // namespace ftlsim
