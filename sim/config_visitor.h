// The field table of a configuration struct, as a visitor.
//
// A configuration struct lists its keys once, in `void visit(FieldVisitor&)`. From that one table
// come reading YAML, ranges, suggestions, `--set`, the effective-configuration echo and the JSON
// Schema, each as one FieldVisitor. What must hold:
//   * the value a member has before the visit is its default, and lies within the range given;
//   * a key appears once per struct, and holds no '.' and no '[';
//   * visit() names the same keys whatever the members hold. Alternatives go through one_of().
//
//   struct NandConfig {
//     Duration t_read = Duration::us(41);
//     uint32_t planes = 4;
//     void visit(FieldVisitor& v) {
//       v.field({"t_read", "page read time"}, t_read, Duration::us(1), Duration::ms(1));
//       v.field({"planes", "planes per die", true}, planes, 1, 16);
//     }
//   };
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sim/assert.h"
#include "sim/units.h"

namespace ftlsim {

// Physical quantities with units; the integer that holds one counts the step named here.
enum class Physical : uint8_t {
  kEnergy,             // nJ: "45uJ"
  kPower,              // uW: "2.4W"
  kTemperature,        // thousandths of a degree Celsius: "83C", "-5.5C"
  kThermalResistance,  // mK/W: "12K/W"
  kHeatCapacity,       // mJ/K: "1.5J/K"
};

struct Field {
  std::string_view key;   // as written in YAML
  std::string_view doc;   // one sentence for the schema and the reference page
  bool required = false;  // must be written by the user
};

// One value of an enumeration: how it is written, what it is, what it means.
template <class E>
struct Choice {
  std::string_view name;
  E value;
  std::string_view doc;
};

// A Choice without its type, for visitors.
struct ChoiceName {
  std::string_view name;
  std::string_view doc;
};

// Identity of a configuration struct type: lets the schema writer notice recursive types.
using TypeTag = const char*;
template <class S>
inline constexpr char kTypeTag = 0;

class FieldVisitor {
 public:
  FieldVisitor() = default;
  FieldVisitor(const FieldVisitor&) = delete;
  FieldVisitor& operator=(const FieldVisitor&) = delete;
  virtual ~FieldVisitor() = default;

  // Scalars. Ranges are inclusive.
  virtual void field(const Field&, bool&) = 0;
  virtual void field(const Field&, uint32_t&, uint32_t lo, uint32_t hi) = 0;
  virtual void field(const Field&, uint64_t&, uint64_t lo, uint64_t hi) = 0;
  virtual void ratio(const Field&, double&, double lo, double hi) = 0;        // "7%" or 0.07
  virtual void number(const Field&, double&, double lo, double hi) = 0;       // plain real
  virtual void field(const Field&, Duration&, Duration lo, Duration hi) = 0;  // "50us", "1.5ms"
  virtual void field(const Field&, Bytes&, Bytes lo, Bytes hi) = 0;           // "16KiB", "145GB"
  virtual void rate(const Field&, uint64_t& bytes_per_second, uint64_t lo, uint64_t hi) = 0;
  virtual void field(const Field&, std::string&) = 0;
  virtual void physical(const Field&, Physical, int64_t&, int64_t lo, int64_t hi) = 0;

  // One of the named values in `choices`; the member must hold one of them before the visit.
  template <class E>
  void choice(const Field& f, E& value, std::span<const Choice<E>> choices);
  template <class E, size_t N>
  void choice(const Field& f, E& value, const Choice<E> (&choices)[N]) {
    choice(f, value, std::span<const Choice<E>>(choices));
  }

  // A PolicyChoice (sim/policy.h): its name, and beside it one section for each policy that has
  // parameters.
  template <class P>
  void policy(const Field& f, P& value);

  // A nested struct with visit(). It may be left out unless it, or a key in it, is required.
  template <class S>
  void section(const Field& f, S& value);

  // A list of structs with visit(), lo to hi items. A list in the file replaces the default whole.
  template <class S>
  void list(const Field& f, std::vector<S>& items, size_t lo, size_t hi);

  // Exactly one of the keys `alternatives` must be written; key i holds the struct of the variant's
  // type i. For list elements such as procedure steps: `- write: {size: 1GiB}`, `- idle: {time:
  // 30min}`.
  template <class... S>
  void one_of(std::span<const Field, sizeof...(S)> alternatives, std::variant<S...>& value);

 protected:
  static constexpr size_t kNone = std::numeric_limits<size_t>::max();
  static constexpr size_t kEvery = kNone - 1;

  // What list() does with its vector.
  enum class ListPlan : uint8_t {
    kSkip,       // leave it as it is
    kVisit,      // visit the items that are there
    kReplace,    // make `count` fresh items and visit them
    kPrototype,  // visit one fresh item, leave the vector alone
  };

  virtual void choice_index(const Field&, size_t& index, std::span<const ChoiceName>) = 0;
  // Around the keys of a policy(); for visitors that list policies.
  virtual void enter_policy(const Field&, size_t /*index*/, std::span<const ChoiceName>) {}
  virtual void leave_policy() {}
  // False: do not visit the content (then leave_section is not called either).
  virtual bool enter_section(const Field&, TypeTag) = 0;
  virtual void leave_section() = 0;
  // leave_list is called after every plan but kSkip.
  virtual ListPlan enter_list(const Field&, size_t& count, size_t lo, size_t hi) = 0;
  virtual bool enter_item(size_t index, TypeTag) = 0;
  virtual void leave_item() = 0;
  virtual void leave_list() = 0;
  // The alternative to visit; kNone for none, kEvery to visit a fresh value of each.
  virtual size_t select_alternative(std::span<const Field>, size_t current) = 0;

 private:
  template <class S>
  void item(size_t index, S& value) {
    if (!enter_item(index, &kTypeTag<S>)) return;
    value.visit(*this);
    leave_item();
  }
  template <size_t I, class V>
  void alternative(const Field& f, V& value, size_t selected);
};

template <class E>
void FieldVisitor::choice(const Field& f, E& value, std::span<const Choice<E>> choices) {
  std::vector<ChoiceName> names;
  size_t index = kNone;
  for (const Choice<E>& c : choices) {
    if (c.value == value && index == kNone) index = names.size();
    names.push_back({c.name, c.doc});
  }
  SIM_ASSERT(index != kNone, "key '{}' holds a value that is not among its choices", f.key);
  choice_index(f, index, names);
  value = choices[index].value;
}

template <class P>
void FieldVisitor::policy(const Field& f, P& value) {
  std::vector<ChoiceName> names;
  for (const auto& entry : value.family().entries()) names.push_back({entry.name, entry.doc});
  size_t index = value.index();
  enter_policy(f, index, names);
  choice_index(f, index, names);
  value.select(index);
  for (size_t i = 0; i < names.size(); ++i) {
    if (!value.family().entries()[i].has_parameters) continue;
    if (!enter_section({names[i].name, names[i].doc}, names[i].name.data())) continue;
    value.config(i).visit(*this);
    leave_section();
  }
  leave_policy();
}

template <class S>
void FieldVisitor::section(const Field& f, S& value) {
  if (!enter_section(f, &kTypeTag<S>)) return;
  value.visit(*this);
  leave_section();
}

template <class S>
void FieldVisitor::list(const Field& f, std::vector<S>& items, size_t lo, size_t hi) {
  size_t count = items.size();
  const ListPlan plan = enter_list(f, count, lo, hi);
  if (plan == ListPlan::kSkip) return;
  if (plan == ListPlan::kPrototype) {
    S prototype{};
    item(0, prototype);
  } else {
    if (plan == ListPlan::kReplace) items = std::vector<S>(count);
    for (size_t i = 0; i < items.size(); ++i) item(i, items[i]);
  }
  leave_list();
}

template <size_t I, class V>
void FieldVisitor::alternative(const Field& f, V& value, size_t selected) {
  if (selected == kEvery) {
    std::variant_alternative_t<I, V> prototype{};
    section(f, prototype);
  } else if (selected == I) {
    if (value.index() != I) value.template emplace<I>();
    section(f, std::get<I>(value));
  }
}

template <class... S>
void FieldVisitor::one_of(std::span<const Field, sizeof...(S)> alternatives,
                          std::variant<S...>& value) {
  const size_t selected = select_alternative(alternatives, value.index());
  [&]<size_t... I>(std::index_sequence<I...>) {
    (alternative<I>(alternatives[I], value, selected), ...);
  }
  (std::index_sequence_for<S...>{});
}

}  // namespace ftlsim
