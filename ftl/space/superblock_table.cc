#include "ftl/space/superblock_table.h"

#include <algorithm>
#include <iterator>

namespace ftlsim {
namespace {

bool legal(SuperblockState from, SuperblockState to) {
  using S = SuperblockState;
  switch (from) {
    case S::kFree:
      return to == S::kOpen;
    case S::kOpen:
      return to == S::kFilled;
    case S::kFilled:
      return to == S::kClosed;
    case S::kClosed:
      return to == S::kVictim || to == S::kFree;
    case S::kVictim:
      return to == S::kFree;
  }
  return false;
}

}  // namespace

SuperblockTable::SuperblockTable(const Media& media, ParityPlan parity)
    : layout_(media.layout()),
      parity_(parity),
      full_{parity.full_slots(layout_, CellMode::kSlc), parity.full_slots(layout_, CellMode::kTlc)},
      table_(media.superblocks()),
      valid_(media.superblocks(), 0),
      closed_(media.superblocks(), 0) {
  for (size_t m = 0; m < 2; ++m) {
    usable_[m].resize(table_.size());
    for (uint32_t s = 0; s < table_.size(); ++s)
      usable_[m][s] = parity_.data_slots(media, SuperblockId(s), static_cast<CellMode>(m));
  }
  for (uint32_t slots : usable_[static_cast<size_t>(CellMode::kTlc)]) capacity_ += slots;
  by_state_[static_cast<size_t>(SuperblockState::kFree)] = size();
}

void SuperblockTable::set_state(SuperblockId sb, SuperblockState next) {
  Superblock& s = table_[sb.value()];
  SIM_ASSERT(legal(s.state, next), "superblock {} from state {} to {}", sb.value(),
             static_cast<int>(s.state), static_cast<int>(next));
  --by_state_[static_cast<size_t>(s.state)];
  ++by_state_[static_cast<size_t>(next)];
  uint32_t& closed = closed_count_[static_cast<size_t>(s.mode)];
  if (s.state == SuperblockState::kClosed) --closed;
  if (next == SuperblockState::kClosed) ++closed;
  uint64_t& victims = victims_[static_cast<size_t>(s.mode)];
  if (s.state == SuperblockState::kVictim) victims -= s.written;
  if (next == SuperblockState::kVictim) victims += s.written;
  s.state = next;
  closed_[sb.value()] = next == SuperblockState::kClosed ? 1 : 0;
  if (next == SuperblockState::kFree) {
    SIM_ASSERT(valid_[sb.value()] == 0 && s.programs == 0 && s.moving == 0,
               "superblock {} is released with data in it", sb.value());
    --holding_[static_cast<size_t>(s.mode)];
    held_[static_cast<size_t>(s.mode)] -= usable(sb, CellMode::kTlc);
    written_[static_cast<size_t>(s.mode)] -= s.written;
    released_[static_cast<size_t>(s.mode)] += s.written;
    s.written = 0;
  }
}

void SuperblockTable::reset() {
  std::fill(table_.begin(), table_.end(), Superblock{});
  std::fill(valid_.begin(), valid_.end(), 0u);
  std::fill(closed_.begin(), closed_.end(), uint8_t{0});
  for (size_t m = 0; m < 2; ++m) {
    valid_total_[m] = written_[m] = released_[m] = victims_[m] = held_[m] = 0;
    holding_[m] = closed_count_[m] = 0;
  }
  std::fill(std::begin(by_state_), std::end(by_state_), 0u);
  by_state_[static_cast<size_t>(SuperblockState::kFree)] = size();
}

void SuperblockTable::open(SuperblockId sb, Stream stream, CellMode mode, uint32_t heat) {
  set_state(sb, SuperblockState::kOpen);
  Superblock& s = table_[sb.value()];
  s.mode = mode;
  s.stream = stream;
  s.heat = static_cast<uint8_t>(heat);
  s.opened = s.touched = ++opened_;
  s.host_reads = 0;
  ++holding_[static_cast<size_t>(mode)];
  held_[static_cast<size_t>(mode)] += usable(sb, CellMode::kTlc);
}

}  // namespace ftlsim
