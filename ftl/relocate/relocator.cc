#include "ftl/relocate/relocator.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {
namespace {

constexpr uint32_t kReadsInFlight = 512;
constexpr uint32_t kFullDuty = 1 << 16;
// Operation::tag of a relocation read.
constexpr uint32_t kReading = 0;
constexpr uint32_t kRead = 1;

}  // namespace

Relocator::Relocator(Simulator& sim, const DriveConfig& config, Media& media,
                     DieScheduler& scheduler, FlatMap& map, SuperblockTable& table,
                     SpaceManager& space, WriteEngine& engine, Rebuilder& rebuilder,
                     ProgressSink& progress, FtlStats& stats)
    : sim_(sim),
      media_(media),
      scheduler_(scheduler),
      map_(map),
      table_(table),
      space_(space),
      engine_(engine),
      rebuilder_(rebuilder),
      progress_(progress),
      stats_(stats),
      layout_(media.layout()),
      order_(config.gc.order),
      on_chip_(config.slc.fold.path == FoldPath::kOnChip),
      capacity_(static_cast<uint32_t>(config.buffer.relocation_size.count() / kSlotBytes)),
      ample_(2 +
             stream_plan(config).relocation() * (capacity_ / table.full_slots(CellMode::kTlc) + 1)),
      ops_(std::make_unique<Operation[]>(kReadsInFlight)),
      wake_(this, Phase::kFirmware),
      request_wake_(this, Phase::kFirmware) {
  free_.reserve(kReadsInFlight);
  issued_.resize(kReadsInFlight, nullptr);
  for (uint32_t i = kReadsInFlight; i-- > 0;) free_.push_back(&ops_[i]);
  draining_.reserve(table.size());
}

Relocator::~Relocator() { ready_.clear(); }

void Relocator::reset() {
  SIM_ASSERT(in_flight_ == 0, "format with relocation in flight");
  reclaim_ = requested_ = Lane();
  draining_.clear();
  sim_.cancel(wake_);
  sim_.cancel(request_wake_);
}

void Relocator::end_idle_work() {
  step_units_ = 0;
  step_ends_ = false;
  reclaim_.next_read = Time();
  if (wake_.pending()) sim_.reschedule(wake_, sim_.now());  // somebody may wait for this read
}

void Relocator::drop_staged() {
  while (!ready_.empty()) {
    Operation& op = ready_.front();
    const auto units = static_cast<uint32_t>(std::popcount(op.slot_mask));
    table_.at(op.superblock).moving -= units;
    in_flight_ -= units;
    unplaced_[static_cast<size_t>(destination(op.superblock))] -= units;
    ready_.pop_front();
    free_.push_back(&op);
  }
}

// The stream that takes what a victim holds.
Stream Relocator::destination(SuperblockId victim) const {
  if (table_[victim].cause == Cause::kWear && engine_.classes(Stream::kWear) != 0)
    return Stream::kWear;
  return table_[victim].mode == CellMode::kSlc ? Stream::kFold : Stream::kGc;
}

void Relocator::pump() {
  if (pumping_) return;
  pumping_ = true;
  place_ready();
  const uint32_t chunk = layout_.chunk_slots();
  while (!free_.empty() && in_flight_ + chunk <= capacity_ && read_some()) {
  }
  // Data that can neither grow to a full word line nor wait for more: pad them.
  const bool stuck = reading_ == 0 && ready_.empty() && in_flight_ != 0;
  if (stuck && !engine_.relocation_in_flight()) {
    const bool full = in_flight_ + chunk > capacity_ || !fits(reclaim_) ||
                      (requested_.victim.valid() && !fits(requested_));
    if (full || nothing_to_come()) engine_.seal_relocation();
  }
  pumping_ = false;
}

// Reads one chunk, or finishes a victim, in the first lane that can go on.
bool Relocator::read_some() {
  if (fits(reclaim_) && (reclaim_.victim.valid() || take_victim()) && read_next(reclaim_))
    return true;
  if (!requested_.victim.valid() && !take_request()) return false;
  // One that has died needs no room.
  return (table_.valid(requested_.victim) == 0 || fits(requested_)) && read_next(requested_);
}

// Will no read bring what the partial word lines wait for?
bool Relocator::nothing_to_come() const {
  const bool more = requested_.victim.valid() && plan_->may_serve(request_, true);
  bool reclaim_waits = false;
  for (const SuperblockId sb : draining_) {
    const bool reclaim = table_[sb].cause == Cause::kGc || table_[sb].cause == Cause::kFold;
    if (!reclaim && !more) return true;
    reclaim_waits |= reclaim;
  }
  if (reclaim_.victim.valid()) return false;
  return plan_->drain() && (!more || reclaim_waits);
}

// May another chunk of a lane be read? Only if the open and the free superblocks can take
// everything that is read, whatever its order: else several victims could each wait half placed for
// the last slot. A lane without a victim may get one for any stream.
bool Relocator::fits(const Lane& lane) const {
  if (space_.free_count() >= ample_) return true;
  uint32_t needed = 0;
  for (const Stream s : {Stream::kFold, Stream::kGc, Stream::kWear}) {
    const uint32_t unplaced = unplaced_[static_cast<size_t>(s)];
    const bool fed = lane.victim.valid() ? destination(lane.victim) == s
                                         : s != Stream::kWear || &lane == &requested_;
    if (unplaced != 0 || fed) needed += superblocks_for(s, unplaced + layout_.chunk_slots());
  }
  return needed <= space_.free_count();
}

// Free superblocks that `slots` slots of a stream may take at most, whatever their heat classes and
// whichever of the open superblocks they go to: the worst case overflows those with the least room
// first.
uint32_t Relocator::superblocks_for(Stream stream, uint32_t slots) const {
  const uint32_t size = table_.full_slots(CellMode::kTlc);
  std::array<uint32_t, kMostHeatClasses * kMostOpenSuperblocks> rooms;
  uint32_t open = 0;
  for (uint32_t heat = 0; heat < engine_.classes(stream); ++heat)
    for (const auto& f : engine_.open(stream, heat)) rooms[open++] = f->room();
  if (open > 1) std::sort(rooms.begin(), rooms.begin() + open);
  uint32_t needed = 0;
  for (uint32_t i = 0; i < open && slots > rooms[i]; ++i) {
    slots -= rooms[i] + 1;
    ++needed;
  }
  return needed == 0 ? 0 : needed + slots / size;
}

uint32_t Relocator::claimed() const {
  uint32_t needed = 0;
  for (const Stream s : {Stream::kFold, Stream::kGc, Stream::kWear})
    needed += superblocks_for(s, unplaced_[static_cast<size_t>(s)]);
  return needed;
}

bool Relocator::take_victim() {
  // When all that was read waits in partial word lines, another victim is better than padding.
  const bool held_up =
      reading_ == 0 && ready_.empty() && in_flight_ != 0 && !engine_.relocation_in_flight();
  // What is being emptied already may be enough: another victim would only eat the gain.
  const uint32_t size = table_.full_slots(CellMode::kTlc);
  uint32_t need = 0;
  for (const uint32_t unplaced : unplaced_) need += unplaced;
  if (need != 0) need = (need + size - 1) / size;
  const uint32_t gain = space_.free_count() + static_cast<uint32_t>(draining_.size());
  if (!held_up && plan_->enough(gain > need ? gain - need : 0)) return false;
  const RelocationVictim victim = plan_->next_victim();
  if (!victim.superblock.valid()) return false;
  ++(table_[victim.superblock].mode == CellMode::kSlc ? stats_.victims_slc : stats_.victims_tlc);
  begin(reclaim_, victim.superblock, victim.cause);
  if (reclaim_.valid == 0) plan_->was_free(table_.usable(victim.superblock, CellMode::kTlc));
  return true;
}

bool Relocator::take_request() {
  request_ = plan_->next_request();
  if (!request_.superblock.valid()) return false;
  begin(requested_, request_.superblock, request_.cause);
  return true;
}

void Relocator::begin(Lane& lane, SuperblockId sb, Cause cause) {
  table_.set_state(sb, SuperblockState::kVictim);
  table_.at(sb).cause = cause;
  lane.victim = sb;
  lane.valid = table_.valid(sb);
  lane.cursor = 0;
}

// What one read takes: a chunk; or one piece of it, where stripes have to stay together although
// their slots go from die to die before they go from plane to plane.
uint32_t Relocator::read_slots(CellMode mode) const {
  return order_ == RelocationOrder::kStripe ? layout_.piece_slots(mode) : layout_.chunk_slots();
}

// The first slot of the n-th read of a victim.
Ppn Relocator::read_first(SuperblockId victim, uint32_t n, CellMode mode) const {
  return order_ == RelocationOrder::kStripe
             ? layout_.first_ppn(victim).plus(n * layout_.piece_slots(mode))
             : layout_.chunk_base(victim, n, mode);
}

// Issues the read of the next chunk that holds valid slots. False: not now.
bool Relocator::read_next(Lane& lane) {
  const SuperblockId victim = lane.victim;
  const CellMode mode = table_[victim].mode;
  const uint32_t chunk = read_slots(mode);
  const uint32_t chunks = layout_.superblock_slots(mode) / chunk;
  if (table_.valid(victim) == 0) lane.cursor = chunks;
  // A request that may not go on must not ask for translations either: they may take time.
  if (lane.cursor < chunks && &lane == &requested_ &&
      (!plan_->may_serve(request_, !reclaim_.victim.valid()) || waits(lane)))
    return false;
  for (; lane.cursor < chunks; ++lane.cursor) {
    const Ppn first = read_first(victim, lane.cursor, mode);
    const UnitSource units_of{media_.spare_data() + first.value(), chunk, layout_.piece_slots(mode),
                              layout_.gap(mode)};
    if (!map_.request_units(units_of, wake_of(lane))) return false;
    const uint64_t mask = valid_in(
        first, mode, lane.cursor + 2 < chunks ? read_first(victim, lane.cursor + 2, mode) : first);
    if (mask == 0) continue;
    const auto units = static_cast<uint32_t>(std::popcount(mask));
    if (!allowed(lane, mode, units)) return false;
    Operation& op = prepare_read(victim, first, mask, mode);
    table_.at(victim).moving += units;
    in_flight_ += units;
    unplaced_[static_cast<size_t>(destination(victim))] += units;
    ++reading_;
    ++stats_.relocation_reads;
    if (&lane == &reclaim_)
      plan_->was_read(mode, units, lane.valid, table_.usable(victim, CellMode::kTlc));
    if (order_ == RelocationOrder::kStripe)
      issued_[(issued_head_ + issued_count_++) % kReadsInFlight] = &op;
    ++lane.cursor;
    scheduler_.submit(op);
    return true;
  }
  finish_victim(lane);
  return true;
}

// May the lane read so many units now? Charges its rate and duty limits if so.
bool Relocator::allowed(Lane& lane, CellMode mode, uint32_t units) {
  if (&lane == &requested_) {
    charge(lane, request_.rate, units);
    return true;
  }
  if (!plan_->may_read(mode, units) || waits(lane)) return false;
  charge(lane, plan_->rate(mode), units);
  charge_duty(units);
  return true;
}

Operation& Relocator::prepare_read(SuperblockId victim, Ppn first, uint64_t mask, CellMode mode) {
  Operation& op = *free_.back();
  free_.pop_back();
  const ChunkAddress a = layout_.split(first, mode);
  op.kind = OpKind::kRead;
  op.mode = mode;
  op.die = a.die;
  op.superblock = victim;
  op.row = a.row;
  op.page = a.page;
  op.first = first;
  op.slot_mask = mask;
  op.slots = static_cast<uint16_t>(std::popcount(mask));
  op.plane_mask = 0;
  for (uint64_t m = mask; m != 0; m &= m - 1) {
    const uint32_t position = a.first + static_cast<uint32_t>(std::countr_zero(m));
    op.plane_mask |= static_cast<uint8_t>(1u << layout_.plane_of(position));
  }
  op.urgent = false;
  op.purpose = purpose_of_copies(table_[victim].cause);
  op.on_chip =
      on_chip_ && mode == CellMode::kSlc && op.plane_mask == media_.good_planes(victim, op.die) &&
      op.slots == static_cast<uint32_t>(std::popcount(op.plane_mask)) * layout_.slots_per_page();
  op.sink = this;
  op.tag = kReading;
  return op;
}

// Which slots of a read from `first` on hold the current version of their unit. The map entries of
// the read that begins at `ahead` are fetched meanwhile, unless that is the same.
uint64_t Relocator::valid_in(Ppn first, CellMode mode, Ppn ahead) const {
  uint64_t mask = 0;
  const uint32_t slots = read_slots(mode);
  const uint32_t piece = layout_.piece_slots(mode);
  for (uint32_t begin = 0; begin < slots; begin += piece) {
    const Ppn from = layout_.chunk_slot(first, begin, mode);
    const Ppn next_from = layout_.chunk_slot(ahead, begin, mode);
    for (uint32_t i = 0; i < piece; ++i) {
      const Ppn ppn = from.plus(i);
      if (map_.is_current(media_.spare(ppn), ppn)) mask |= uint64_t{1} << (begin + i);
      if (ahead == first) continue;
      const uint32_t next = media_.spare(next_from.plus(i));
      if (next < map_.units()) map_.prefetch(Lpn(next));
    }
  }
  return mask;
}

// True if the rate limit of a lane holds its next read back; the wake-up is then scheduled.
bool Relocator::waits(Lane& lane) {
  if (&lane == &reclaim_ && step_ends_ && !end_step()) return true;
  if (sim_.now() >= lane.next_read) return false;
  Event& wake = wake_of(lane);
  if (!wake.pending()) sim_.schedule(wake, lane.next_read);
  return true;
}

void Relocator::charge(Lane& lane, uint64_t rate, uint32_t units) {
  if (rate == 0) return;
  const uint64_t ns = uint64_t{units} * kSlotBytes * 1'000'000'000 / rate;
  lane.next_read =
      max(lane.next_read, sim_.now() - Duration::us(50)) + Duration::ns(static_cast<int64_t>(ns));
}

// A step of the reclaim lane is one stripe, from its first read until all of it that fills word
// lines is programmed. Then the lane rests as long as its duty says.
void Relocator::charge_duty(uint32_t units) {
  const uint32_t duty = plan_->duty();
  if (duty >= kFullDuty) {
    step_units_ = 0;
    return;
  }
  duty_ = duty;
  if (step_units_ == 0) step_start_ = sim_.now();
  step_units_ += units;
  step_ends_ = step_units_ >= layout_.stripe_slots(CellMode::kTlc);
}

// Begins the rest after a step; false while operations of it are running, which wake the lane.
bool Relocator::end_step() {
  if (reading_ != 0 || !ready_.empty() || engine_.relocation_in_flight()) return false;
  const int64_t elapsed = (sim_.now() - step_start_).to_ns();
  reclaim_.next_read =
      max(reclaim_.next_read, sim_.now() + Duration::ns(elapsed * (kFullDuty - duty_) / duty_));
  step_units_ = 0;
  step_ends_ = false;
  return true;
}

void Relocator::operation_done(Operation& op) {
  if (rebuilder_.take(op)) return;
  --reading_;
  // What cannot be read moves all the same, marked as lost: the host must not get older data.
  for (uint64_t lost = op.lost & op.slot_mask; lost != 0; lost &= lost - 1) {
    media_.mark_lost(slot_of(op, lost));
    ++stats_.relocation_lost_slots;
  }
  if (order_ != RelocationOrder::kStripe) {
    ready_.push_back(op);
  } else {
    op.tag = kRead;
    while (issued_count_ != 0 && issued_[issued_head_]->tag == kRead) {
      ready_.push_back(*issued_[issued_head_]);
      issued_head_ = (issued_head_ + 1) % kReadsInFlight;
      --issued_count_;
    }
  }
  progress_.progress();
}

void Relocator::place_ready() {
  while (!ready_.empty()) {
    Operation& op = ready_.front();
    if (op.on_chip) {
      const WriteEngine::Copy copy = place_on_chip(op);
      if (copy == WriteEngine::Copy::kNoRoom) return;
      if (copy == WriteEngine::Copy::kElsewhere) {
        ready_.pop_front();
        op.on_chip = false;
        ++stats_.copy_retries;
        ++stats_.relocation_reads;
        ++reading_;
        scheduler_.submit(op);
        continue;
      }
    } else if (!place(op)) {
      return;
    }
    ready_.pop_front();
    free_.push_back(&op);
  }
}

// Places a chunk whose data are still in the die, if all of them are still current.
WriteEngine::Copy Relocator::place_on_chip(const Operation& op) {
  if ((op.slot_mask & ~valid_in(op.first, op.mode, op.first)) != 0)
    return WriteEngine::Copy::kElsewhere;
  const Stream stream = destination(op.superblock);
  const WriteEngine::Copy copy =
      engine_.place_copied(stream, op.die, op.first, op.slot_mask, op.plane_mask);
  if (copy != WriteEngine::Copy::kPlaced) return copy;
  const auto units = static_cast<uint32_t>(op.slots);
  unplaced_[static_cast<size_t>(stream)] -= units;
  moved_[static_cast<size_t>(table_[op.superblock].cause)] += units;
  stats_.copied_on_chip_slots += units;
  return copy;
}

// Places the slots of a read that are still current. False: no room for the rest.
bool Relocator::place(Operation& op) {
  const Stream stream = destination(op.superblock);
  const bool local = order_ == RelocationOrder::kDieLocal && !on_chip_;
  const DieId near = local ? op.die : DieId::invalid();
  while (op.slot_mask != 0) {
    const Ppn ppn = slot_of(op, op.slot_mask);
    const uint32_t lpn = media_.spare(ppn);
    if (!map_.is_current(lpn, ppn)) {
      ++stats_.moved_dead_slots;
      --table_.at(op.superblock).moving;
      --in_flight_;
    } else {
      if (!engine_.place_moved(stream, Lpn(lpn), ppn, near)) return false;
      ++moved_[static_cast<size_t>(table_[op.superblock].cause)];
    }
    --unplaced_[static_cast<size_t>(stream)];
    op.slot_mask &= op.slot_mask - 1;
  }
  if (!draining_.empty()) release_drained();
  return true;
}

void Relocator::finish_victim(Lane& lane) {
  draining_.push_back(lane.victim);
  lane.victim = SuperblockId::invalid();
  release_drained();
}

void Relocator::settled(uint32_t slots) {
  in_flight_ -= slots;
  release_drained();
}

void Relocator::release_drained() {
  for (size_t i = 0; i < draining_.size();) {
    const SuperblockId sb = draining_[i];
    // Staged data that were dropped leave valid slots behind: only a format follows then.
    if (table_[sb].moving != 0 || table_.valid(sb) != 0) {
      ++i;
      continue;
    }
    space_.release(sb);
    draining_[i] = draining_.back();
    draining_.pop_back();
  }
}

}  // namespace ftlsim
