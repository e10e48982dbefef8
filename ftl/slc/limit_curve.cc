#include "ftl/slc/limit_curve.h"

#include "nand/layout.h"

namespace ftlsim {

void LimitPoint::visit(FieldVisitor& v) {
  v.field({"free", "TLC capacity of superblocks without TLC data, less the reserves", true}, free,
          Bytes(0), Bytes::tb(64));
  v.field({"limit", "SLC capacity allowed then", true}, limit, Bytes(0), Bytes::tb(64));
}

LimitCurve::LimitCurve(const std::vector<LimitPoint>& points) {
  for (const LimitPoint& p : points)
    points_.push_back({p.free.count() / kSlotBytes, p.limit.count() / kSlotBytes});
}

uint64_t LimitCurve::at(uint64_t free_slots) const {
  if (points_.empty()) return 0;
  if (free_slots <= points_.front().free) return points_.front().limit;
  for (size_t i = 1; i < points_.size(); ++i) {
    if (free_slots >= points_[i].free) continue;
    const auto y0 = static_cast<__int128>(points_[i - 1].limit);
    const auto y1 = static_cast<__int128>(points_[i].limit);
    const auto x = static_cast<__int128>(free_slots - points_[i - 1].free);
    const auto width = static_cast<__int128>(points_[i].free - points_[i - 1].free);
    return static_cast<uint64_t>(y0 + (y1 - y0) * x / width);
  }
  return points_.back().limit;
}

}  // namespace ftlsim
