// Which slot will hold the newest version of a logical unit whose program has not completed.
//
// Reads ask it before the map. Units are kept in groups of 16 neighbours (64 KiB), so that a
// sequential write costs one look-up per 16 units and a random one a single node. Chained hash
// table over a fixed pool; the pool has a node for every slot of the write buffer, so it cannot run
// out.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "sim/assert.h"
#include "sim/ids.h"

namespace ftlsim {

class PendingIndex {
 public:
  static constexpr uint32_t kGroup = 16;

  // `slots`: most units pending at once. `content`: keep a content token per unit (verification).
  PendingIndex(uint32_t slots, bool content) : nodes_(slots) {
    uint32_t buckets = 64;
    while (buckets < slots) buckets *= 2;
    heads_.assign(buckets, kNone);
    if (content) tokens_.resize(slots);
    clear();
  }

  bool empty() const { return units_ == 0; }
  uint32_t units() const { return units_; }

  // The pending slot of a unit, invalid if none.
  Ppn find(Lpn lpn) const {
    if (units_ == 0) return Ppn::invalid();
    const uint32_t n = find_group(lpn.value() / kGroup);
    return n == kNone ? Ppn::invalid() : Ppn(nodes_[n].ppn[lpn.value() % kGroup]);
  }
  // True if any unit of the group of `lpn` is pending: otherwise 16 units need no further question.
  bool group_pending(Lpn lpn) const {
    return units_ != 0 && find_group(lpn.value() / kGroup) != kNone;
  }

  // Sets or replaces the pending slots of n units from lpn on; all in one group.
  void put(Lpn lpn, Ppn ppn, uint32_t n) {
    const uint32_t at = lpn.value() % kGroup;
    SIM_ASSERT(at + n <= kGroup, "a run crosses a group");
    uint32_t id = find_group(lpn.value() / kGroup);
    if (id == kNone) id = insert(lpn.value() / kGroup);
    Node& node = nodes_[id];
    // Counted in a local: the stores could be to any counter, as far as the compiler knows.
    uint32_t fresh = 0;
    for (uint32_t i = 0; i < n; ++i) {
      fresh += node.ppn[at + i] == UINT32_MAX;
      node.ppn[at + i] = ppn.value() + i;
    }
    node.used += fresh;
    units_ += fresh;
  }

  // Removes the units from lpn on (within one group) that still wait for exactly these slots.
  // Returns a mask of those removed: bit i for lpn + i.
  uint32_t settle(Lpn lpn, Ppn ppn, uint32_t n) {
    const uint32_t id = find_group(lpn.value() / kGroup);
    if (id == kNone) return 0;
    Node& node = nodes_[id];
    const uint32_t at = lpn.value() % kGroup;
    uint32_t mask = 0;
    for (uint32_t i = 0; i < n; ++i) {
      if (node.ppn[at + i] != ppn.value() + i) continue;
      node.ppn[at + i] = UINT32_MAX;
      mask |= 1u << i;
    }
    const auto settled = static_cast<uint32_t>(std::popcount(mask));
    node.used -= settled;
    units_ -= settled;
    if (node.used == 0) remove(id);
    return mask;
  }

  // Forgets a unit (trimmed); no effect if it is not pending.
  void drop(Lpn lpn) {
    const Ppn ppn = find(lpn);
    if (ppn.valid()) settle(lpn, ppn, 1);
  }

  // Content token of a pending unit.
  uint64_t& token(Lpn lpn) {
    return tokens_[find_group(lpn.value() / kGroup)][lpn.value() % kGroup];
  }

  void clear() {
    heads_.assign(heads_.size(), kNone);
    free_ = kNone;
    for (uint32_t i = static_cast<uint32_t>(nodes_.size()); i-- > 0;) {
      nodes_[i].next = free_;
      free_ = i;
    }
    units_ = 0;
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Node {
    uint32_t group = 0;
    uint32_t next = kNone;
    uint32_t used = 0;
    std::array<uint32_t, kGroup> ppn{};
  };

  uint32_t bucket(uint32_t group) const {
    return static_cast<uint32_t>((group * 0x9e3779b97f4a7c15u) >> 40) &
           static_cast<uint32_t>(heads_.size() - 1);
  }
  uint32_t find_group(uint32_t group) const {
    uint32_t n = heads_[bucket(group)];
    while (n != kNone && nodes_[n].group != group) n = nodes_[n].next;
    return n;
  }
  uint32_t insert(uint32_t group) {
    SIM_ASSERT(free_ != kNone, "pending index is full");
    const uint32_t id = free_;
    Node& node = nodes_[id];
    free_ = node.next;
    uint32_t& head = heads_[bucket(group)];
    node.group = group;
    node.used = 0;
    node.ppn.fill(UINT32_MAX);
    node.next = head;
    head = id;
    return id;
  }
  void remove(uint32_t id) {
    uint32_t* link = &heads_[bucket(nodes_[id].group)];
    while (*link != id) link = &nodes_[*link].next;
    *link = nodes_[id].next;
    nodes_[id].next = free_;
    free_ = id;
  }

  std::vector<Node> nodes_;
  std::vector<uint32_t> heads_;
  std::vector<std::array<uint64_t, kGroup>> tokens_;
  uint32_t free_ = kNone;
  uint32_t units_ = 0;
};

}  // namespace ftlsim
