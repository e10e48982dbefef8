// Policies by name: for each decision a family, in it one entry per policy.
//
// An entry names a configuration struct that holds the parameters of the policy and makes it. A
// configuration has a PolicyChoice per decision: which policy, and the parameters of all of them,
// so that a sweep can change the name alone. FieldVisitor::policy() reads, prints and describes it:
//
//   gc:
//     victim: d_choices        # the name
//     d_choices: {d: 8}        # parameters, beside it under the name of the policy
//
// A family is filled once, in one function that lists its entries (FTLSIM_POLICY below), and
// constant from then on. How to add a policy: docs/howto-cache-policy.md.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/assert.h"
#include "sim/config.h"
#include "sim/config_visitor.h"
#include "sim/diagnostics.h"

namespace ftlsim {

// Where a policy reports parameters that do not fit together or do not fit the rest.
class PolicyCheck {
 public:
  // `section` is the key path that holds the choice ("gc"), `policy` the name chosen.
  PolicyCheck(std::string section, std::string_view policy, const Origins& origins,
              Diagnostics& diagnostics)
      : prefix_(fmt::format("{}.{}", section, policy)), origins_(origins), d_(diagnostics) {}

  // An error at a parameter of the policy: "gc.d_choices.d: <message>".
  void error(std::string_view key, std::string_view message) {
    const std::string path = fmt::format("{}.{}", prefix_, key);
    d_.error(origins_.origin_of(path), fmt::format("{}: {}", path, message));
  }
  // An error at any other key.
  void error_at(std::string_view path, std::string_view message) {
    d_.error(origins_.origin_of(path), fmt::format("{}: {}", path, message));
  }
  // "slc.limit (drive.yaml:12:3)": another key to name in a message.
  std::string place(std::string_view path) const {
    return fmt::format("{} ({})", path, origins_.place_of(path));
  }

 private:
  std::string prefix_;
  const Origins& origins_;
  Diagnostics& d_;
};

// Parameters of one policy. `Policy` is the interface that decides, `Context` what its makers get,
// `Subject` the configuration around it.
template <class Policy, class Context, class Subject>
class PolicyConfig {
 public:
  virtual ~PolicyConfig() = default;
  // The field table of the parameters; left out by a policy that has none.
  virtual void visit(FieldVisitor& /*v*/) {}
  // Rules beyond the range of one key. Called for the chosen policy only.
  virtual void validate(const Subject& /*subject*/, PolicyCheck& /*check*/) const {}
  virtual std::unique_ptr<Policy> make(const Context& context) const = 0;
};

template <class PolicyType, class ContextType, class SubjectType>
class PolicyFamily {
 public:
  using Policy = PolicyType;
  using Context = ContextType;
  using Subject = SubjectType;
  using Config = PolicyConfig<Policy, Context, Subject>;
  struct Entry {
    std::string_view name;
    std::string_view doc;  // one sentence for lists and pages
    bool has_parameters;
    std::unique_ptr<Config> (*fresh)();
    std::unique_ptr<Config> (*copy)(const Config&);
  };

  PolicyFamily() = default;
  // Filled by `fill`, which lists the entries with FTLSIM_POLICY.
  explicit PolicyFamily(void (*fill)(PolicyFamily&)) { fill(*this); }

  // T derives from Config. Names are unique within a family and live as long as the program.
  template <class T>
  void add(std::string_view name, std::string_view doc) {
    SIM_ASSERT(index_of(name) == entries_.size(), "policy '{}' is registered twice", name);
    constexpr bool has_parameters = !std::is_same_v<decltype(&T::visit), decltype(&Config::visit)>;
    entries_.push_back({name, doc, has_parameters,
                        []() -> std::unique_ptr<Config> { return std::make_unique<T>(); },
                        [](const Config& from) -> std::unique_ptr<Config> {
                          return std::make_unique<T>(static_cast<const T&>(from));
                        }});
  }

  const std::vector<Entry>& entries() const { return entries_; }
  // entries().size() if there is none of that name.
  size_t index_of(std::string_view name) const {
    size_t i = 0;
    while (i < entries_.size() && entries_[i].name != name) ++i;
    return i;
  }

 private:
  std::vector<Entry> entries_;
};

// An entry of a family, in the function that lists them. It calls `register_NAME(family)`, which
// the file of the policy defines in this namespace, so that there is no other list to keep in step:
//
//   const SlcSizeFamily& slc_sizes() {
//     static const SlcSizeFamily kFamily([](SlcSizeFamily& family) {
//       FTLSIM_POLICY(none);  // void register_none(SlcSizeFamily&) in none.cc
//     });
//     return kFamily;
//   }
//
// Families are distinct types: entries of two families may bear the same name.
#define FTLSIM_POLICY(name)                                              \
  do {                                                                   \
    void register_##name(std::remove_reference_t<decltype(family)>& to); \
    register_##name(family);                                             \
  } while (false)

// The member of a configuration struct: one policy chosen, parameters of all.
template <class FamilyType>
class PolicyChoice {
 public:
  using Family = FamilyType;
  using Config = typename Family::Config;

  // The family must outlive the choice; `name` must be one of it.
  PolicyChoice(const Family& family, std::string_view name) : family_(&family) {
    select(name);
    for (const auto& entry : family.entries()) configs_.push_back(entry.fresh());
  }
  PolicyChoice(const PolicyChoice& other) : family_(other.family_), index_(other.index_) {
    for (size_t i = 0; i < other.configs_.size(); ++i)
      configs_.push_back(family_->entries()[i].copy(*other.configs_[i]));
  }
  PolicyChoice& operator=(PolicyChoice other) noexcept {
    std::swap(family_, other.family_);
    std::swap(index_, other.index_);
    configs_.swap(other.configs_);
    return *this;
  }
  PolicyChoice(PolicyChoice&&) noexcept = default;
  ~PolicyChoice() = default;

  const Family& family() const { return *family_; }
  size_t index() const { return index_; }
  std::string_view name() const { return family_->entries()[index_].name; }
  bool is(std::string_view name) const { return this->name() == name; }
  void select(size_t index) { index_ = index; }
  // Asserts that the name is registered.
  void select(std::string_view name) {
    index_ = family_->index_of(name);
    SIM_ASSERT(index_ < family_->entries().size(), "no policy is called '{}'", name);
  }
  Config& config(size_t index) { return *configs_[index]; }
  // The parameters of the policy named, as the struct that registered it.
  template <class T>
  T& parameters(std::string_view name) {
    return static_cast<T&>(*configs_[family_->index_of(name)]);
  }

  std::unique_ptr<typename Family::Policy> make(const typename Family::Context& context) const {
    return configs_[index_]->make(context);
  }
  // `section` is the key path that holds this choice.
  void validate(const typename Family::Subject& subject, std::string section,
                const Origins& origins, Diagnostics& diagnostics) const {
    PolicyCheck check(std::move(section), name(), origins, diagnostics);
    configs_[index_]->validate(subject, check);
  }

 private:
  const Family* family_;
  size_t index_ = 0;
  std::vector<std::unique_ptr<Config>> configs_;
};

}  // namespace ftlsim
