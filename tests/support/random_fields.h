// Draws every policy of a configuration by name from its family, and all parameters of all policies
// within their ranges. What is not a policy keeps its value. New policies and parameters take part
// without a change here.
#pragma once

#include <limits>

#include "sim/config_visitor.h"
#include "sim/rng.h"

namespace ftlsim::test {

class RandomPolicies final : public FieldVisitor {
 public:
  explicit RandomPolicies(Rng& rng) : rng_(rng) {}

  void field(const Field&, bool& value) override {
    if (inside_) value = rng_.chance(1, 2);
  }
  void field(const Field&, uint32_t& value, uint32_t lo, uint32_t hi) override {
    if (inside_) value = static_cast<uint32_t>(draw(lo, hi));
  }
  void field(const Field&, uint64_t& value, uint64_t lo, uint64_t hi) override {
    if (inside_) value = draw(lo, hi);
  }
  void ratio(const Field&, double& value, double lo, double hi) override {
    if (inside_) value = real(lo, hi);
  }
  void number(const Field&, double& value, double lo, double hi) override {
    if (inside_) value = real(lo, hi);
  }
  void field(const Field&, Duration& value, Duration lo, Duration hi) override {
    if (inside_)
      value = Duration::ns(static_cast<int64_t>(
          draw(static_cast<uint64_t>(lo.to_ns()), static_cast<uint64_t>(hi.to_ns()))));
  }
  // A multiple of 4 KiB, often a power of two.
  void field(const Field&, Bytes& value, Bytes lo, Bytes hi) override {
    if (!inside_) return;
    uint64_t bytes = draw(lo.count(), hi.count());
    bytes -= bytes % 4096;
    if (rng_.chance(3, 4))
      while ((bytes & (bytes - 1)) != 0) bytes &= bytes - 1;
    value = Bytes(bytes < lo.count() ? lo.count() : bytes);
  }
  void rate(const Field&, uint64_t& value, uint64_t lo, uint64_t hi) override {
    if (!inside_) return;
    // Below 10 MB/s a test would wait for hours of simulated time.
    constexpr uint64_t kLeast = 10'000'000;
    value = rng_.chance(1, 2) ? lo : draw(lo > kLeast ? lo : kLeast, hi);
  }
  void field(const Field&, std::string&) override {}
  void physical(const Field&, Physical, int64_t&, int64_t, int64_t) override {}

 private:
  // Half of the draws are uniform, half small: ranges are wide and small values are the usual ones.
  uint64_t draw(uint64_t lo, uint64_t hi) {
    uint64_t span = hi - lo;
    if (rng_.chance(1, 2) && span > 16) span = 16;
    return lo + (span == std::numeric_limits<uint64_t>::max() ? rng_.next() : rng_.below(span + 1));
  }
  double real(double lo, double hi) {
    const double top = rng_.chance(1, 2) && hi > lo + 2 ? lo + 2 : hi;
    return lo + (top - lo) * rng_.unit();
  }

  void choice_index(const Field&, size_t& index, std::span<const ChoiceName> names) override {
    if (inside_ || named_) index = rng_.below(names.size());
    inside_ |= named_;
    named_ = false;
  }
  void enter_policy(const Field&, size_t, std::span<const ChoiceName>) override { named_ = true; }
  void leave_policy() override { inside_ = false; }
  bool enter_section(const Field&, TypeTag) override { return true; }
  void leave_section() override {}
  ListPlan enter_list(const Field&, size_t&, size_t, size_t) override { return ListPlan::kSkip; }
  bool enter_item(size_t, TypeTag) override { return true; }
  void leave_item() override {}
  void leave_list() override {}
  size_t select_alternative(std::span<const Field>, size_t current) override { return current; }

  Rng& rng_;
  bool named_ = false;   // the next choice is the name of a policy
  bool inside_ = false;  // what follows are parameters of policies
};

}  // namespace ftlsim::test
