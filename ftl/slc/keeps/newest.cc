// Newest: the data written last stay, up to a size.
#include "ftl/slc/keep_policy.h"
#include "nand/config.h"

namespace ftlsim {
namespace {

class NewestKept final : public SlcKeepPolicy {
 public:
  NewestKept(const SuperblockTable& table, uint64_t slots) : table_(table), slots_(slots) {}

  uint64_t slots() const override { return slots_; }
  // The oldest, whatever slc.fold.victim says: else the newest might go.
  SuperblockId victim() override {
    SuperblockId oldest;
    for (uint32_t s = 0; s < table_.size(); ++s) {
      const SuperblockId sb(s);
      if (table_.closed_flags()[s] == 0 || table_[sb].mode != CellMode::kSlc) continue;
      if (!oldest.valid() || table_[sb].opened < table_[oldest].opened) oldest = sb;
    }
    return oldest;
  }

 private:
  const SuperblockTable& table_;
  uint64_t slots_;
};

struct NewestKeptConfig final : SlcKeepConfig {
  Bytes size = Bytes::gb(4);

  void visit(FieldVisitor& v) override {
    v.field({"size", "SLC capacity that stays in use"}, size, Bytes(0), Bytes::tb(16));
  }
  void validate(const DriveConfig& drive, PolicyCheck& check) const override {
    check_kept_size(drive, size, check);
  }
  std::unique_ptr<SlcKeepPolicy> make(const SlcKeepContext& c) const override {
    return std::make_unique<NewestKept>(c.table, size.count() / kSlotBytes);
  }
};

}  // namespace

void register_newest(SlcKeepFamily& family) {
  family.add<NewestKeptConfig>("keep_newest", "the data written last, up to a size");
}

}  // namespace ftlsim
