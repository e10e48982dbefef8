// Binary heap with deferred root: the oracle that the wheel is tested against.
//
// Order is (key, insertion number). pop leaves a hole at the root that the next push fills, since
// most handlers schedule something. A cancelled entry stays as a tombstone until it surfaces.
// Slower than the wheel and growing, so for tests and comparison only.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/event.h"

namespace ftlsim {

class HeapQueue {
 public:
  HeapQueue() = default;
  HeapQueue(const HeapQueue&) = delete;
  HeapQueue& operator=(const HeapQueue&) = delete;
  ~HeapQueue() { clear(); }

  void push(Event& event) {
    pending_.push_back(event);  // marks it as pending
    const Entry entry{event.key_, next_++, &event};
    if (hole_) {
      hole_ = false;
      heap_[0] = entry;
      sift_down(0);
    } else {
      heap_.push_back(entry);
      sift_up(heap_.size() - 1);
    }
  }

  void erase(Event& event) {
    for (Entry& e : heap_)
      if (e.event == &event) e.event = nullptr;
    event.hook_.unlink();
  }

  Event* pop(uint64_t limit) {
    if (!settle() || heap_[0].key > limit) return nullptr;
    Event* event = heap_[0].event;
    hole_ = true;
    heap_[0].event = nullptr;
    event->hook_.unlink();
    return event;
  }

  uint64_t min_key() { return settle() ? heap_[0].key : UINT64_MAX; }

  void clear() {
    pending_.clear();
    heap_.clear();
    hole_ = false;
  }

 private:
  struct Entry {
    uint64_t key;
    uint64_t number;
    Event* event;  // nullptr: cancelled
    bool before(const Entry& o) const { return key != o.key ? key < o.key : number < o.number; }
  };
  using Pending =
      boost::intrusive::list<Event,
                             boost::intrusive::member_hook<Event, Event::Hook, &Event::hook_>,
                             boost::intrusive::constant_time_size<false>>;

  // Fills the hole and drops tombstones; false when nothing is pending.
  bool settle() {
    while (!heap_.empty() && (hole_ || heap_[0].event == nullptr)) {
      hole_ = false;
      heap_[0] = heap_.back();
      heap_.pop_back();
      if (!heap_.empty()) sift_down(0);
    }
    return !heap_.empty();
  }

  void sift_up(size_t i) {
    while (i > 0 && heap_[i].before(heap_[(i - 1) / 2])) {
      std::swap(heap_[i], heap_[(i - 1) / 2]);
      i = (i - 1) / 2;
    }
  }

  void sift_down(size_t i) {
    for (;;) {
      size_t least = i;
      for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < heap_.size(); ++child)
        if (heap_[child].before(heap_[least])) least = child;
      if (least == i) return;
      std::swap(heap_[i], heap_[least]);
      i = least;
    }
  }

  std::vector<Entry> heap_;
  Pending pending_;
  uint64_t next_ = 0;
  bool hole_ = false;
};

}  // namespace ftlsim
