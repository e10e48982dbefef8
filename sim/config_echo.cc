// The effective configuration as YAML: every key with its value, in the order of the field tables.
//
// What is written here must load back to the same values.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

#include "sim/assert.h"
#include "sim/config.h"
#include "sim/config_scalar.h"

namespace ftlsim {
namespace {

bool is_plain_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-' || c == '.' || c == '/' || c == '+';
}

// A string as a YAML scalar: plain where that is safe, double-quoted otherwise.
std::string yaml_string(const std::string& text) {
  const bool null_word = text == "null" || text == "Null" || text == "NULL";
  const bool safe_start = !text.empty() && text.front() != '-' && text.front() != '.';
  if (safe_start && !null_word && std::all_of(text.begin(), text.end(), is_plain_char)) {
    return text;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      quoted += fmt::format("\\x{:02x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

class EchoWriter final : public FieldVisitor {
 public:
  std::string take_text() { return std::move(text_); }

  void field(const Field& f, bool& value) override { line(f, value ? "true" : "false"); }
  void field(const Field& f, uint32_t& value, uint32_t, uint32_t) override {
    line(f, fmt::format("{}", value));
  }
  void field(const Field& f, uint64_t& value, uint64_t, uint64_t) override {
    line(f, fmt::format("{}", value));
  }
  void ratio(const Field& f, double& value, double, double) override {
    line(f, format_real(value));
  }
  void number(const Field& f, double& value, double, double) override {
    line(f, format_real(value));
  }
  void field(const Field& f, Duration& value, Duration, Duration) override {
    line(f, format_duration(value));
  }
  void field(const Field& f, Bytes& value, Bytes, Bytes) override { line(f, format_bytes(value)); }
  void rate(const Field& f, uint64_t& value, uint64_t, uint64_t) override {
    line(f, format_rate(value));
  }
  void field(const Field& f, std::string& value) override { line(f, yaml_string(value)); }
  void physical(const Field& f, Physical kind, int64_t& value, int64_t, int64_t) override {
    line(f, format_physical(kind, value));
  }

 private:
  void choice_index(const Field& f, size_t& index, std::span<const ChoiceName> choices) override {
    line(f, yaml_string(std::string(choices[index].name)));
  }

  bool enter_section(const Field& f, TypeTag) override {
    open(f);
    return true;
  }
  void leave_section() override { close("{}"); }

  ListPlan enter_list(const Field& f, size_t&, size_t, size_t) override {
    open(f);
    return ListPlan::kVisit;
  }
  void leave_list() override { close("[]"); }

  bool enter_item(size_t, TypeTag) override {
    ++level_;
    item_start_ = true;
    return true;
  }
  void leave_item() override {
    if (item_start_) {
      indent();
      text_ += "{}\n";
    }
    --level_;
  }

  size_t select_alternative(std::span<const Field>, size_t current) override { return current; }

  // Starts a line; the first one of a list item carries the dash.
  void indent() {
    text_.append(level_ * 2, ' ');
    if (std::exchange(item_start_, false)) text_.replace(text_.size() - 2, 2, "- ");
  }

  void line(const Field& f, std::string_view value) {
    indent();
    text_ += fmt::format("{}: {}\n", f.key, value);
  }

  void open(const Field& f) {
    indent();
    text_ += fmt::format("{}:\n", f.key);
    starts_.push_back(text_.size());
    ++level_;
  }

  // Ends a collection; one without content is written as `empty` behind its key.
  void close(std::string_view empty) {
    if (text_.size() == starts_.back()) {
      text_.pop_back();
      text_ += fmt::format(" {}\n", empty);
    }
    starts_.pop_back();
    --level_;
  }

  std::string text_;
  size_t level_ = 0;
  bool item_start_ = false;
  std::vector<size_t> starts_;  // where the content of each open collection begins in text_
};

}  // namespace

std::string config_detail::echo(Root root) {
  EchoWriter writer;
  root.visit(root.object, writer);
  std::string text = writer.take_text();
  return text.empty() ? "{}\n" : text;
}

}  // namespace ftlsim
