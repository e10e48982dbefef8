#include "ftl/rain/parity_plan.h"

#include <bit>

namespace ftlsim {

uint32_t ParityPlan::parity_rows(DieId die, uint32_t rows) const {
  if (dies_ == 0) return 0;
  const uint32_t first = dies_ - 1 - die.value() % dies_;  // its first row with parity
  return first < rows ? (rows - first - 1) / dies_ + 1 : 0;
}

uint32_t ParityPlan::full_slots(const Layout& layout, CellMode mode) const {
  uint32_t units = 0;
  for (uint32_t i = 0; i < layout.width(); ++i)
    units += layout.rows() - parity_rows(DieId(static_cast<uint16_t>(i)), layout.rows());
  return units * layout.unit_slots(mode);
}

uint32_t ParityPlan::data_slots(const Media& media, SuperblockId sb, CellMode mode) const {
  const Layout& layout = media.layout();
  uint32_t pages = 0;
  for (uint32_t i = 0; i < layout.width(); ++i) {
    const DieId die = layout.die_of(sb, i);
    pages += static_cast<uint32_t>(std::popcount(media.good_planes(sb, die))) *
             (layout.rows() - parity_rows(die, layout.rows()));
  }
  return pages * layout.slots_per_page() * layout.pages(mode);
}

ParityPlan::Cover ParityPlan::cover(const Media& media) const {
  const Layout& layout = media.layout();
  Cover cover;
  for (uint32_t s = 0; s < media.superblocks(); ++s) {
    const SuperblockId sb(s);
    for (uint32_t i = 0; i < layout.width(); ++i) {
      const DieId die = layout.die_of(sb, i);
      const uint32_t rows = layout.rows() - parity_rows(die, layout.rows());
      for (uint32_t p = 0; p < layout.planes(); ++p) {
        if ((media.good_planes(sb, die) >> p & 1) == 0) continue;
        cover.pages += uint64_t{rows} * layout.pages(CellMode::kTlc);
        for (uint32_t k = 0; k < dies_; ++k) {
          const DieId other(static_cast<uint16_t>(first_die(die).value() + k));
          if (other == die || (media.good_planes(sb, other) >> p & 1) != 0) continue;
          cover.unprotected +=
              uint64_t{parity_rows(other, layout.rows())} * layout.pages(CellMode::kTlc);
        }
      }
    }
  }
  return cover;
}

}  // namespace ftlsim
