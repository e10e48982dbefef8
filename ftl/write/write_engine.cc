#include "ftl/write/write_engine.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {
namespace {

uint32_t buffer_slots(Bytes size) { return static_cast<uint32_t>(size.count() / kSlotBytes); }

bool is_host(Stream s) { return s == Stream::kHostSlc || s == Stream::kHostTlc; }

// Units that may be in use: every buffered slot in a chunk of its own, and two rows of the whole
// drive being filled in each of `streams` streams.
uint32_t pool_size(Bytes buffer, const Layout& layout, uint32_t streams) {
  return buffer_slots(buffer) / layout.chunk_slots() + 2 * streams * layout.dies();
}

// Erases in flight: two superblocks being opened in each stream.
uint32_t erase_count(const Layout& layout, const StreamPlan& plan) {
  return 2 * layout.dies() * (1 + plan.host + plan.relocation() + (plan.map ? 1 : 0));
}

std::unique_ptr<HeatPolicy> heat_of(const DriveConfig& config) {
  std::unique_ptr<HeatPolicy> heat = config.write.heat.make({config.user_slots()});
  return heat->classes() > 1 ? std::move(heat) : nullptr;
}

constexpr std::initializer_list<Stream> kHostStreams = {Stream::kHostSlc, Stream::kHostTlc};
constexpr std::initializer_list<Stream> kRelocationStreams = {Stream::kFold, Stream::kGc,
                                                              Stream::kWear};

}  // namespace

WriteEngine::WriteEngine(const DriveConfig& config, Media& media, DieScheduler& scheduler,
                         FlatMap& map, SuperblockTable& table, SpaceManager& space, FtlStats& stats)
    : media_(media),
      scheduler_(scheduler),
      map_(map),
      table_(table),
      space_(space),
      stats_(stats),
      layout_(media.layout()),
      plan_(stream_plan(config)),
      pending_(buffer_slots(config.buffer.size), media.has_content()),
      host_pool_(pool_size(config.buffer.size, layout_, plan_.at_once * (1 + plan_.host)),
                 media.has_content()),
      relocation_pool_(pool_size(config.buffer.relocation_size, layout_, plan_.relocation()),
                       media.has_content()),
      map_pool_(plan_.map ? 2 * layout_.dies() : 0, media.has_content()),
      parity_pool_(table.parity().on() ? kParityUnits * layout_.dies() : 0, false),
      heat_(heat_of(config)),
      stripe_(config.gc.order == RelocationOrder::kStripe),
      erases_(std::make_unique<Operation[]>(erase_count(layout_, plan_))) {
  const auto make = [&](Stream s, uint32_t classes, CellMode mode, bool in_stripes,
                        UnitPool& pool) {
    const bool wide = s != Stream::kWear && s != Stream::kMap;
    for (uint32_t heat = 0; heat < classes; ++heat) {
      OpenSuperblocks& open = streams_[static_cast<size_t>(s)].emplace_back();
      for (uint32_t i = 0; i < (wide ? plan_.at_once : 1); ++i)
        open.add(std::make_unique<Frontier>(s, heat, mode, in_stripes, *this, pool, parity_pool_,
                                            table, media, scheduler));
    }
  };
  make(Stream::kHostSlc, 1, CellMode::kSlc, true, host_pool_);
  make(Stream::kHostTlc, plan_.host, CellMode::kTlc, true, host_pool_);
  make(Stream::kFold, 1, CellMode::kTlc, stripe_, relocation_pool_);
  make(Stream::kGc, plan_.collect, CellMode::kTlc, stripe_, relocation_pool_);
  make(Stream::kWear, plan_.wear ? 1 : 0, CellMode::kTlc, stripe_, relocation_pool_);
  make(Stream::kMap, plan_.map ? 1 : 0, CellMode::kTlc, false, map_pool_);
  // Streams begin in different groups of dies.
  for (uint32_t s = 0; s < kStreams; ++s) next_group_[s] = s % layout_.groups();
  for (uint32_t i = 0; i < erase_count(layout_, plan_); ++i) erase_stack_.push_back(&erases_[i]);
  free_erases_ = static_cast<uint32_t>(erase_stack_.size());
}

template <class Do>
void WriteEngine::each_frontier(Do what) {
  for (auto& classes : streams_)
    for (auto& open : classes)
      for (const auto& f : open) what(*f);
}

// The group of dies where a stream should open a superblock: the next in turn of those where it
// has none.
uint32_t WriteEngine::group_for(Stream stream, uint32_t heat) {
  const uint32_t next = next_group_[static_cast<size_t>(stream)];
  for (uint32_t i = 0; i < layout_.groups(); ++i) {
    const uint32_t group = (next + i) % layout_.groups();
    bool taken = false;
    for (const auto& f : open(stream, heat))
      taken |= f->is_open() && layout_.group_of(f->superblock()) == group;
    if (!taken) return group;
  }
  return next;
}

SuperblockId WriteEngine::open_superblock(Stream stream, uint32_t heat, CellMode mode) {
  if (free_erases_ < layout_.width()) return SuperblockId::invalid();
  // Relocation and what it has read come before the map.
  const uint32_t keep =
      stream == Stream::kMap ? std::max(plan_.kept_from_map(), claims_->claimed() + 1) : 0;
  const SuperblockId sb =
      space_.take(!is_host(stream), stream == Stream::kWear, keep, group_for(stream, heat));
  if (!sb.valid()) return sb;
  next_group_[static_cast<size_t>(stream)] = (layout_.group_of(sb) + 1) % layout_.groups();
  table_.open(sb, stream, mode, heat);
  for (uint32_t i = 0; i < layout_.width(); ++i) {
    const DieId die = layout_.die_of(sb, i);
    if (media_.good_planes(sb, die) == 0) continue;
    Operation& op = *erase_stack_[--free_erases_];
    op.kind = OpKind::kErase;
    op.mode = mode;
    op.die = die;
    op.superblock = sb;
    op.plane_mask = media_.good_planes(sb, die);
    op.urgent = false;
    op.purpose = Purpose::kErase;
    op.slots = 0;
    op.sink = this;
    op.owner = nullptr;
    scheduler_.submit(op);
  }
  listener_->superblock_opened_or_closed();
  return sb;
}

void WriteEngine::submit_unit(UnitBuffer& unit) {
  unit.op.sink = this;
  unit.op.owner = &unit;
  unit.op.spare = unit.lpn;
  ++in_flight_;
  if (unit.filler) {
    ++parity_in_flight_;
    scheduler_.submit(unit.op);
    return;
  }
  if (is_host(unit.stream)) {
    unit.seal_number = ++seals_;
    ++host_in_flight_;
  }
  if (unit.stream == Stream::kMap) ++map_in_flight_;
  scheduler_.submit(unit.op);
}

uint32_t WriteEngine::coalesce(Lpn lpn, uint32_t n, const uint64_t* tokens) {
  uint32_t done = 0;
  while (done < n) {
    const Ppn at = pending_.find(lpn.plus(done));
    if (!at.valid()) break;
    const Superblock& superblock = table_[layout_.superblock_of(at)];
    uint32_t index = 0;
    UnitBuffer* unit = nullptr;
    for (const auto& f : open(superblock.stream, superblock.heat))
      if (unit == nullptr) unit = f->unsealed(at, &index);
    if (unit == nullptr) break;
    if (tokens != nullptr) unit->tokens[index] = pending_.token(lpn.plus(done)) = tokens[done];
    ++done;
  }
  stats_.coalesced_slots += done;
  return done;
}

// Units from one on that share its heat class.
uint32_t WriteEngine::region_rest(Lpn lpn) const {
  const uint32_t region = heat_->region_units();
  return region - lpn.value() % region;
}

uint32_t WriteEngine::place_host(Stream stream, Lpn lpn, uint32_t n, const uint64_t* tokens,
                                 uint32_t* coalesced) {
  uint32_t done = 0;
  while (done < n) {
    const Lpn at = lpn.plus(done);
    const uint64_t* t = tokens == nullptr ? nullptr : tokens + done;
    if (pending_.group_pending(at)) {
      const uint32_t same = coalesce(at, n - done, t);
      *coalesced += same;
      done += same;
      if (same != 0) continue;
    }
    const bool classified = classes(stream) > 1;
    OpenSuperblocks& open = this->open(stream, classified ? heat_->classify(at) : 0);
    const OpenSuperblocks::Found found = open.next();
    const Place& place = found.place;
    if (place.unit == nullptr) break;
    uint32_t k = std::min(place.run, n - done);
    k = std::min(k, PendingIndex::kGroup - at.value() % PendingIndex::kGroup);
    if (heat_ != nullptr) k = std::min(k, region_rest(at));
    // A later unit of the run may be pending in an unsealed word line: take one at a time then.
    if (k > 1 && pending_.group_pending(at)) k = 1;
    UnitBuffer& unit = *place.unit;
    for (uint32_t i = 0; i < k; ++i) {
      unit.lpn[place.index + i] = at.value() + i;
      unit.source[place.index + i] = UINT32_MAX;
    }
    unit.data_slots = static_cast<uint16_t>(unit.data_slots + k);
    pending_.put(at, place.ppn, k);
    if (t != nullptr)
      for (uint32_t i = 0; i < k; ++i)
        unit.tokens[place.index + i] = pending_.token(at.plus(i)) = t[i];
    open.fill(found, k);
    if (heat_ != nullptr) heat_->written(at, k);
    done += k;
  }
  return done;
}

bool WriteEngine::place_moved(Stream stream, Lpn lpn, Ppn source, DieId near) {
  // Heat is of data: translation pages go with the coldest class.
  const bool classified = classes(stream) > 1 && lpn.value() < map_.user_slots();
  OpenSuperblocks& open = this->open(stream, classified ? heat_->classify(lpn) : 0);
  const OpenSuperblocks::Found found = stripe_ ? open.next() : open.next_on(near);
  const Place& place = found.place;
  if (place.unit == nullptr) return false;
  if (place.unit->data_slots == 0)  // the first says for whom the word line is written
    place.unit->op.purpose = purpose_of_copies(table_[layout_.superblock_of(source)].cause);
  place.unit->lpn[place.index] = lpn.value();
  place.unit->source[place.index] = source.value();
  if (place.unit->tokens != nullptr) place.unit->tokens[place.index] = media_.content(source);
  ++place.unit->data_slots;
  open.fill(found, 1);
  return true;
}

WriteEngine::Copy WriteEngine::place_copied(Stream stream, DieId die, Ppn source,
                                            uint64_t slot_mask, uint8_t planes) {
  const OpenSuperblocks::Found found = open(stream).next_on(die);
  const Place& place = found.place;
  if (place.unit == nullptr) return Copy::kNoRoom;
  UnitBuffer& unit = *place.unit;
  const auto slots = static_cast<uint32_t>(std::popcount(slot_mask));
  if (unit.op.die != die || unit.op.plane_mask != planes || unit.filled % slots != 0)
    return Copy::kElsewhere;
  const uint32_t page = place.index / layout_.chunk_slots() * layout_.chunk_slots();
  for (uint64_t m = slot_mask; m != 0; m &= m - 1) {
    const auto i = static_cast<uint32_t>(std::countr_zero(m));
    const Ppn from = layout_.chunk_slot(source, i, CellMode::kSlc);
    unit.lpn[page + i] = media_.spare(from);
    unit.source[page + i] = from.value();
    if (unit.tokens != nullptr) unit.tokens[page + i] = media_.content(from);
  }
  unit.data_slots = static_cast<uint16_t>(unit.data_slots + slots);
  unit.op.slots = static_cast<uint16_t>(unit.op.slots - slots);
  open(stream).fill(found, slots);
  return Copy::kPlaced;
}

Ppn WriteEngine::place_page(uint32_t page, uint64_t token) {
  const OpenSuperblocks::Found found = open(Stream::kMap).next_on(DieId::invalid());
  const Place& place = found.place;
  if (place.unit == nullptr) return Ppn::invalid();
  place.unit->lpn[place.index] = map_.user_slots() + page;
  place.unit->source[place.index] = UINT32_MAX;
  if (place.unit->tokens != nullptr) place.unit->tokens[place.index] = token;
  ++place.unit->data_slots;
  open(Stream::kMap).fill(found, 1);
  return place.ppn;
}

void WriteEngine::seal(std::initializer_list<Stream> streams) {
  for (const Stream s : streams)
    for (auto& open : streams_[static_cast<size_t>(s)])
      for (const auto& f : open) f->seal();
}

void WriteEngine::seal_host() { seal(kHostStreams); }

void WriteEngine::seal_relocation() { seal(kRelocationStreams); }

bool WriteEngine::has_partial(std::initializer_list<Stream> streams) const {
  for (const Stream s : streams)
    for (const auto& open : streams_[static_cast<size_t>(s)])
      for (const auto& f : open)
        if (f->has_partial()) return true;
  return false;
}

bool WriteEngine::has_partial_host() const { return has_partial(kHostStreams); }

bool WriteEngine::has_partial_relocation() const { return has_partial(kRelocationStreams); }

void WriteEngine::reset() {
  SIM_ASSERT(in_flight_ == 0 && pending_.empty(), "format with writes in flight");
  each_frontier([](Frontier& f) { f.reset(); });
  if (heat_ != nullptr) heat_->reset();
}

void WriteEngine::superblock_filled(SuperblockId sb) {
  table_.set_state(sb, SuperblockState::kFilled);
  close_if_complete(sb);
}

void WriteEngine::close_if_complete(SuperblockId sb) {
  const Superblock& s = table_[sb];
  if (s.state != SuperblockState::kFilled || s.programs != 0) return;
  table_.set_state(sb, SuperblockState::kClosed);
  if (table_.valid(sb) == 0) space_.superblock_dead(sb);
  listener_->superblock_opened_or_closed();
}

void WriteEngine::operation_done(Operation& op) {
  if (op.kind == OpKind::kErase) {
    erase_stack_[free_erases_++] = &op;
    listener_->erase_done();
    return;
  }
  auto& unit = *static_cast<UnitBuffer*>(op.owner);
  if (unit.filler) {
    parity_done(unit);
    return;
  }
  commit(unit);
  unit_done(unit);
}

// Parity, or padding of a row that is completed: nothing of it is mapped.
void WriteEngine::parity_done(UnitBuffer& unit) {
  const SuperblockId sb = unit.op.superblock;
  const bool parity = table_.parity().is_parity(unit.op.die, unit.op.row);
  stats_.programmed[static_cast<size_t>(parity ? Cause::kParity : Cause::kPad)]
                   [static_cast<size_t>(unit.op.mode)] += unit.usable;
  --table_.at(sb).programs;
  --in_flight_;
  --parity_in_flight_;
  const bool scarce = parity_pool_.available() == 0;
  parity_pool_.give(unit);
  if (scarce) each_frontier([](Frontier& f) { f.add_parity(); });
  close_if_complete(sb);
  listener_->parity_unit_done();
}

// Takes the slots of a finished program into the map, run by run.
void WriteEngine::commit(UnitBuffer& unit) {
  if (unit.stream == Stream::kMap) {
    commit_pages(unit);
    return;
  }
  const Operation& op = unit.op;
  const uint32_t piece = layout_.piece_slots(op.mode);
  const uint32_t total = layout_.unit_slots(op.mode);
  for (uint32_t index = 0; index < total;) {
    if (unit.lpn[index] == Media::kSparePad) {
      ++index;
      continue;
    }
    const Ppn ppn = layout_.unit_slot(op.superblock, op.row, op.die, index, op.mode);
    const uint32_t end = std::min(total, (index / piece + 1) * piece);
    if (unit.source[index] != UINT32_MAX) {
      index += commit_moved(unit, index, end, ppn);
      continue;
    }
    uint32_t n = 1;
    while (index + n < end && unit.lpn[index + n] == unit.lpn[index] + n &&
           unit.source[index + n] == UINT32_MAX)
      ++n;
    index += commit_host_run(unit, index, n, ppn);
  }
}

// Commits up to the end of the run or of its group of the pending index; returns how many.
uint32_t WriteEngine::commit_host_run(const UnitBuffer& unit, uint32_t index, uint32_t n, Ppn ppn) {
  const Lpn lpn(unit.lpn[index]);
  n = std::min(n, PendingIndex::kGroup - lpn.value() % PendingIndex::kGroup);
  if (unit.tokens != nullptr)
    for (uint32_t i = 0; i < n; ++i) media_.content(ppn.plus(i)) = unit.tokens[index + i];
  const uint32_t live = pending_.settle(lpn, ppn, n);
  if (live == (n == 32 ? UINT32_MAX : (1u << n) - 1)) {
    map_.update(lpn, ppn, n);
    return n;
  }
  for (uint32_t i = 0; i < n; ++i) {
    if ((live >> i & 1) != 0)
      map_.update(lpn.plus(i), ppn.plus(i), 1);
    else
      ++stats_.superseded_slots;
  }
  return n;
}

void WriteEngine::commit_pages(const UnitBuffer& unit) {
  const Operation& op = unit.op;
  for (uint32_t index = 0; index < layout_.unit_slots(op.mode); ++index) {
    if (unit.lpn[index] == Media::kSparePad) continue;
    const Ppn ppn = layout_.unit_slot(op.superblock, op.row, op.die, index, op.mode);
    if (unit.tokens != nullptr) media_.content(ppn) = unit.tokens[index];
    pages_->page_written(unit.lpn[index] - map_.user_slots(), ppn);
  }
}

// Commits the slots from `index` on, up to `end` at most, that come from one victim; returns how
// many.
uint32_t WriteEngine::commit_moved(const UnitBuffer& unit, uint32_t index, uint32_t end, Ppn ppn) {
  const SuperblockId sb = layout_.superblock_of(Ppn(unit.source[index]));
  const uint32_t first = layout_.first_ppn(sb).value();
  const uint32_t past = layout_.first_ppn(SuperblockId(sb.value() + 1)).value();
  uint32_t n = 0;
  do {
    const Ppn source(unit.source[index + n]);
    const Ppn to = ppn.plus(n);
    if (unit.tokens != nullptr) media_.content(to) = unit.tokens[index + n];
    if (media_.is_lost(source)) media_.mark_lost(to);
    if (!map_.move(Lpn(unit.lpn[index + n]), source, to)) ++stats_.superseded_slots;
    ++n;
  } while (index + n < end && unit.lpn[index + n] != Media::kSparePad &&
           unit.source[index + n] >= first && unit.source[index + n] < past);
  Superblock& victim = table_.at(sb);
  victim.moving -= n;
  stats_.programmed[static_cast<size_t>(victim.cause)][static_cast<size_t>(unit.op.mode)] += n;
  return n;
}

void WriteEngine::unit_done(UnitBuffer& unit) {
  const SuperblockId sb = unit.op.superblock;
  const uint32_t slots = unit.data_slots;
  const auto mode = static_cast<size_t>(unit.op.mode);
  --table_.at(sb).programs;
  --in_flight_;
  stats_.programmed[static_cast<size_t>(Cause::kPad)][mode] += unit.usable - slots;
  if (is_host(unit.stream)) {
    stats_.programmed[static_cast<size_t>(Cause::kHost)][mode] += slots;
    --host_in_flight_;
    host_pool_.give(unit);
    close_if_complete(sb);
    listener_->host_unit_done(unit.seal_number, slots);
  } else if (unit.stream == Stream::kMap) {
    stats_.programmed[static_cast<size_t>(Cause::kMeta)][mode] += slots;
    --map_in_flight_;
    map_pool_.give(unit);
    close_if_complete(sb);
    listener_->map_unit_done();
  } else {  // moved slots were counted one by one, each under its own cause
    relocation_pool_.give(unit);
    close_if_complete(sb);
    listener_->relocation_unit_done(slots);
  }
}

}  // namespace ftlsim
