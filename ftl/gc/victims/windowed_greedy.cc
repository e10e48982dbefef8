// Windowed greedy: of the w superblocks that were opened first, the one with the least share of
// valid slots. w = 1 is FIFO, and greedy is its limit for large w: the window keeps superblocks out
// that are young and still lose data. (Hu et al., "Write amplification analysis in flash-based
// solid state drives", 2009.)
//
// The window counts superblocks that gain something; otherwise w full ones would block it.
#include <algorithm>

#include "ftl/gc/victim_policy.h"

namespace ftlsim {
namespace {

class WindowedGreedy final : public VictimPolicy {
 public:
  WindowedGreedy(const SuperblockTable& table, uint32_t window) : table_(table), window_(window) {
    candidates_.reserve(table.size());
  }

  SuperblockId choose(const VictimQuery& query) override {
    candidates_.clear();
    for (uint32_t s = 0; s < table_.size(); ++s)
      if (eligible(table_, SuperblockId(s), query)) candidates_.push_back(SuperblockId(s));
    const auto older = [this](SuperblockId a, SuperblockId b) {
      return table_[a].opened < table_[b].opened;
    };
    if (candidates_.size() > window_)
      std::nth_element(candidates_.begin(), candidates_.begin() + window_, candidates_.end(),
                       older);
    SuperblockId best;
    for (size_t i = 0; i < std::min<size_t>(window_, candidates_.size()); ++i)
      if (!best.valid() || better(candidates_[i], best)) best = candidates_[i];
    return best;
  }

 private:
  // Less valid; of equals the older one.
  bool better(SuperblockId a, SuperblockId b) const {
    const uint64_t va = uint64_t{table_.valid(a)} * table_.usable(b, CellMode::kTlc);
    const uint64_t vb = uint64_t{table_.valid(b)} * table_.usable(a, CellMode::kTlc);
    return va != vb ? va < vb : table_[a].opened < table_[b].opened;
  }

  const SuperblockTable& table_;
  uint32_t window_;
  std::vector<SuperblockId> candidates_;
};

struct WindowedGreedyConfig final : VictimConfig {
  uint32_t window = 64;
  void visit(FieldVisitor& v) override {
    v.field({"window", "superblocks, opened first, among which it chooses"}, window, 1, 100'000);
  }
  std::unique_ptr<VictimPolicy> make(const VictimContext& c) const override {
    return std::make_unique<WindowedGreedy>(c.table, window);
  }
};

}  // namespace

void register_windowed_greedy(VictimFamily& family) {
  family.add<WindowedGreedyConfig>("windowed_greedy",
                                   "the emptiest of the w superblocks that were opened first");
}

}  // namespace ftlsim
