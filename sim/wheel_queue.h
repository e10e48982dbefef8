// Radix-64 hierarchical timing wheel with intrusive FIFO slots: the production event queue.
//
// An event sits on the level of the highest 6-bit digit in which its key differs from `cursor_`,
// the greatest key up to which the wheel has advanced. Invariants: every pending key >= cursor_;
// all keys of level L are smaller than all keys of level L+1; within a slot of level 0 all keys are
// equal and in insertion order. So the order is (key, insertion) without any comparison sort.
// An event moves down a level before any later insertion can reach the lower slot: FIFO holds.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sim/event.h"

namespace ftlsim {

class WheelQueue {
 public:
  WheelQueue() = default;
  WheelQueue(const WheelQueue&) = delete;
  WheelQueue& operator=(const WheelQueue&) = delete;
  ~WheelQueue() { clear(); }

  // `event.key_` is set; it must be >= every key popped so far.
  void push(Event& event) {
    const uint64_t differ = event.key_ ^ cursor_;
    const unsigned level =
        differ == 0 ? 0 : (63u - static_cast<unsigned>(std::countl_zero(differ))) / 6;
    place(event, level);
  }

  // Removes a pending event. Its slot's bitmap bit may stay set; pop skips empty slots.
  void erase(Event& event) { event.hook_.unlink(); }

  // Removes and returns the first event whose key is <= limit, or nullptr.
  Event* pop(uint64_t limit) {
    while (levels_ != 0) {
      const auto level = static_cast<unsigned>(std::countr_zero(levels_));
      const auto slot = static_cast<unsigned>(std::countr_zero(bits_[level]));
      Slot& list = slots_[level][slot];
      if (list.empty()) {
        clear_bit(level, slot);
        continue;
      }
      Event& first = list.front();
      if (level == 0 || is_single(list)) {
        if (first.key_ > limit) return nullptr;
        cursor_ = first.key_;
        list.pop_front();
        if (list.empty()) clear_bit(level, slot);
        return &first;
      }
      const uint64_t base = slot_base(level, slot);
      if (base > limit) return nullptr;
      cascade(level, slot, base);
    }
    return nullptr;
  }

  // The smallest pending key, or UINT64_MAX. Does not advance.
  uint64_t min_key() {
    while (levels_ != 0) {
      const auto level = static_cast<unsigned>(std::countr_zero(levels_));
      const auto slot = static_cast<unsigned>(std::countr_zero(bits_[level]));
      uint64_t least = UINT64_MAX;
      for (const Event& e : slots_[level][slot]) least = e.key_ < least ? e.key_ : least;
      if (least != UINT64_MAX) return least;
      clear_bit(level, slot);
    }
    return UINT64_MAX;
  }

  // Forgets all pending events (they become schedulable again).
  void clear() {
    for (auto& level : slots_)
      for (auto& slot : level) slot.clear();
    bits_.fill(0);
    levels_ = 0;
  }

 private:
  using Slot =
      boost::intrusive::list<Event,
                             boost::intrusive::member_hook<Event, Event::Hook, &Event::hook_>,
                             boost::intrusive::constant_time_size<false>>;
  static constexpr unsigned kLevels = 11;  // 11 * 6 bits cover all 64-bit keys

  void place(Event& event, unsigned level) {
    const unsigned slot = static_cast<unsigned>(event.key_ >> (6 * level)) & 63;
    slots_[level][slot].push_back(event);
    bits_[level] |= uint64_t{1} << slot;
    levels_ |= 1u << level;
  }

  void clear_bit(unsigned level, unsigned slot) {
    bits_[level] &= ~(uint64_t{1} << slot);
    if (bits_[level] == 0) levels_ &= ~(1u << level);
  }

  static bool is_single(Slot& list) { return &list.front() == &list.back(); }

  // The smallest key that a slot of a level can hold.
  uint64_t slot_base(unsigned level, unsigned slot) const {
    const unsigned shift = 6 * level;
    const uint64_t above = shift + 6 >= 64 ? 0 : (cursor_ >> (shift + 6)) << (shift + 6);
    return above | (uint64_t{slot} << shift);
  }

  void cascade(unsigned level, unsigned slot, uint64_t base) {
    cursor_ = base;
    Slot& list = slots_[level][slot];
    clear_bit(level, slot);
    while (!list.empty()) {
      Event& event = list.front();
      list.pop_front();
      push(event);
    }
  }

  uint64_t cursor_ = 0;
  uint32_t levels_ = 0;
  std::array<uint64_t, kLevels> bits_{};
  std::array<std::array<Slot, 64>, kLevels> slots_;
};

}  // namespace ftlsim
