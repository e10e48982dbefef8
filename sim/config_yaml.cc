// YAML text to ConfigNode, on the event interface of yaml-cpp.
//
// The event interface shows what the node interface hides: duplicate keys, anchors, aliases and
// tags. Size, encoding and nesting are limited, since yaml-cpp recurses on the nesting of its
// input.
#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "sim/assert.h"
#include "sim/config_node.h"

namespace ftlsim {
namespace {

// Ends parsing after a problem that has been reported.
struct StopParsing {};

// Builds the tree from events. The stack holds the open collections from the root down.
class TreeBuilder final : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, const std::string& file, Diagnostics& diagnostics)
      : text_(text), file_(file), diagnostics_(diagnostics) {}

  // What was read, also after an exception: then the open collections end where the parser stopped.
  ConfigNode take_root() {
    while (!stack_.empty()) close();
    return std::move(root_);
  }

  bool has_map() const { return root_.kind == ConfigNode::Kind::kMap; }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    add(node(ConfigNode::Kind::kNull, mark));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    diagnostics_.error(place(mark), "aliases ('*name') are not supported; write the value out");
    add(node(ConfigNode::Kind::kInvalid, mark));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    // With an anchor or a tag, which is an error of its own, the mark is not that of the scalar.
    if (anchor == 0 && !refuse_tag(mark, tag)) check_layout(mark, tag == "!", value);
    ConfigNode scalar = node(ConfigNode::Kind::kScalar, mark);
    scalar.text = value;
    add(std::move(scalar));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(ConfigNode::Kind::kList, mark);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    refuse_tag(mark, tag);
    open(ConfigNode::Kind::kMap, mark);
  }
  void OnMapEnd() override { close(); }

  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    diagnostics_.error(place(mark),
                       fmt::format("anchors are not supported: {}", quote('&' + name)));
  }

 private:
  struct Open {
    ConfigNode node;
    std::map<std::string, Origin> seen;  // keys of a mapping so far
    bool has_key = false;                // a mapping waits for the value of `key`
    bool drop_value = false;             // `key` was refused
    ConfigEntry entry = {};
  };

  // yaml-cpp counts from 0.
  Origin place(const YAML::Mark& mark) const { return {file_, mark.line + 1, mark.column + 1}; }

  ConfigNode node(ConfigNode::Kind kind, const YAML::Mark& mark) const {
    ConfigNode n;
    n.kind = kind;
    n.origin = place(mark);
    return n;
  }

  // "?" stands for a plain and "!" for a quoted scalar without a tag. True if there is a tag.
  bool refuse_tag(const YAML::Mark& mark, const std::string& tag) {
    if (tag.empty() || tag == "?" || tag == "!") return false;
    diagnostics_.error(place(mark), fmt::format("tags are not supported: {}", quote(tag)));
    return true;
  }

  // Reports a scalar that does not begin and end on the line of its mark.
  void check_layout(const YAML::Mark& mark, bool quoted, const std::string& value) {
    const size_t start = std::min(static_cast<size_t>(std::max(mark.pos, 0)), text_.size());
    const std::string_view rest = text_.substr(start);
    if (!quoted) {
      if (rest.starts_with(value)) return;  // Folded lines would show as a space.
      diagnostics_.error(place(mark), fmt::format("{} goes on over several lines; check the "
                                                  "indentation of the next line",
                                                  quote(value)));
    } else if (!rest.starts_with('"') && !rest.starts_with('\'')) {
      diagnostics_.error(place(mark), "block text ('|' and '>') is not supported");
    } else if (!closes_quote(rest)) {
      diagnostics_.error(place(mark), "the quote is not closed on this line");
    }
  }

  // Whether the quote at the start of `text` ends on the same line.
  static bool closes_quote(std::string_view text) {
    for (size_t i = 1; i < text.size() && text[i] != '\n' && text[i] != '\r'; ++i) {
      if (text[i] == text.front()) {
        const bool doubled = text.front() == '\'' && i + 1 < text.size() && text[i + 1] == '\'';
        if (!doubled) return true;
        ++i;
      } else if (text[i] == '\\' && text.front() == '"' && text.substr(i + 1, 1) != "\n") {
        ++i;  // Whatever is escaped, but for the end of the line.
      }
    }
    return false;
  }

  void open(ConfigNode::Kind kind, const YAML::Mark& mark) {
    if (stack_.size() >= kMaxConfigDepth) {
      diagnostics_.error(place(mark), fmt::format("nested deeper than {} levels", kMaxConfigDepth));
      throw StopParsing{};
    }
    stack_.emplace_back();
    stack_.back().node = node(kind, mark);
  }

  void close() {
    SIM_ASSERT(!stack_.empty(), "the YAML parser closed a collection that it did not open");
    ConfigNode finished = std::move(stack_.back().node);
    stack_.pop_back();
    add(std::move(finished));
  }

  void add(ConfigNode value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& top = stack_.back();
    if (top.node.kind == ConfigNode::Kind::kList) {
      top.node.items.push_back(std::move(value));
    } else if (!top.has_key) {
      top.has_key = true;
      top.drop_value = !accept_key(top, value);
    } else {
      top.has_key = false;
      if (top.drop_value) return;
      top.entry.value = std::move(value);
      top.node.entries.push_back(std::move(top.entry));
    }
  }

  bool accept_key(Open& map, ConfigNode& key) {
    if (key.kind == ConfigNode::Kind::kInvalid) return false;
    if (key.kind != ConfigNode::Kind::kScalar || key.text.empty()) {
      diagnostics_.error(key.origin, "a key must be a plain name");
      return false;
    }
    if (key.text == "<<") {
      diagnostics_.error(key.origin,
                         "merge keys ('<<') are not supported; write the keys out or use 'extends' "
                         "at the top of the file");
      return false;
    }
    const auto [first, is_new] = map.seen.emplace(key.text, key.origin);
    if (!is_new) {
      diagnostics_.error(key.origin,
                         fmt::format("key {} is given twice; first at {}", quote(path() + key.text),
                                     first->second.to_string()));
      return false;
    }
    map.entry.key = std::move(key.text);
    map.entry.origin = key.origin;
    return true;
  }

  // The key path of the innermost open mapping, with a '.' at its end unless it is the root.
  std::string path() const {
    std::string text;
    for (size_t i = 0; i + 1 < stack_.size(); ++i) {
      const Open& level = stack_[i];
      if (level.node.kind == ConfigNode::Kind::kList) {
        if (!text.empty()) text.pop_back();
        text += fmt::format("[{}].", level.node.items.size());
      } else {
        text += level.entry.key + '.';
      }
    }
    return text;
  }

  std::string_view text_;
  const std::string& file_;
  Diagnostics& diagnostics_;
  std::vector<Open> stack_;
  ConfigNode root_;
};

// The length of the UTF-8 sequence at the start of `text`, 0 if it is none (RFC 3629: no overlong
// forms, no surrogates, nothing past U+10FFFF).
size_t utf8_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  const unsigned low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < low || byte(1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

void parse_documents(std::string_view text, const std::string& file, Diagnostics& diagnostics,
                     TreeBuilder& builder) {
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder) || !builder.has_map()) return;
    TreeBuilder second(text, file, diagnostics);
    if (parser.HandleNextDocument(second)) {
      diagnostics.error(second.take_root().origin,
                        "text after the end of the document; one file holds one YAML document (is "
                        "the indentation right?)");
    }
  } catch (const StopParsing&) {
    // Reported where it was thrown.
  } catch (const YAML::Exception& e) {
    const Origin where =
        e.mark.is_null() ? Origin{file, 0, 0} : Origin{file, e.mark.line + 1, e.mark.column + 1};
    diagnostics.error(where, fmt::format("not valid YAML: {}", e.msg));
  }
}

}  // namespace

const ConfigEntry* ConfigNode::find(std::string_view key) const {
  for (const ConfigEntry& e : entries) {
    if (e.key == key) return &e;
  }
  return nullptr;
}

ConfigEntry* ConfigNode::find(std::string_view key) {
  return const_cast<ConfigEntry*>(std::as_const(*this).find(key));
}

std::string_view kind_name(ConfigNode::Kind kind) {
  switch (kind) {
    case ConfigNode::Kind::kNull:
      return "nothing";
    case ConfigNode::Kind::kScalar:
      return "a single value";
    case ConfigNode::Kind::kMap:
      return "a mapping";
    case ConfigNode::Kind::kList:
      return "a list";
    case ConfigNode::Kind::kInvalid:
      break;
  }
  return "something unreadable";
}

bool check_text(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  int line = 1;
  int col = 1;
  for (size_t i = 0; i < text.size();) {
    const size_t length = utf8_length(text.substr(i));
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool control =
        (byte < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || byte == 0x7F;
    if (length == 0 || control) {
      diagnostics.error({file, line, col},
                        fmt::format("byte 0x{:02x} is not text; is this a YAML file?", byte));
      return false;
    }
    ++col;
    if (byte == '\n') {
      ++line;
      col = 1;
    }
    i += length;
  }
  return true;
}

ConfigNode parse_yaml(std::string_view text, const std::string& file, Diagnostics& diagnostics) {
  ConfigNode empty;
  empty.kind = ConfigNode::Kind::kMap;
  empty.origin = {file, 1, 1};
  if (text.size() > kMaxConfigBytes) {
    diagnostics.error({file, 0, 0}, fmt::format("larger than {} bytes; is this a configuration?",
                                                kMaxConfigBytes));
    return empty;
  }
  if (!check_text(text, file, diagnostics)) return empty;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // Byte order mark.

  TreeBuilder builder(text, file, diagnostics);
  const size_t errors = diagnostics.error_count();
  parse_documents(text, file, diagnostics, builder);
  ConfigNode root = builder.take_root();
  if (root.kind == ConfigNode::Kind::kMap) return root;
  if (root.kind != ConfigNode::Kind::kNull && diagnostics.error_count() == errors) {
    diagnostics.error(root.origin, fmt::format("expected a mapping of keys to values, found {}",
                                               kind_name(root.kind)));
  }
  return empty;
}

}  // namespace ftlsim
