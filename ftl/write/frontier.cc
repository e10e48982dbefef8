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
                   FrontierHost& host, UnitPool& pool, UnitPool& parity_pool,
                   SuperblockTable& table, const Media& media, const DieScheduler& scheduler)
    : stream_(stream),
      heat_(heat),
      mode_(mode),
      stripe_(stripe_placement),
      host_(host),
      pool_(pool),
      parity_pool_(parity_pool),
      table_(table),
      media_(media),
      scheduler_(scheduler),
      layout_(media.layout()),
      parity_(table.parity()),
      pieces_(layout_.stripe_slots(mode) / layout_.piece_slots(mode)),
      all_planes_(static_cast<uint8_t>((1u << layout_.planes()) - 1)),
      units_(layout_.dies(), nullptr),
      next_row_(layout_.dies(), 0) {}

void Frontier::drop_empty_units() {
  SIM_ASSERT(partial_ == 0, "a frontier is given up with data in it");
  for (UnitBuffer*& unit : units_) {
    if (unit == nullptr) continue;
    --next_row_[unit->op.die.value()];
    pool_.give(*unit);
    unit = nullptr;
  }
}

void Frontier::reset() {
  drop_empty_units();
  superblock_ = SuperblockId::invalid();
}

uint32_t Frontier::close_early() {
  if (!superblock_.valid()) return 0;
  // In stripe placement each die needs one unit at most to complete the last row.
  if (parity_.on() && parity_pool_.available() < layout_.width()) return 0;
  const uint32_t pads = seal();
  if (!superblock_.valid()) return pads;  // sealing filled it
  drop_empty_units();
  if (parity_.on()) complete_rows();
  const SuperblockId sb = superblock_;
  superblock_ = SuperblockId::invalid();
  host_.superblock_filled(sb);
  return pads;
}

bool Frontier::open() {
  superblock_ = host_.open_superblock(stream_, heat_, mode_);
  if (!superblock_.valid()) return false;
  std::fill(next_row_.begin(), next_row_.end(), uint16_t{0});
  row_ = piece_ = position_ = 0;
  target_ = DieId::invalid();
  add_parity();
  return true;
}

uint32_t Frontier::room() const {
  if (!superblock_.valid()) return 0;
  return table_.usable(superblock_, mode_) - table_[superblock_].written;
}

// Makes a unit of the next row of a die.
void Frontier::begin(UnitBuffer& unit, DieId die) {
  const uint8_t planes = media_.good_planes(superblock_, die);
  unit.stream = stream_;
  unit.sealed = false;
  unit.filler = false;
  unit.filled = 0;
  unit.data_slots = 0;
  unit.piece_end = 0;
  unit.usable = static_cast<uint16_t>(static_cast<uint32_t>(std::popcount(planes)) *
                                      layout_.slots_per_page() * layout_.pages(mode_));
  std::fill_n(unit.lpn, layout_.unit_slots(mode_), Media::kSparePad);
  Operation& op = unit.op;
  op.kind = OpKind::kProgram;
  op.mode = mode_;
  op.die = die;
  op.superblock = superblock_;
  op.row = next_row_[die.value()]++;
  op.plane_mask = planes;
  op.slots = unit.usable;
  op.urgent = false;
  op.purpose = purpose_of(stream_);
}

// Is a unit of the die being filled, or may one be begun? Its parity comes in its turn.
bool Frontier::has_row(DieId die) const {
  if (units_[die.value()] != nullptr) return true;
  const uint32_t row = next_row_[die.value()];
  return row < layout_.rows() && !parity_.is_parity(die, row);
}

// The unit of a die that is being filled, made if the die has a row left.
UnitBuffer* Frontier::unit_for(DieId die) {
  UnitBuffer*& unit = units_[die.value()];
  if (unit != nullptr) return unit;
  if (!has_row(die)) return nullptr;  // its parity waits for a unit
  unit = pool_.take();
  if (unit != nullptr) begin(*unit, die);
  return unit;
}

// Is the piece that was begun last still the one to go on with? A sealed word line is not.
bool Frontier::in_piece() const {
  return begun_.unit != nullptr && units_[begun_die_.value()] == begun_.unit &&
         begun_.unit->op.row == row_;
}

// Moves the stripe position over holes, parity and sealed word lines to a fillable slot.
Place Frontier::next() {
  if (!superblock_.valid() && !open()) return {};
  const uint32_t slots = layout_.piece_slots(mode_);
  if (position_ != 0 && in_piece()) [[likely]]
    return {begun_.unit, begun_.index + position_, begun_.ppn.plus(position_), slots - position_};
  begun_.unit = nullptr;
  while (true) {
    if (piece_ == pieces_) {
      if (row_ + 1 == layout_.rows() && parity_.on()) return {};  // its last parity waits
      advance_row();
    }
    const Ppn first = layout_.first_ppn(superblock_).plus((row_ * pieces_ + piece_) * slots);
    const ChunkAddress a = layout_.split(first, mode_);
    const uint8_t good = media_.good_planes(superblock_, a.die);
    const bool passed = units_[a.die.value()] == nullptr && next_row_[a.die.value()] > row_;
    if (good == 0 || passed || parity_.is_parity(a.die, row_)) {
      ++piece_;
      position_ = 0;
      continue;
    }
    if (good == all_planes_) {  // the usual case needs no look at the planes
      UnitBuffer* unit = unit_for(a.die);
      if (unit == nullptr) return {};
      begun_ = {unit, a.page * layout_.chunk_slots() + a.first, first, slots};
      begun_die_ = a.die;
      return {unit, begun_.index + position_, first.plus(position_), slots - position_};
    }
    while (position_ < slots && (good >> layout_.plane_of(a.first + position_) & 1) == 0)
      position_ += layout_.slots_per_page();
    if (position_ >= slots) {
      ++piece_;
      position_ = 0;
      continue;
    }
    UnitBuffer* unit = unit_for(a.die);
    if (unit == nullptr) return {};
    uint32_t end = position_;
    while (end < slots && (good >> layout_.plane_of(a.first + end) & 1) != 0)
      end += layout_.slots_per_page() - end % layout_.slots_per_page();
    return {unit, a.page * layout_.chunk_slots() + a.first + position_, first.plus(position_),
            end - position_};
  }
}

DieId Frontier::choose_die() {
  uint32_t best = UINT32_MAX;
  DieId choice;
  uint32_t chosen = 0;
  for (uint32_t i = 0; i < layout_.width(); ++i) {
    const uint32_t at = (rotor_ + i) % layout_.width();
    const DieId die = layout_.die_of(superblock_, at);
    if (!has_row(die) || media_.good_planes(superblock_, die) == 0) continue;
    const uint32_t waiting = scheduler_.writes_waiting(die);
    if (waiting < best) {
      best = waiting;
      choice = die;
      chosen = at;
    }
  }
  if (choice.valid()) rotor_ = chosen + 1u;
  return choice;
}

Place Frontier::find_on(DieId wanted) {
  if (!superblock_.valid() && !open()) return {};
  const auto fillable = [this](DieId die) {
    return die.valid() && layout_.has_die(superblock_, die) &&
           media_.good_planes(superblock_, die) != 0 && has_row(die);
  };
  DieId die = wanted;
  UnitBuffer* unit = die.valid() ? units_[die.value()] : nullptr;  // one being filled has room
  if (unit == nullptr) {
    if (!fillable(die)) {
      if (!target_.valid() || units_[target_.value()] == nullptr) target_ = choose_die();
      die = target_;
    }
    if (!die.valid() && parity_.on()) return {};  // parity waits for a unit
    SIM_ASSERT(die.valid(), "an open superblock without a row");
    unit = unit_for(die);
    if (unit == nullptr) return {};
  }
  // In die placement the good slots of a unit are filled in ascending order.
  const auto ppn_of = [&](uint32_t index) {
    return layout_.unit_slot(superblock_, unit->op.row, unit->op.die, index, mode_);
  };
  if (unit->usable == layout_.unit_slots(mode_)) {
    const uint32_t slots = layout_.piece_slots(mode_);
    const Ppn ppn = ppn_of(unit->filled);
    unit->piece_end = static_cast<uint16_t>((unit->filled / slots + 1) * slots);
    unit->piece = Ppn(ppn.value() - unit->filled);
    return {unit, unit->filled, ppn, 1};
  }
  uint32_t index = 0;
  uint32_t left = unit->filled;
  for (;; index += layout_.slots_per_page()) {
    if ((unit->op.plane_mask >> layout_.plane_of(index % layout_.chunk_slots()) & 1) == 0) continue;
    if (left < layout_.slots_per_page()) break;
    left -= layout_.slots_per_page();
  }
  index += left;
  return {unit, index, ppn_of(index), 1};
}

void Frontier::fill(const Place& place, uint32_t n) {
  UnitBuffer& unit = *place.unit;
  if (unit.filled == 0) ++partial_;
  unit.filled = static_cast<uint16_t>(unit.filled + n);
  table_.add_written(superblock_, n);
  if (stripe_) {
    position_ += n;
    if (position_ >= layout_.piece_slots(mode_)) {
      position_ = 0;
      ++piece_;
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
  if (parity_.on()) add_parity(parity_.first_die(unit.op.die));
}

// Has everybody else in the group of a die handed over the row whose parity it is to hold?
bool Frontier::parity_due(DieId die) const {
  const uint32_t row = next_row_[die.value()];
  if (units_[die.value()] != nullptr || row >= layout_.rows() || !parity_.is_parity(die, row) ||
      media_.good_planes(superblock_, die) == 0)
    return false;
  const DieId first = parity_.first_die(die);
  for (uint16_t k = 0; k < parity_.dies(); ++k) {
    const DieId other(static_cast<uint16_t>(first.value() + k));
    if (other == die || media_.good_planes(superblock_, other) == 0) continue;
    if (handed_over(other) <= row) return false;
  }
  return true;
}

// Hands over what parity of a group is due. One may let another follow.
void Frontier::add_parity(DieId first) {
  for (uint16_t k = 0; k < parity_.dies();) {
    const DieId die(static_cast<uint16_t>(first.value() + k));
    if (!parity_due(die)) {
      ++k;
      continue;
    }
    if (!hand_over_filler(die)) return;
    k = 0;
  }
}

void Frontier::add_parity() {
  if (!parity_.on() || !superblock_.valid()) return;
  for (uint32_t i = 0; i < layout_.width(); i += parity_.dies())
    add_parity(layout_.die_of(superblock_, i));
  check_filled();
}

// Hands over the next row of a die with parity or with padding. False: no unit for it.
bool Frontier::hand_over_filler(DieId die) {
  UnitBuffer* unit = parity_pool_.take();
  if (unit == nullptr) return false;
  begin(*unit, die);
  unit->filler = true;
  unit->sealed = true;
  unit->filled = unit->usable;
  ++table_.at(superblock_).programs;
  if (!parity_.is_parity(die, unit->op.row)) table_.add_written(superblock_, unit->usable);
  host_.submit_unit(*unit);
  return true;
}

// Pads the dies that lag behind others of their group, so that every row with data has parity.
void Frontier::complete_rows() {
  for (uint32_t i = 0; i < layout_.width(); i += parity_.dies()) {
    const DieId first = layout_.die_of(superblock_, i);
    uint32_t rows = 0;
    for (uint16_t k = 0; k < parity_.dies(); ++k)
      rows = std::max(rows, uint32_t{next_row_[first.value() + k]});
    for (uint16_t k = 0; k < parity_.dies(); ++k) {
      const DieId die(static_cast<uint16_t>(first.value() + k));
      if (media_.good_planes(superblock_, die) == 0) continue;
      while (next_row_[die.value()] < rows && hand_over_filler(die)) {
      }
    }
  }
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
  piece_ = position_ = 0;
  SIM_ASSERT(row_ < layout_.rows(), "a full superblock is still open");
}

// The superblock is filled when each die has handed over its last row.
void Frontier::check_filled() {
  for (uint32_t i = 0; i < layout_.width(); ++i) {
    const DieId die = layout_.die_of(superblock_, i);
    if (media_.good_planes(superblock_, die) == 0) continue;
    if (units_[die.value()] != nullptr || next_row_[die.value()] < layout_.rows()) return;
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
