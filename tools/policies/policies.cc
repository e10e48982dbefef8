#include "tools/policies/policies.h"

#include <fmt/format.h>

#include <cstdio>
#include <iterator>
#include <vector>

#include "ftl/config.h"
#include "sim/config_scalar.h"
#include "sim/suggest.h"
#include "tools/run/run_command.h"

namespace ftlsim {
namespace {

struct PolicyParameter {
  std::string key;
  std::string range;
  std::string value;  // the default
  std::string doc;
};

struct PolicyText {
  std::string path;  // "gc.d_choices"
  std::string name;
  std::string doc;
  bool is_default = false;
  std::vector<PolicyParameter> parameters = {};
};

struct PolicyDecision {
  std::string path;  // "gc.victim"
  std::string doc;
  std::vector<PolicyText> policies = {};
};

// Collects the policies of a configuration struct while its field tables are visited.
class PolicyLister final : public FieldVisitor {
 public:
  std::vector<PolicyDecision> decisions;

  void field(const Field& f, bool& value) override {
    add(f, "false, true", value ? "true" : "false");
  }
  void field(const Field& f, uint32_t& value, uint32_t lo, uint32_t hi) override {
    add(f, fmt::format("{} to {}", lo, hi), fmt::format("{}", value));
  }
  void field(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) override {
    add(f, fmt::format("{} to {}", lo, hi), fmt::format("{}", value));
  }
  void ratio(const Field& f, double& value, double lo, double hi) override {
    number(f, value, lo, hi);
  }
  void number(const Field& f, double& value, double lo, double hi) override {
    add(f, fmt::format("{} to {}", format_real(lo), format_real(hi)), format_real(value));
  }
  void field(const Field& f, Duration& value, Duration lo, Duration hi) override {
    add(f, fmt::format("{} to {}", format_duration(lo), format_duration(hi)),
        format_duration(value));
  }
  void field(const Field& f, Bytes& value, Bytes lo, Bytes hi) override {
    add(f, fmt::format("{} to {}", format_bytes(lo), format_bytes(hi)), format_bytes(value));
  }
  void rate(const Field& f, uint64_t& value, uint64_t lo, uint64_t hi) override {
    add(f, fmt::format("{} to {}", format_rate(lo), format_rate(hi)), format_rate(value));
  }
  void field(const Field& f, std::string& value) override { add(f, "text", value); }
  void physical(const Field& f, Physical kind, int64_t& value, int64_t lo, int64_t hi) override {
    add(f, fmt::format("{} to {}", format_physical(kind, lo), format_physical(kind, hi)),
        format_physical(kind, value));
  }

 private:
  void choice_index(const Field& f, size_t& index, std::span<const ChoiceName> choices) override {
    if (starting_) {  // the name of the policy itself
      starting_ = false;
      return;
    }
    if (depth_ == kNone) {  // behaviours without parameters of their own are decisions, too
      PolicyDecision d{path_of(f.key), std::string(f.doc)};
      for (size_t i = 0; i < choices.size(); ++i)
        d.policies.push_back({path_of(choices[i].name), std::string(choices[i].name),
                              std::string(choices[i].doc), i == index});
      decisions.push_back(std::move(d));
      return;
    }
    std::string names;
    for (const ChoiceName& c : choices)
      fmt::format_to(std::back_inserter(names), "{}{}", names.empty() ? "" : ", ", c.name);
    add(f, names, std::string(choices[index].name));
  }
  void enter_policy(const Field& f, size_t index, std::span<const ChoiceName> names) override {
    PolicyDecision d{path_of(f.key), std::string(f.doc)};
    for (size_t i = 0; i < names.size(); ++i)
      d.policies.push_back({path_of(names[i].name), std::string(names[i].name),
                            std::string(names[i].doc), i == index});
    decisions.push_back(std::move(d));
    starting_ = true;
    depth_ = path_.size();
  }
  void leave_policy() override { depth_ = kNone; }

  bool enter_section(const Field& f, TypeTag) override {
    path_.emplace_back(f.key);
    return true;
  }
  void leave_section() override { path_.pop_back(); }
  ListPlan enter_list(const Field& f, size_t&, size_t lo, size_t hi) override {
    add(f, fmt::format("{} to {} items", lo, hi), "");
    return ListPlan::kSkip;
  }
  bool enter_item(size_t, TypeTag) override { return false; }
  void leave_item() override {}
  void leave_list() override {}
  size_t select_alternative(std::span<const Field>, size_t) override { return kNone; }

  std::string path_of(std::string_view key) const {
    std::string path;
    for (const std::string& section : path_) path += section + ".";
    return path + std::string(key);
  }
  // A key counts if it lies below the section of a policy.
  void add(const Field& f, std::string range, std::string value) {
    if (depth_ == kNone || path_.size() <= depth_) return;
    std::string key(f.key);
    for (size_t i = path_.size(); i-- > depth_ + 1;) key = path_[i] + "." + key;
    for (PolicyText& p : decisions.back().policies)
      if (p.name == path_[depth_])
        p.parameters.push_back(
            {std::move(key), std::move(range), std::move(value), std::string(f.doc)});
  }

  std::vector<std::string> path_;
  size_t depth_ = kNone;  // sections around the policy being visited
  bool starting_ = false;
};

std::vector<PolicyDecision> all_decisions() {
  DriveConfig config;
  PolicyLister lister;
  config.visit(lister);
  return std::move(lister.decisions);
}

std::string text_of(const PolicyText& policy) {
  std::string text;
  auto out = std::back_inserter(text);
  fmt::format_to(out, "{}{}\n  {}\n", policy.path, policy.is_default ? " (default)" : "",
                 policy.doc);
  for (const PolicyParameter& p : policy.parameters)
    fmt::format_to(out, "  {}.{}: {}\n      {} [{}]\n", policy.path, p.key, p.doc, p.range,
                   p.value);
  return text;
}

}  // namespace

std::string list_policies() {
  std::string text;
  auto out = std::back_inserter(text);
  for (const PolicyDecision& d : all_decisions()) {
    fmt::format_to(out, "{}: {}\n", d.path, d.doc);
    for (const PolicyText& p : d.policies)
      fmt::format_to(out, "  {:<18} {}{}\n", p.name, p.doc, p.is_default ? " (default)" : "");
  }
  return text;
}

std::string describe_policy(std::string_view name, std::string* near) {
  std::vector<std::string> names;
  for (const PolicyDecision& d : all_decisions()) {
    names.push_back(d.path);
    if (d.path == name) {
      std::string text = fmt::format("{}: {}\n", d.path, d.doc);
      for (const PolicyText& p : d.policies) text += "\n" + text_of(p);
      return text;
    }
    for (const PolicyText& p : d.policies) {
      if (p.path == name) return fmt::format("{}: {}\n\n{}", d.path, d.doc, text_of(p));
      names.push_back(p.path);
    }
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const auto guess = suggest(name, views);
  *near = guess ? std::string(*guess) : "";
  return "";
}

std::string policies_page() {
  std::string text =
      "# Policies\n\nWritten by `ftlsim policies --markdown` from the tables that read drive "
      "files. "
      "Choose one with its key, for\ninstance `gc: {victim: greedy}` or `--set gc.victim=greedy`; "
      "parameters stand beside it under the name of the\npolicy. How to write one: "
      "[howto-cache-policy.md](howto-cache-policy.md).\n";
  auto out = std::back_inserter(text);
  for (const PolicyDecision& d : all_decisions()) {
    fmt::format_to(out,
                   "\n## `{}`: {}\n\n| policy | | parameter | range | default | meaning "
                   "|\n|---|---|---|---|---|---|\n",
                   d.path, d.doc);
    for (const PolicyText& p : d.policies) {
      fmt::format_to(out, "| `{}`{} | {} | ", p.name, p.is_default ? " (default)" : "", p.doc);
      if (p.parameters.empty()) fmt::format_to(out, "– | | | |\n");
      for (size_t i = 0; i < p.parameters.size(); ++i) {
        const PolicyParameter& q = p.parameters[i];
        fmt::format_to(out, "{}`{}.{}` | {} | {} | {} |\n", i == 0 ? "" : "| | | ", p.path, q.key,
                       q.range, q.value, q.doc);
      }
    }
  }
  return text;
}

int policies_command(const std::string& name, bool markdown) {
  if (markdown) {
    fmt::print("{}", policies_page());
    return kExitOk;
  }
  if (name.empty()) {
    fmt::print("{}", list_policies());
    return kExitOk;
  }
  std::string near;
  const std::string text = describe_policy(name, &near);
  if (!text.empty()) {
    fmt::print("{}", text);
    return kExitOk;
  }
  fmt::print(stderr, "error: no decision or policy is called '{}'{}; 'ftlsim policies' lists all\n",
             name, near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
  return kExitInput;
}

}  // namespace ftlsim
