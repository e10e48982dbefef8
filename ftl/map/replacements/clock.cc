// CLOCK: frames in a ring, one bit each. The hand clears the bit of a page that was used since it
// came or since the hand passed last (its second chance), and takes the first one without.
#include <algorithm>
#include <vector>

#include "ftl/map/replacement.h"

namespace ftlsim {
namespace {

class Clock final : public Replacement {
 public:
  explicit Clock(uint32_t frames) : state_(frames, State::kEmpty) {}

  void insert(uint32_t frame) override { state_[frame] = State::kUnused; }
  void touch(uint32_t frame) override { state_[frame] = State::kUsed; }
  void remove(uint32_t frame) override { state_[frame] = State::kEmpty; }
  uint32_t victim(FrameKeeper& keeper) override {
    const auto n = static_cast<uint32_t>(state_.size());
    // Two turns: the first clears every bit that is set, if it has to.
    for (uint32_t step = 0; step < 2 * n; ++step) {
      const uint32_t frame = hand_;
      hand_ = hand_ + 1 == n ? 0 : hand_ + 1;
      if (state_[frame] == State::kUsed)
        state_[frame] = State::kUnused;
      else if (state_[frame] == State::kUnused && keeper.give_up(frame))
        return frame;
    }
    return kNone;
  }
  void clear() override {
    std::fill(state_.begin(), state_.end(), State::kEmpty);
    hand_ = 0;
  }

 private:
  enum class State : uint8_t { kEmpty, kUnused, kUsed };
  std::vector<State> state_;
  uint32_t hand_ = 0;
};

struct ClockConfig final : ReplacementConfig {
  std::unique_ptr<Replacement> make(const ReplacementContext& context) const override {
    return std::make_unique<Clock>(context.frames);
  }
};

}  // namespace

void register_clock(ReplacementFamily& family) {
  family.add<ClockConfig>("clock", "a ring with a second chance for pages used since its turn");
}

}  // namespace ftlsim
