#include "nand/layout.h"

#include "sim/assert.h"

namespace ftlsim {

Layout::Layout(const GeometryConfig& geometry)
    : geometry_(geometry),
      dies_(geometry.dies()),
      rows_(geometry.rows()),
      slots_per_page_(geometry.slots_per_page()),
      chunk_(geometry.planes * geometry.slots_per_page()) {
  SIM_ASSERT(chunk_ > 0 && chunk_ <= 128, "a chunk of {} slots", chunk_);
  const uint64_t all = uint64_t{superblock_slots(CellMode::kTlc)} * geometry.blocks_per_plane;
  SIM_ASSERT(all < UINT32_MAX, "{} slots do not fit 32 bits", all);
  by_superblock_ = Divider(superblock_slots(CellMode::kTlc));
  by_chunk_ = Divider(chunk_);
  by_dies_ = Divider(dies_);
  by_page_ = Divider(slots_per_page_);
  by_row_[0] = Divider(dies_);
  by_row_[1] = Divider(dies_ * geometry.bits_per_cell);
  by_pages_ = Divider(geometry.bits_per_cell);
}

Ppn Layout::join(const ChunkAddress& a, CellMode mode) const {
  const uint32_t chunk = chunk_number(a.row, a.page, a.die.value(), mode);
  return first_ppn(a.superblock).plus(chunk * chunk_ + a.first);
}

}  // namespace ftlsim
