// Address arithmetic of the medium: the only place that takes slot numbers apart.
//
// A superblock is one block of every plane of its dies: all of the drive, or a group of `width`
// dies with consecutive numbers (channels first: die % channels is the channel). Superblock s
// belongs to group s % groups. Its slots are numbered in program order:
//   offset = ((row * pages + page) * width + die) * chunk + plane * slots_per_page + slot
// for the default stripe order, where pages is 1 in SLC mode and die counts from the first of the
// group. `chunk` is one page of all planes of a die, the largest piece that one multi-plane sense
// brings. So consecutive slots stay consecutive through superblock, row and chunk, and die, plane
// and page follow by division. In stripe orders that do not begin with the planes only the slots of
// a page stay consecutive: a chunk then is one such *piece* in each plane, `gap` slots apart.
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
  // Dies of the drive, dies of a superblock, and how many groups of these the drive has.
  uint32_t dies() const { return dies_; }
  uint32_t width() const { return width_; }
  uint32_t groups() const { return groups_; }
  uint32_t planes() const { return geometry_.planes; }
  uint32_t rows() const { return rows_; }
  uint32_t slots_per_page() const { return slots_per_page_; }
  // Pages of one word line: 1 in SLC mode, bits per cell otherwise.
  uint32_t pages(CellMode m) const { return m == CellMode::kSlc ? 1 : geometry_.bits_per_cell; }
  uint32_t chunk_slots() const { return chunk_; }
  uint32_t unit_slots(CellMode m) const { return chunk_ * pages(m); }
  // Slots that follow without a gap from one that begins a piece: a chunk, or one page of it.
  uint32_t piece_slots(CellMode m) const { return piece_[static_cast<size_t>(m)]; }
  uint32_t stripe_slots(CellMode m) const { return unit_slots(m) * width_; }
  uint32_t superblock_slots(CellMode m) const { return stripe_slots(m) * rows_; }

  ChannelId channel_of(DieId die) const {
    return ChannelId(static_cast<uint16_t>(die.value() % geometry_.channels));
  }

  // The group of a superblock, the i-th of its dies, and whether a die is one of them.
  uint32_t group_of(SuperblockId sb) const {
    return sb.value() - by_groups_.quotient(sb.value()) * groups_;
  }
  DieId die_of(SuperblockId sb, uint32_t i) const {
    return DieId(static_cast<uint16_t>(first_die(sb.value()) + i));
  }
  bool has_die(SuperblockId sb, DieId die) const {
    return die.value() - first_die(sb.value()) < width_;
  }
  // Index of the blocks of a superblock on one of its dies, below superblocks x width.
  size_t die_block(SuperblockId sb, DieId die) const {
    return size_t{by_groups_.quotient(sb.value())} * dies_ + die.value();
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
    if (gap_[static_cast<size_t>(mode)] != 0) [[unlikely]]
      return split_pieces(sb, offset, mode);
    const uint32_t chunk = by_chunk_.quotient(offset);
    const Divider& by_row = by_row_[static_cast<size_t>(mode)];
    const uint32_t row = by_row.quotient(chunk);
    const uint32_t rest = chunk - row * by_row.divisor();
    a.superblock = SuperblockId(sb);
    a.row = static_cast<uint16_t>(row);
    a.first = static_cast<uint8_t>(offset - chunk * chunk_);
    const uint32_t base = first_die(sb);
    if (mode == CellMode::kSlc) {
      a.die = DieId(static_cast<uint16_t>(base + rest));
    } else if (die_before_page_) {
      const uint32_t page = by_width_.quotient(rest);
      a.page = static_cast<uint8_t>(page);
      a.die = DieId(static_cast<uint16_t>(base + rest - page * width_));
    } else {
      const uint32_t die = by_pages_.quotient(rest);
      a.die = DieId(static_cast<uint16_t>(base + die));
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
    const uint32_t chunk = chunk_number(row, page, die.value() - first_die(sb.value()), mode);
    return chunk_slot(chunk_base(sb, chunk, mode), index - page * chunk_, mode);
  }
  // Slot at position 0 of a chunk. Chunks are numbered by row and, within the row, by die and page
  // in the stripe order: rows x pages x width of them.
  Ppn chunk_base(SuperblockId sb, uint32_t chunk, CellMode mode) const {
    if (gap_[static_cast<size_t>(mode)] == 0) return first_ppn(sb).plus(chunk * chunk_);
    const Divider& by_inner = by_inner_[static_cast<size_t>(mode)];
    const uint32_t outer = by_inner.quotient(chunk);
    const uint32_t inner = chunk - outer * by_inner.divisor();
    return first_ppn(sb).plus((outer * geometry_.planes * by_inner.divisor() + inner) *
                              slots_per_page_);
  }
  // Slot at a position of the chunk whose position 0 is `base`; also right for positions within a
  // page from any slot of it on.
  Ppn chunk_slot(Ppn base, uint32_t position, CellMode mode) const {
    const uint32_t gap = gap_[static_cast<size_t>(mode)];
    return base.plus(gap == 0 ? position : position + plane_of(position) * gap);
  }
  // Slots from position `first` of a chunk on whose numbers follow without a gap.
  uint32_t follow(uint32_t first, CellMode mode) const {
    if (gap_[static_cast<size_t>(mode)] == 0) return chunk_ - first;
    return (plane_of(first) + 1) * slots_per_page_ - first;
  }
  // How far apart the pieces of a chunk are beyond their length, in slots.
  uint32_t gap(CellMode mode) const { return gap_[static_cast<size_t>(mode)]; }

  // Plane mask of the positions [first, first + n) of a chunk.
  uint8_t plane_mask(uint32_t first, uint32_t n) const {
    const uint32_t lo = by_page_.quotient(first);
    const uint32_t hi = by_page_.quotient(first + n - 1);
    return static_cast<uint8_t>(((2u << hi) - 1u) & ~((1u << lo) - 1u));
  }
  uint32_t plane_of(uint32_t position) const { return by_page_.quotient(position); }

 private:
  uint32_t first_die(uint32_t sb) const {
    return groups_ == 1 ? 0 : (sb - by_groups_.quotient(sb) * groups_) * width_;
  }
  // `die` counts from the first of the superblock.
  uint32_t chunk_number(uint32_t row, uint32_t page, uint32_t die, CellMode mode) const {
    if (mode == CellMode::kSlc) return row * width_ + die;
    if (die_before_page_) return (row * geometry_.bits_per_cell + page) * width_ + die;
    return (row * width_ + die) * geometry_.bits_per_cell + page;
  }
  ChunkAddress split_pieces(uint32_t sb, uint32_t offset, CellMode mode) const;

  GeometryConfig geometry_;
  uint32_t dies_;
  uint32_t width_;
  uint32_t groups_;
  uint32_t rows_;
  uint32_t slots_per_page_;
  uint32_t chunk_;
  bool die_before_page_;
  // By mode. In stripe orders that begin with the planes, gap is 0 and a piece is a chunk.
  uint32_t gap_[2] = {0, 0};
  uint32_t piece_[2] = {0, 0};
  Divider by_superblock_;
  Divider by_chunk_;
  Divider by_width_;
  Divider by_groups_;
  Divider by_page_;
  Divider by_row_[2];    // chunks per row
  Divider by_inner_[2];  // pieces that follow each other before the plane changes
  Divider by_pages_;
  Divider by_planes_;
};

}  // namespace ftlsim
