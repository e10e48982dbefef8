#include "ftl/gc/victim.h"

namespace ftlsim {

SuperblockId greedy_victim(const SuperblockTable& table, bool slc, bool tlc) {
  const std::vector<uint32_t>& valid = table.valid_counts();
  const std::vector<uint8_t>& closed = table.closed_flags();
  // Least valid / capacity so far, as a fraction: superblocks with holes hold less.
  uint64_t least = 1;
  uint64_t capacity = 1;
  SuperblockId best;
  for (uint32_t s = 0; s < valid.size(); ++s) {
    if (closed[s] == 0) continue;
    const SuperblockId sb(s);
    const uint64_t slots = table.usable(sb, CellMode::kTlc);
    const uint64_t a = valid[s] * capacity;
    const uint64_t b = least * slots;
    // Starting from 1 / 1, a superblock that is valid throughout is never better.
    if (a > b || (a == b && !best.valid())) continue;
    const CellMode mode = table[sb].mode;
    if (mode == CellMode::kSlc ? !slc : !tlc) continue;
    if (a == b && table[sb].opened > table[best].opened) continue;
    least = valid[s];
    capacity = slots;
    best = sb;
  }
  return best;
}

SuperblockId oldest_slc(const SuperblockTable& table) {
  if (table.closed(CellMode::kSlc) == 0) return SuperblockId::invalid();
  const std::vector<uint8_t>& closed = table.closed_flags();
  SuperblockId best;
  for (uint32_t s = 0; s < closed.size(); ++s) {
    const SuperblockId sb(s);
    if (closed[s] == 0 || table[sb].mode != CellMode::kSlc) continue;
    if (!best.valid() || table[sb].opened < table[best].opened) best = sb;
  }
  return best;
}

}  // namespace ftlsim
