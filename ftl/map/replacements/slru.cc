// Segmented LRU (Karedla, Love, Wherry 1994): a page comes into the probationary segment and moves
// to the protected one when it is used again. The protected segment has a bounded share of the
// frames; what falls out of it gets another turn in the probationary one, which victims come from.
#include <algorithm>

#include "ftl/map/index_list.h"
#include "ftl/map/replacement.h"

namespace ftlsim {
namespace {

class SegmentedLru final : public Replacement {
 public:
  SegmentedLru(uint32_t frames, double protected_share)
      : probation_(frames),
        protected_(frames),
        most_protected_(static_cast<uint32_t>(static_cast<double>(frames) * protected_share)) {}

  void insert(uint32_t frame) override { probation_.push_front(frame); }
  void touch(uint32_t frame) override {
    if (protected_.contains(frame)) {
      protected_.remove(frame);
    } else {
      if (most_protected_ == 0) {
        probation_.remove(frame);
        probation_.push_front(frame);
        return;
      }
      probation_.remove(frame);
      if (protected_.size() == most_protected_) {
        const uint32_t oldest = protected_.back();
        protected_.remove(oldest);
        probation_.push_front(oldest);
      }
    }
    protected_.push_front(frame);
  }
  void remove(uint32_t frame) override {
    (protected_.contains(frame) ? protected_ : probation_).remove(frame);
  }
  uint32_t victim(FrameKeeper& keeper) override {
    for (const IndexList* list : {&probation_, &protected_})
      for (uint32_t f = list->back(); f != IndexList::kNone; f = list->before(f))
        if (keeper.give_up(f)) return f;
    return kNone;
  }
  void clear() override {
    probation_.clear();
    protected_.clear();
  }

 private:
  IndexList probation_;  // used last in front, as in the other
  IndexList protected_;
  uint32_t most_protected_;
};

struct SegmentedLruConfig final : ReplacementConfig {
  double protected_share = 0.8;  // estimate

  void visit(FieldVisitor& v) override {
    v.ratio({"protected_share", "of the frames, at most for pages that were used again"},
            protected_share, 0.0, 0.95);
  }
  std::unique_ptr<Replacement> make(const ReplacementContext& context) const override {
    return std::make_unique<SegmentedLru>(context.frames, protected_share);
  }
};

}  // namespace

void register_slru(ReplacementFamily& family) {
  family.add<SegmentedLruConfig>("slru", "segmented LRU: pages used again are protected");
}

}  // namespace ftlsim
