#include "workloads/trace/trace_tally.h"

#include <algorithm>

namespace ftlsim {

void ReasonCounts::add(std::string_view reason, uint64_t count) {
  for (size_t i = 0; i < used_; ++i) {
    if (entries_[i].reason != reason) continue;
    entries_[i].count += count;
    return;
  }
  if (used_ + 1 < kMost) {
    entries_[used_++] = {reason, count};
    return;
  }
  entries_[kMost - 1].reason = "other reasons";
  entries_[kMost - 1].count += count;
  used_ = kMost;
}

uint64_t ReasonCounts::total() const {
  uint64_t sum = 0;
  for (const Entry& e : entries()) sum += e.count;
  return sum;
}

void TraceTally::reject(uint64_t line, std::string_view reason, std::string_view text) {
  rejected.add(reason);
  if (kept_ == first_.size()) return;
  RejectedRecord& r = first_[kept_++];
  r.line = line;
  r.reason = reason;
  r.length = std::min(text.size(), r.text.size());
  std::copy_n(text.data(), r.length, r.text.data());
}

}  // namespace ftlsim
