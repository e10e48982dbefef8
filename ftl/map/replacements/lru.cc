// LRU: the page that has not been used for the longest time goes first.
#include "ftl/map/index_list.h"
#include "ftl/map/replacement.h"

namespace ftlsim {
namespace {

class Lru final : public Replacement {
 public:
  explicit Lru(uint32_t frames) : order_(frames) {}

  void insert(uint32_t frame) override { order_.push_front(frame); }
  void touch(uint32_t frame) override {
    if (order_.front() == frame) return;
    order_.remove(frame);
    order_.push_front(frame);
  }
  void remove(uint32_t frame) override { order_.remove(frame); }
  uint32_t victim(FrameKeeper& keeper) override {
    for (uint32_t f = order_.back(); f != IndexList::kNone; f = order_.before(f))
      if (keeper.give_up(f)) return f;
    return kNone;
  }
  void clear() override { order_.clear(); }

 private:
  IndexList order_;  // used last in front
};

struct LruPagesConfig final : ReplacementConfig {
  std::unique_ptr<Replacement> make(const ReplacementContext& context) const override {
    return std::make_unique<Lru>(context.frames);
  }
};

}  // namespace

void register_lru(ReplacementFamily& family) {
  family.add<LruPagesConfig>("lru", "the page that was not used for the longest time goes first");
}

}  // namespace ftlsim
