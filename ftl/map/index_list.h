// Doubly linked lists of small numbers (frames, translation pages) without nodes of their own.
//
// Links are arrays over all numbers, zero while unused, so that a large and mostly empty range
// costs no memory. A number is in the list at most once.
#pragma once

#include <cstdint>

#include "sim/arena.h"
#include "sim/assert.h"

namespace ftlsim {

class IndexList {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit IndexList(uint32_t count) : next_(size_t{count} + 1), previous_(size_t{count} + 1) {}

  bool empty() const { return size_ == 0; }
  uint32_t size() const { return size_; }
  bool contains(uint32_t i) const { return next_[i + 1] != 0; }
  // kNone if empty.
  uint32_t front() const { return size_ == 0 ? kNone : next_[0] - 2; }
  uint32_t back() const { return size_ == 0 ? kNone : previous_[0] - 2; }
  // The neighbour of a member towards the front, kNone at the front.
  uint32_t before(uint32_t i) const {
    return previous_[i + 1] == kEnd ? kNone : previous_[i + 1] - 2;
  }

  void push_front(uint32_t i) { link(i, kEnd, size_ == 0 ? kEnd : next_[0]); }
  void push_back(uint32_t i) { link(i, size_ == 0 ? kEnd : previous_[0], kEnd); }
  void remove(uint32_t i) {
    SIM_ASSERT(contains(i), "{} is not in the list", i);
    const uint32_t next = next_[i + 1];
    const uint32_t previous = previous_[i + 1];
    next_[previous - 1] = next;
    previous_[next - 1] = previous;
    next_[i + 1] = previous_[i + 1] = 0;
    --size_;
  }
  void clear() {
    next_.clear();
    previous_.clear();
    size_ = 0;
  }

 private:
  // Links hold position + 1, where position 0 is the head and number i is at i + 1; 0: not a
  // member.
  static constexpr uint32_t kEnd = 1;

  void link(uint32_t i, uint32_t previous, uint32_t next) {
    SIM_ASSERT(!contains(i), "{} is in the list already", i);
    next_[i + 1] = next;
    previous_[i + 1] = previous;
    next_[previous - 1] = i + 2;
    previous_[next - 1] = i + 2;
    ++size_;
  }

  LazyArray<uint32_t> next_;
  LazyArray<uint32_t> previous_;
  uint32_t size_ = 0;
};

}  // namespace ftlsim
