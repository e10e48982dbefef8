#include "ftl/write/frontier.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {
namespace {

Purpose purpose_of(Stream s) {
  if (s == Stream::kFold) return Purpose::kFold;
  if (s == Stream::kWear) return Purpose::kWear;
  if (s == Stream::kMap) return Purpose::kMap;
  return s == Stream::kGc ? Purpose::kGc : Purpose::kHostWrite;
}

}  // namespace

UnitPool::UnitPool(uint32_t count, bool content) : units_(std::make_unique<UnitBuffer[]>(count)) {
  if (content) tokens_.resize(size_t{count} * kMaxUnitSlots);
  free_.reserve(count);
  for (uint32_t i = count; i-- > 0;) {
    if (content) units_[i].tokens = &tokens_[size_t{i} * kMaxUnitSlots];
    free_.push_back(&units_[i]);
  }
}

UnitBuffer* UnitPool::take() {
  if (free_.empty()) return nullptr;
  UnitBuffer* unit = free_.back();
  free_.pop_back();
  return unit;
}

Frontier::Frontier(Stream stream, uint32_t heat, CellMode mode, bool stripe_placement,
                   FrontierHost& host, UnitPool& pool, SuperblockTable& table, const Media& media,
                   const DieScheduler& scheduler)
    : stream_(stream),
      heat_(heat),
      mode_(mode),
      stripe_(stripe_placement),
      host_(host),
      pool_(pool),
      table_(table),
      media_(media),
      scheduler_(scheduler),
      layout_(media.layout()),
      units_(layout_.dies(), nullptr),
      next_row_(layout_.dies(), 0) {}

void Frontier::drop_empty_units() {
  SIM_ASSERT(partial_ == 0, "a frontier is given up with data in it");
  for (UnitBuffer*& unit : units_) {
    if (unit != nullptr) pool_.give(*unit);
    unit = nullptr;
  }
}

void Frontier::reset() {
  drop_empty_units();
  superblock_ = SuperblockId::invalid();
}

uint32_t Frontier::close_early() {
  if (!superblock_.valid()) return 0;
  const uint32_t pads = seal();
  if (!superblock_.valid()) return pads;  // sealing filled it
  drop_empty_units();
  const SuperblockId sb = superblock_;
  superblock_ = SuperblockId::invalid();
  host_.superblock_filled(sb);
  return pads;
}

bool Frontier::open() {
  superblock_ = host_.open_superblock(stream_, heat_, mode_);
  if (!superblock_.valid()) return false;
  std::fill(next_row_.begin(), next_row_.end(), uint16_t{0});
  row_ = chunk_ = position_ = 0;
  target_ = DieId::invalid();
  return true;
}

uint32_t Frontier::room() const {
  if (!superblock_.valid()) return 0;
  return table_.usable(superblock_, mode_) - table_[superblock_].written;
}

// The unit of a die that is being filled, made if the die has a row left.
UnitBuffer* Frontier::unit_for(DieId die) {
  UnitBuffer*& unit = units_[die.value()];
  if (unit != nullptr) return unit;
  unit = pool_.take();
  if (unit == nullptr) return nullptr;
  const uint8_t planes = media_.good_planes(superblock_, die);
  unit->stream = stream_;
  unit->sealed = false;
  unit->filled = 0;
  unit->data_slots = 0;
  unit->placed = 0;
  unit->usable = static_cast<uint16_t>(static_cast<uint32_t>(std::popcount(planes)) *
                                       layout_.slots_per_page() * layout_.pages(mode_));
  std::fill_n(unit->lpn, layout_.unit_slots(mode_), Media::kSparePad);
  Operation& op = unit->op;
  op.kind = OpKind::kProgram;
  op.mode = mode_;
  op.die = die;
  op.superblock = superblock_;
  op.row = next_row_[die.value()]++;
  op.plane_mask = planes;
  op.slots = unit->usable;
  op.urgent = false;
  op.purpose = purpose_of(stream_);
  return unit;
}

// Moves the stripe position over holes and sealed word lines to a fillable slot.
Place Frontier::next() {
  if (!superblock_.valid() && !open()) return {};
  const uint32_t chunks = layout_.dies() * layout_.pages(mode_);
  while (true) {
    if (chunk_ == chunks) {
      advance_row();
      if (!superblock_.valid() && !open()) return {};
    }
    const uint32_t slots = layout_.chunk_slots();
    const Ppn first = layout_.first_ppn(superblock_).plus((row_ * chunks + chunk_) * slots);
    const ChunkAddress a = layout_.split(first, mode_);
    const uint8_t good = media_.good_planes(superblock_, a.die);
    const bool passed = units_[a.die.value()] == nullptr && next_row_[a.die.value()] > row_;
    if (good == 0 || passed) {
      ++chunk_;
      position_ = 0;
      continue;
    }
    while (position_ < slots && (good >> layout_.plane_of(position_) & 1) == 0)
      position_ += layout_.slots_per_page();
    if (position_ >= slots) {
      ++chunk_;
      position_ = 0;
      continue;
    }
    UnitBuffer* unit = unit_for(a.die);
    if (unit == nullptr) return {};
    uint32_t end = position_;
    while (end < slots && (good >> layout_.plane_of(end) & 1) != 0)
      end += layout_.slots_per_page() - end % layout_.slots_per_page();
    return {unit, a.page * slots + position_, first.plus(position_), end - position_};
  }
}

DieId Frontier::choose_die() {
  uint32_t best = UINT32_MAX;
  DieId choice;
  for (uint32_t i = 0; i < layout_.dies(); ++i) {
    const DieId die(static_cast<uint16_t>((rotor_ + i) % layout_.dies()));
    const bool has_row = units_[die.value()] != nullptr || next_row_[die.value()] < layout_.rows();
    if (!has_row || media_.good_planes(superblock_, die) == 0) continue;
    const uint32_t waiting = scheduler_.writes_waiting(die);
    if (waiting < best) {
      best = waiting;
      choice = die;
    }
  }
  if (choice.valid()) rotor_ = choice.value() + 1u;
  return choice;
}

Place Frontier::next_on(DieId wanted) {
  if (!superblock_.valid() && !open()) return {};
  const auto fillable = [this](DieId die) {
    return die.valid() && media_.good_planes(superblock_, die) != 0 &&
           (units_[die.value()] != nullptr || next_row_[die.value()] < layout_.rows());
  };
  DieId die = wanted;
  if (!fillable(die)) {
    if (!target_.valid() || units_[target_.value()] == nullptr) target_ = choose_die();
    die = target_;
  }
  SIM_ASSERT(die.valid(), "an open superblock without a row");
  UnitBuffer* unit = unit_for(die);
  if (unit == nullptr) return {};
  // In die placement the good slots of a unit are filled in ascending order.
  uint32_t index = 0;
  const uint32_t chunk = layout_.chunk_slots();
  if (unit->usable == layout_.unit_slots(mode_)) {
    index = unit->filled;
  } else {
    uint32_t left = unit->filled;
    for (;; index += layout_.slots_per_page()) {
      if ((unit->op.plane_mask >> layout_.plane_of(index % chunk) & 1) == 0) continue;
      if (left < layout_.slots_per_page()) break;
      left -= layout_.slots_per_page();
    }
    index += left;
  }
  return {unit, index, layout_.unit_slot(superblock_, unit->op.row, die, index, mode_), 1};
}

void Frontier::fill(const Place& place, uint32_t n) {
  UnitBuffer& unit = *place.unit;
  if (unit.filled == 0) ++partial_;
  unit.filled = static_cast<uint16_t>(unit.filled + n);
  table_.add_written(superblock_, n);
  if (stripe_) {
    position_ += n;
    if (position_ >= layout_.chunk_slots()) {
      position_ = 0;
      ++chunk_;
    }
  }
  if (unit.filled == unit.usable) {
    hand_over(unit);
    check_filled();
  }
}

void Frontier::hand_over(UnitBuffer& unit) {
  --partial_;
  unit.sealed = true;
  units_[unit.op.die.value()] = nullptr;
  ++table_.at(superblock_).programs;
  host_.submit_unit(unit);
}

uint32_t Frontier::seal() {
  uint32_t pads = 0;
  if (partial_ == 0) return 0;
  for (UnitBuffer* unit : units_) {
    if (unit == nullptr || unit->filled == 0) continue;
    const uint32_t n = static_cast<uint32_t>(unit->usable - unit->filled);
    pads += n;
    unit->filled = unit->usable;
    table_.add_written(superblock_, n);
    hand_over(*unit);
  }
  check_filled();
  return pads;
}

// Stripe placement: all dies begin the next row together.
void Frontier::advance_row() {
  ++row_;
  chunk_ = position_ = 0;
  SIM_ASSERT(row_ < layout_.rows(), "a full superblock is still open");
}

// The superblock is filled when each die has handed over its last row.
void Frontier::check_filled() {
  for (uint32_t d = 0; d < layout_.dies(); ++d) {
    if (media_.good_planes(superblock_, DieId(static_cast<uint16_t>(d))) == 0) continue;
    if (units_[d] != nullptr || next_row_[d] < layout_.rows()) return;
  }
  const SuperblockId sb = superblock_;
  superblock_ = SuperblockId::invalid();
  host_.superblock_filled(sb);
}

UnitBuffer* Frontier::unsealed(Ppn ppn, uint32_t* index) {
  if (!superblock_.valid() || layout_.superblock_of(ppn) != superblock_) return nullptr;
  const ChunkAddress a = layout_.split(ppn, mode_);
  UnitBuffer* unit = units_[a.die.value()];
  if (unit == nullptr || unit->op.row != a.row) return nullptr;
  *index = a.page * layout_.chunk_slots() + a.first;
  return unit;
}

}  // namespace ftlsim
