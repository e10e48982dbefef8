#include "workloads/trace/trace_order.h"

#include <algorithm>

#include "sim/assert.h"

namespace ftlsim {
namespace {
constexpr int64_t kSpreadAbove = 1'000'000;
}  // namespace

TraceOrder::TraceOrder(int64_t resolution_ns)
    : resolution_ns_(resolution_ns), spreads_(resolution_ns > kSpreadAbove), ring_(2 * kWindow) {}

bool TraceOrder::needs_input() const {
  if (ended_ || spread_ > 0) return false;
  if (!spreads_) return size_ < kWindow;
  // The records of the first unit are complete when those of a later one fill the window.
  if (size_ >= kMostPerUnit) return false;
  return size_ < kWindow || at(size_ - kWindow).time_ns == at(0).time_ns;
}

void TraceOrder::push(const TraceRecord& record) {
  if (size_ == ring_.size()) grow();
  if (record.time_ns < newest_ns_) ++backward_;
  newest_ns_ = std::max(newest_ns_, record.time_ns);
  size_t place = size_++;
  for (; place > spread_ && at(place - 1).time_ns > record.time_ns; --place)
    at(place) = at(place - 1);
  at(place) = record;
}

bool TraceOrder::pop(TraceRecord& record) {
  if (size_ == 0 || needs_input()) return false;
  if (spreads_ && spread_ == 0) spread();
  record = at(0);
  first_ = (first_ + 1) & (ring_.size() - 1);
  --size_;
  if (spread_ > 0) --spread_;
  if (record.time_ns < last_ns_) {
    ++delayed_;
    record.time_ns = last_ns_;
  }
  last_ns_ = record.time_ns;
  return true;
}

void TraceOrder::grow() {
  std::vector<TraceRecord> larger(ring_.size() * 2);
  for (size_t i = 0; i < size_; ++i) larger[i] = at(i);
  ring_.swap(larger);
  first_ = 0;
}

// Gives the records of the first unit of time their places in it.
void TraceOrder::spread() {
  const int64_t time = at(0).time_ns;
  size_t n = 1;
  while (n < size_ && at(n).time_ns == time) ++n;
  for (size_t i = 0; i < n; ++i)
    at(i).time_ns =
        time + static_cast<int64_t>(static_cast<unsigned __int128>(resolution_ns_) * i / n);
  spread_ = n;
  SIM_ASSERT(spread_ <= size_, "{} of {}", spread_, size_);
}

}  // namespace ftlsim
