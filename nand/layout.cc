#include "nand/layout.h"

#include "sim/assert.h"

namespace ftlsim {

Layout::Layout(const GeometryConfig& geometry)
    : geometry_(geometry),
      dies_(geometry.dies()),
      width_(geometry.superblock_width()),
      groups_(geometry.dies() / geometry.superblock_width()),
      rows_(geometry.rows()),
      slots_per_page_(geometry.slots_per_page()),
      chunk_(geometry.planes * geometry.slots_per_page()),
      die_before_page_(geometry.stripe_order == StripeOrder::kPlaneDiePage ||
                       geometry.stripe_order == StripeOrder::kDiePlanePage) {
  SIM_ASSERT(chunk_ > 0 && chunk_ <= 128, "a chunk of {} slots", chunk_);
  SIM_ASSERT(width_ * groups_ == dies_, "superblocks of {} of {} dies", width_, dies_);
  const uint64_t all =
      uint64_t{superblock_slots(CellMode::kTlc)} * groups_ * geometry.blocks_per_plane;
  SIM_ASSERT(all < UINT32_MAX, "{} slots do not fit 32 bits", all);
  by_superblock_ = Divider(superblock_slots(CellMode::kTlc));
  by_chunk_ = Divider(chunk_);
  by_width_ = Divider(width_);
  by_groups_ = Divider(groups_);
  by_page_ = Divider(slots_per_page_);
  by_pages_ = Divider(geometry.bits_per_cell);
  by_planes_ = Divider(geometry.planes);
  for (const CellMode mode : {CellMode::kSlc, CellMode::kTlc}) {
    const auto m = static_cast<size_t>(mode);
    by_row_[m] = Divider(width_ * pages(mode));
    by_inner_[m] = Divider(die_before_page_ ? width_ : pages(mode));
    // Planes that follow each other directly make one piece of the chunk.
    const bool planes_first = geometry.stripe_order == StripeOrder::kPlaneDiePage ||
                              geometry.stripe_order == StripeOrder::kPlanePageDie ||
                              geometry.planes == 1;
    gap_[m] = planes_first ? 0 : (by_inner_[m].divisor() - 1) * slots_per_page_;
    piece_[m] = gap_[m] == 0 ? chunk_ : slots_per_page_;
  }
}

Ppn Layout::join(const ChunkAddress& a, CellMode mode) const {
  const uint32_t die = a.die.value() - first_die(a.superblock.value());
  const uint32_t chunk = chunk_number(a.row, a.page, die, mode);
  return chunk_slot(chunk_base(a.superblock, chunk, mode), a.first, mode);
}

// Pieces are numbered with the plane between the inner and the outer of die and page type.
ChunkAddress Layout::split_pieces(uint32_t sb, uint32_t offset, CellMode mode) const {
  const auto m = static_cast<size_t>(mode);
  const uint32_t piece = by_page_.quotient(offset);
  const uint32_t over = by_inner_[m].quotient(piece);
  const uint32_t inner = piece - over * by_inner_[m].divisor();
  const uint32_t outer = by_planes_.quotient(over);
  const uint32_t plane = over - outer * geometry_.planes;
  const uint32_t chunk = outer * by_inner_[m].divisor() + inner;
  const uint32_t row = by_row_[m].quotient(chunk);
  const uint32_t rest = chunk - row * by_row_[m].divisor();
  ChunkAddress a;
  a.superblock = SuperblockId(sb);
  a.row = static_cast<uint16_t>(row);
  a.first = static_cast<uint8_t>(plane * slots_per_page_ + offset - piece * slots_per_page_);
  const Divider& by_first = die_before_page_ ? by_width_ : by_pages_;
  const uint32_t second = mode == CellMode::kSlc ? 0 : by_first.quotient(rest);
  const uint32_t first = rest - second * by_first.divisor();
  const uint32_t die = mode == CellMode::kSlc ? rest : die_before_page_ ? first : second;
  a.page = static_cast<uint8_t>(die_before_page_ ? second : first);
  if (mode == CellMode::kSlc) a.page = 0;
  a.die = DieId(static_cast<uint16_t>(first_die(sb) + die));
  return a;
}

}  // namespace ftlsim
