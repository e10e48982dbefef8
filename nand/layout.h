// Address arithmetic of the medium: the only place that takes slot numbers apart.
//
// A superblock is one block of every plane of every die. Its slots are numbered in program order:
//   offset = ((row * pages + page) * dies + die) * chunk + plane * slots_per_page + slot
// for the default stripe order, where pages is 1 in SLC mode. `chunk` is one page of all planes of
// a die, the largest piece that one multi-plane sense brings. So consecutive slots stay consecutive
// through superblock, row and chunk, and die, plane and page follow by division.
// Positions in planes without a good block (holes) exist as numbers but are never used.
#pragma once

#include <cstdint>

#include "nand/config.h"
#include "sim/ids.h"

namespace ftlsim {

enum class CellMode : uint8_t { kSlc = 0, kTlc = 1 };  // kTlc: all bits of the cell

// Exact division of 32-bit numbers by an invariant divisor with one multiplication
// (Lemire, Kaser, Kurz: "Faster remainder by direct computation", 2019).
class Divider {
 public:
  Divider() = default;
  explicit Divider(uint32_t d) : magic_(UINT64_MAX / d + 1), d_(d) {}
  uint32_t quotient(uint32_t n) const {
    if (d_ == 1) return n;  // the magic number of 1 does not fit 64 bits
    return static_cast<uint32_t>((static_cast<unsigned __int128>(magic_) * n) >> 64);
  }
  uint32_t divisor() const { return d_; }

 private:
  uint64_t magic_ = 0;
  uint32_t d_ = 1;
};

// Where a chunk lies: one page of all planes of one die.
struct ChunkAddress {
  SuperblockId superblock;
  DieId die;
  uint16_t row = 0;   // word line and string
  uint8_t page = 0;   // page type within the word line; 0 in SLC mode
  uint8_t first = 0;  // position of the slot within its chunk
};

class Layout {
 public:
  explicit Layout(const GeometryConfig& geometry);

  const GeometryConfig& geometry() const { return geometry_; }
  uint32_t dies() const { return dies_; }
  uint32_t planes() const { return geometry_.planes; }
  uint32_t rows() const { return rows_; }
  uint32_t slots_per_page() const { return slots_per_page_; }
  // Pages of one word line: 1 in SLC mode, bits per cell otherwise.
  uint32_t pages(CellMode m) const { return m == CellMode::kSlc ? 1 : geometry_.bits_per_cell; }
  uint32_t chunk_slots() const { return chunk_; }
  uint32_t unit_slots(CellMode m) const { return chunk_ * pages(m); }
  uint32_t stripe_slots(CellMode m) const { return unit_slots(m) * dies_; }
  uint32_t superblock_slots(CellMode m) const { return stripe_slots(m) * rows_; }

  ChannelId channel_of(DieId die) const {
    return ChannelId(static_cast<uint16_t>(die.value() % geometry_.channels));
  }

  SuperblockId superblock_of(Ppn ppn) const {
    return SuperblockId(by_superblock_.quotient(ppn.value()));
  }
  Ppn first_ppn(SuperblockId sb) const { return Ppn(sb.value() * by_superblock_.divisor()); }

  // Takes a slot number apart; `mode` is the mode of its superblock.
  ChunkAddress split(Ppn ppn, CellMode mode) const {
    ChunkAddress a;
    const uint32_t sb = by_superblock_.quotient(ppn.value());
    const uint32_t offset = ppn.value() - sb * by_superblock_.divisor();
    const uint32_t chunk = by_chunk_.quotient(offset);
    const Divider& by_row = by_row_[static_cast<size_t>(mode)];
    const uint32_t row = by_row.quotient(chunk);
    const uint32_t rest = chunk - row * by_row.divisor();
    a.superblock = SuperblockId(sb);
    a.row = static_cast<uint16_t>(row);
    a.first = static_cast<uint8_t>(offset - chunk * chunk_);
    if (mode == CellMode::kSlc) {
      a.die = DieId(static_cast<uint16_t>(rest));
    } else if (geometry_.stripe_order == StripeOrder::kPlaneDiePage) {
      const uint32_t page = by_dies_.quotient(rest);
      a.page = static_cast<uint8_t>(page);
      a.die = DieId(static_cast<uint16_t>(rest - page * dies_));
    } else {
      const uint32_t die = by_pages_.quotient(rest);
      a.die = DieId(static_cast<uint16_t>(die));
      a.page = static_cast<uint8_t>(rest - die * geometry_.bits_per_cell);
    }
    return a;
  }
  // The slot number of position `first` of a chunk.
  Ppn join(const ChunkAddress& a, CellMode mode) const;
  // Slot number of position `index` of the program unit (superblock, row, die); index counts page
  // by page: index = page * chunk_slots + position.
  Ppn unit_slot(SuperblockId sb, uint32_t row, DieId die, uint32_t index, CellMode mode) const {
    const uint32_t page = by_chunk_.quotient(index);
    const uint32_t chunk = chunk_number(row, page, die.value(), mode);
    return first_ppn(sb).plus(chunk * chunk_ + (index - page * chunk_));
  }

  // Plane mask of the positions [first, first + n) of a chunk.
  uint8_t plane_mask(uint32_t first, uint32_t n) const {
    const uint32_t lo = by_page_.quotient(first);
    const uint32_t hi = by_page_.quotient(first + n - 1);
    return static_cast<uint8_t>(((2u << hi) - 1u) & ~((1u << lo) - 1u));
  }
  uint32_t plane_of(uint32_t position) const { return by_page_.quotient(position); }

 private:
  uint32_t chunk_number(uint32_t row, uint32_t page, uint32_t die, CellMode mode) const {
    if (mode == CellMode::kSlc) return row * dies_ + die;
    if (geometry_.stripe_order == StripeOrder::kPlaneDiePage)
      return (row * geometry_.bits_per_cell + page) * dies_ + die;
    return (row * dies_ + die) * geometry_.bits_per_cell + page;
  }

  GeometryConfig geometry_;
  uint32_t dies_;
  uint32_t rows_;
  uint32_t slots_per_page_;
  uint32_t chunk_;
  Divider by_superblock_;
  Divider by_chunk_;
  Divider by_dies_;
  Divider by_page_;
  Divider by_row_[2];  // chunks per row, by mode
  Divider by_pages_;
};

}  // namespace ftlsim
