// Hot: the superblocks that the host reads most stay, up to a size.
//
// The heat of a superblock is the number of host reads that it answered since the last idle time
// plus half of its heat before that, per slot that it takes, so that one that is half dead must
// earn its place with half of its slots.
#include <vector>

#include "ftl/slc/keep_policy.h"
#include "nand/config.h"

namespace ftlsim {
namespace {

class HotKept final : public SlcKeepPolicy {
 public:
  HotKept(const SuperblockTable& table, uint64_t slots)
      : table_(table), slots_(slots), seen_(table.size()) {}

  uint64_t slots() const override { return slots_; }
  SuperblockId victim() override {
    SuperblockId coldest;
    uint64_t least = 0;
    uint64_t least_written = 1;
    for (uint32_t s = 0; s < table_.size(); ++s) {
      const SuperblockId sb(s);
      if (table_.closed_flags()[s] == 0 || table_[sb].mode != CellMode::kSlc) continue;
      const uint64_t heat = heat_of(sb);
      const uint64_t written = table_[sb].written;
      // heat / written < least / least_written; of equals the one opened first.
      const uint64_t a = heat * least_written;
      const uint64_t b = least * written;
      if (coldest.valid() && (a > b || (a == b && table_[sb].opened > table_[coldest].opened)))
        continue;
      coldest = sb;
      least = heat;
      least_written = written;
    }
    return coldest;
  }
  void idle_begins() override {
    for (uint32_t s = 0; s < table_.size(); ++s) {
      const SuperblockId sb(s);
      seen_[s] = {table_[sb].opened, table_[sb].host_reads, heat_of(sb)};
    }
  }
  void reset() override { seen_.assign(seen_.size(), Seen{}); }

 private:
  struct Seen {
    uint64_t opened = 0;  // the life of the superblock that this is about
    uint64_t reads = 0;
    uint64_t heat = 0;
  };
  uint64_t heat_of(SuperblockId sb) const {
    const Superblock& now = table_[sb];
    const Seen& then = seen_[sb.value()];
    if (then.opened != now.opened) return now.host_reads;
    return then.heat / 2 + (now.host_reads - then.reads);
  }

  const SuperblockTable& table_;
  uint64_t slots_;
  std::vector<Seen> seen_;  // at the last idle time
};

struct HotKeptConfig final : SlcKeepConfig {
  Bytes size = Bytes::gb(4);

  void visit(FieldVisitor& v) override {
    v.field({"size", "SLC capacity that stays in use"}, size, Bytes(0), Bytes::tb(16));
  }
  void validate(const DriveConfig& drive, PolicyCheck& check) const override {
    check_kept_size(drive, size, check);
  }
  std::unique_ptr<SlcKeepPolicy> make(const SlcKeepContext& c) const override {
    return std::make_unique<HotKept>(c.table, size.count() / kSlotBytes);
  }
};

}  // namespace

void register_hot(SlcKeepFamily& family) {
  family.add<HotKeptConfig>("keep_hot", "the superblocks that the host reads most, up to a size");
}

}  // namespace ftlsim
