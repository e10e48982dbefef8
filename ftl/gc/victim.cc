#include "ftl/gc/victim.h"

namespace ftlsim {

SuperblockId greedy_victim(const SuperblockTable& table, bool slc, bool tlc) {
  const std::vector<uint32_t>& valid = table.valid_counts();
  const std::vector<uint8_t>& closed = table.closed_flags();
  uint32_t least = UINT32_MAX;
  SuperblockId best;
  for (uint32_t s = 0; s < valid.size(); ++s) {
    if (closed[s] == 0 || valid[s] > least) continue;
    const SuperblockId sb(s);
    const CellMode mode = table[sb].mode;
    if (mode == CellMode::kSlc ? !slc : !tlc) continue;
    if (mode == CellMode::kTlc && valid[s] >= table.usable(sb, CellMode::kTlc)) continue;
    if (valid[s] == least && table[sb].opened > table[best].opened) continue;
    least = valid[s];
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
