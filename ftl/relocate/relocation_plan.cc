#include "ftl/relocate/relocation_plan.h"

namespace ftlsim {

bool RelocationQueue::add(const SuperblockTable& table, const RelocationRequest& request) {
  const SuperblockId sb = request.superblock;
  if (count_ == kCapacity || table[sb].state != SuperblockState::kClosed) return false;
  for (uint32_t i = 0; i < count_;) {
    if (requests_[i].superblock != sb) {
      ++i;
      continue;
    }
    if (opened_[i] == table[sb].opened) return false;
    remove(i);  // asked for in a former life
  }
  requests_[count_] = request;
  opened_[count_] = table[sb].opened;
  ++count_;
  return true;
}

RelocationRequest RelocationQueue::take(const SuperblockTable& table, bool urgent_only) {
  uint32_t best = kCapacity;
  for (uint32_t i = 0; i < count_;) {
    const Superblock& s = table[requests_[i].superblock];
    if (s.state != SuperblockState::kClosed || s.opened != opened_[i]) {
      remove(i);
      continue;
    }
    if (best == kCapacity || (requests_[i].urgent && !requests_[best].urgent)) best = i;
    ++i;
  }
  if (best == kCapacity || (urgent_only && !requests_[best].urgent)) return {};
  const RelocationRequest request = requests_[best];
  remove(best);
  return request;
}

void RelocationQueue::remove(uint32_t i) {
  for (--count_; i < count_; ++i) {
    requests_[i] = requests_[i + 1];
    opened_[i] = opened_[i + 1];
  }
}

}  // namespace ftlsim
