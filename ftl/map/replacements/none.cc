// No map cache: the whole map is in the DRAM of the drive, nothing is ever replaced.
#include "ftl/map/replacement.h"

namespace ftlsim {
namespace {

struct NoMapCacheConfig final : ReplacementConfig {
  std::unique_ptr<Replacement> make(const ReplacementContext& /*context*/) const override {
    return nullptr;
  }
};

}  // namespace

void register_none(ReplacementFamily& family) {
  family.add<NoMapCacheConfig>("none", "the whole map is in the DRAM of the drive");
}

}  // namespace ftlsim
