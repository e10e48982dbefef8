#include "nand/media.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sim/assert.h"
#include "sim/rng.h"

namespace ftlsim {
namespace {

constexpr uint16_t kHole = UINT16_MAX;
// Resolution of the factory bad block share: parts per million.
constexpr uint64_t kShareScale = 1'000'000;

}  // namespace

Media::Media(const GeometryConfig& geometry, uint64_t bad_block_seed) : layout_(geometry) {
  assemble(bad_block_seed);
  const size_t slots = size_t{superblocks_} * layout_.superblock_slots(CellMode::kTlc);
  spare_ = LazyArray<uint32_t>(slots);
  unit_sequence_ = LazyArray<uint32_t>(die_blocks_.size() * layout_.rows());
}

void Media::assemble(uint64_t seed) {
  const GeometryConfig& g = layout_.geometry();
  const size_t planes = size_t{layout_.dies()} * g.planes;
  const auto share = static_cast<uint64_t>(g.factory_bad_blocks * static_cast<double>(kShareScale));
  std::vector<std::vector<uint16_t>> good(planes);
  Rng rng(seed, "nand/factory_bad_blocks");
  for (auto& list : good) {
    for (uint32_t b = 0; b < g.blocks_per_plane; ++b) {
      if (rng.chance(share, kShareScale))
        ++bad_blocks_;
      else
        list.push_back(static_cast<uint16_t>(b));
    }
  }
  superblocks_ = layout_.groups() * superblocks_of_group(good);
  die_blocks_.resize(size_t{superblocks_} * layout_.width());
  block_table_.assign(die_blocks_.size() * g.planes, kHole);
  for (auto& counts : erase_counts_) counts.assign(planes * g.blocks_per_plane, 0);
  for (auto& counts : superblock_erases_) counts.assign(superblocks_, 0);
  good_blocks_.assign(superblocks_, 0);
  const uint32_t rounds = superblocks_ / layout_.groups();
  for (size_t p = 0; p < planes; ++p) {
    const DieId die(static_cast<uint16_t>(p / g.planes));
    const uint32_t group = die.value() / layout_.width();
    for (uint32_t i = 0; i < rounds && i < good[p].size(); ++i) {
      const SuperblockId sb(i * layout_.groups() + group);
      block_table_[layout_.die_block(sb, die) * g.planes + p % g.planes] = good[p][i];
      ++good_blocks_[sb.value()];
      DieBlock& db = at(sb, die);
      db.good_planes = static_cast<uint8_t>(db.good_planes | (1u << (p % g.planes)));
    }
  }
}

// Superblocks of each group: as many as the group with the fewest can have. Within a group the
// plane with the most good blocks decides.
uint32_t Media::superblocks_of_group(const std::vector<std::vector<uint16_t>>& good) const {
  const size_t planes = size_t{layout_.width()} * layout_.planes();
  size_t least = SIZE_MAX;
  for (size_t first = 0; first < good.size(); first += planes) {
    size_t most = 0;
    for (size_t p = first; p < first + planes; ++p) most = std::max(most, good[p].size());
    least = std::min(least, most);
  }
  return static_cast<uint32_t>(least);
}

uint32_t Media::usable_slots(SuperblockId sb, CellMode mode) const {
  uint32_t planes = 0;
  for (uint32_t i = 0; i < layout_.width(); ++i)
    planes += static_cast<uint32_t>(std::popcount(at(sb, layout_.die_of(sb, i)).good_planes));
  return planes * layout_.slots_per_page() * layout_.pages(mode) * layout_.rows();
}

BlockId Media::block(SuperblockId sb, DieId die, uint32_t plane) const {
  const uint32_t p = die.value() * layout_.planes() + plane;
  const uint16_t b = block_table_[layout_.die_block(sb, die) * layout_.planes() + plane];
  if (b == kHole) return BlockId::invalid();
  return BlockId(p * layout_.geometry().blocks_per_plane + b);
}

uint32_t Media::erase_count(BlockId block, CellMode mode) const {
  return erase_counts_[static_cast<size_t>(mode)][block.value()];
}

void Media::begin_erase(SuperblockId sb, DieId die) {
  DieBlock& db = at(sb, die);
  SIM_ASSERT(layout_.has_die(sb, die) && db.good_planes != 0,
             "erase of a missing block: superblock {} die {}", sb.value(), die.value());
  SIM_ASSERT(!db.programming && db.state != BlockState::kErasing,
             "erase while busy: superblock {} die {}", sb.value(), die.value());
  db.state = BlockState::kErasing;
}

void Media::end_erase(SuperblockId sb, DieId die, CellMode next_mode) {
  DieBlock& db = at(sb, die);
  SIM_ASSERT(db.state == BlockState::kErasing, "erase ends that never began");
  const auto used = static_cast<size_t>(db.mode);
  for (uint32_t p = 0; p < layout_.planes(); ++p)
    if ((db.good_planes >> p & 1) != 0) ++erase_counts_[used][block(sb, die, p).value()];
  superblock_erases_[used][sb.value()] += static_cast<uint32_t>(std::popcount(db.good_planes));
  ++counters_.erases[used];
  std::memset(&unit_sequence_[unit_index(sb, die, 0)], 0, layout_.rows() * sizeof(uint32_t));
  if (lost_slots_ != 0) forget_lost(sb, die);
  db.state = BlockState::kErased;
  db.mode = next_mode;
  db.write_pointer = 0;
}

void Media::attach(Reliability& reliability) {
  reliability_ = &reliability;
  if (lost_.size() == 0) lost_ = LazyArray<uint64_t>(spare_.size() / 64 + 1);
}

void Media::mark_lost(Ppn ppn) {
  SIM_ASSERT(reliability_ != nullptr, "lost data without a model of errors");
  if (is_lost(ppn)) return;
  lost_[ppn.value() / 64] |= uint64_t{1} << (ppn.value() % 64);
  ++lost_slots_;
}

void Media::forget_lost(SuperblockId sb, DieId die) {
  const DieBlock& db = at(sb, die);
  for (uint32_t row = 0; row < db.write_pointer; ++row)
    for (uint32_t i = 0; i < layout_.unit_slots(db.mode); ++i) {
      const Ppn ppn = layout_.unit_slot(sb, row, die, i, db.mode);
      if (!is_lost(ppn)) continue;
      lost_[ppn.value() / 64] &= ~(uint64_t{1} << (ppn.value() % 64));
      --lost_slots_;
    }
}

void Media::begin_program(SuperblockId sb, DieId die, uint32_t row, CellMode mode) {
  DieBlock& db = at(sb, die);
  SIM_ASSERT(db.state == BlockState::kErased, "program of a block that is not erased: {}/{}",
             sb.value(), die.value());
  SIM_ASSERT(db.mode == mode, "program in the wrong mode: {}/{}", sb.value(), die.value());
  SIM_ASSERT(!db.programming && db.write_pointer == row && row < layout_.rows(),
             "program out of order: superblock {} die {} row {}, expected {}", sb.value(),
             die.value(), row, db.write_pointer);
  db.programming = true;
}

void Media::end_program(SuperblockId sb, DieId die, const uint32_t* spare) {
  DieBlock& db = at(sb, die);
  SIM_ASSERT(db.programming, "program ends that never began");
  db.programming = false;
  const uint32_t row = db.write_pointer++;
  const auto mode = static_cast<size_t>(db.mode);
  store_spare(sb, die, row, db.mode, spare);
  unit_sequence_[unit_index(sb, die, row)] = ++next_sequence_;
  SIM_ASSERT(next_sequence_ != 0, "unit sequence numbers are used up");
  ++counters_.units_programmed[mode];
  counters_.slots_programmed[mode] += static_cast<uint64_t>(std::popcount(db.good_planes)) *
                                      layout_.slots_per_page() * layout_.pages(db.mode);
}

void Media::store_spare(SuperblockId sb, DieId die, uint32_t row, CellMode mode,
                        const uint32_t* spare) {
  const uint32_t piece = layout_.piece_slots(mode);
  for (uint32_t i = 0; i < layout_.unit_slots(mode); i += piece) {
    const Ppn first = layout_.unit_slot(sb, row, die, i, mode);
    std::memcpy(&spare_[first.value()], spare + i, piece * sizeof(uint32_t));
  }
}

void Media::check_read(SuperblockId sb, DieId die, uint32_t row, CellMode mode,
                       uint8_t planes) const {
  const DieBlock& db = at(sb, die);
  SIM_ASSERT(db.state == BlockState::kErased && db.mode == mode && row < db.write_pointer,
             "read of an unwritten page: superblock {} die {} row {}", sb.value(), die.value(),
             row);
  SIM_ASSERT((planes & ~db.good_planes) == 0, "read from a hole: superblock {} die {}", sb.value(),
             die.value());
}

}  // namespace ftlsim
