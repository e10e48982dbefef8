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
                     SpaceManager& space, WriteEngine& engine, ProgressSink& progress,
                     FtlStats& stats)
    : sim_(sim),
      media_(media),
      scheduler_(scheduler),
      map_(map),
      table_(table),
      space_(space),
      engine_(engine),
      progress_(progress),
      stats_(stats),
      layout_(media.layout()),
      order_(config.gc.order),
      capacity_(static_cast<uint32_t>(config.buffer.relocation_size.count() / kSlotBytes)),
      ample_(2 + 2 * (capacity_ / layout_.superblock_slots(CellMode::kTlc) + 1)),
      ops_(std::make_unique<Operation[]>(kReadsInFlight)),
      wake_(this, Phase::kFirmware) {
  free_.reserve(kReadsInFlight);
  issued_.resize(kReadsInFlight, nullptr);
  for (uint32_t i = kReadsInFlight; i-- > 0;) free_.push_back(&ops_[i]);
  draining_.reserve(table.size());
}

Relocator::~Relocator() { ready_.clear(); }

void Relocator::reset() {
  SIM_ASSERT(in_flight_ == 0, "format with relocation in flight");
  victim_ = SuperblockId::invalid();
  draining_.clear();
  sim_.cancel(wake_);
}

void Relocator::end_idle_work() {
  step_units_ = 0;
  next_read_ = Time();
  if (wake_.pending()) sim_.reschedule(wake_, sim_.now());  // somebody may wait for this read
}

void Relocator::drop_staged() {
  while (!ready_.empty()) {
    Operation& op = ready_.front();
    const auto units = static_cast<uint32_t>(std::popcount(op.slot_mask));
    table_.at(op.superblock).moving -= units;
    in_flight_ -= units;
    unplaced_[static_cast<size_t>(op.mode)] -= units;
    ready_.pop_front();
    free_.push_back(&op);
  }
}

void Relocator::pump() {
  if (pumping_) return;
  pumping_ = true;
  place_ready();
  while (!free_.empty() && in_flight_ + layout_.chunk_slots() <= capacity_ && fits()) {
    // When all that was read waits in partial word lines, another victim is better than padding.
    const bool held_up =
        reading_ == 0 && ready_.empty() && in_flight_ != 0 && !engine_.relocation_in_flight();
    if (!victim_.valid() && !take_victim(held_up)) break;
    if (!read_next()) break;
  }
  // Data that can neither grow to a full word line nor wait for more: pad them.
  const bool stuck = reading_ == 0 && ready_.empty() && in_flight_ != 0;
  const bool no_more = !victim_.valid() && plan_->drain();
  const bool full = in_flight_ + layout_.chunk_slots() > capacity_ || !fits();
  if (stuck && !engine_.relocation_in_flight() && (no_more || full)) engine_.seal_relocation();
  pumping_ = false;
}

// May another chunk be read? Only if the open and the free superblocks can take everything that is
// read, whatever its order: else several victims could each wait half placed for the last slot.
bool Relocator::fits() const {
  if (space_.free_count() >= ample_) return true;
  const uint32_t size = layout_.superblock_slots(CellMode::kTlc);
  uint32_t needed = 0;
  for (size_t m = 0; m < 2; ++m) {
    if (unplaced_[m] == 0 && victim_.valid() && static_cast<size_t>(table_[victim_].mode) != m)
      continue;
    const uint32_t room = engine_.frontier(m == 0 ? Stream::kFold : Stream::kGc).room();
    const uint32_t most = unplaced_[m] + layout_.chunk_slots();
    if (most > room) needed += (most - room + size - 1) / size;
  }
  return needed <= space_.free_count();
}

bool Relocator::take_victim(bool held_up) {
  // What is being emptied already may be enough: another victim would only eat the gain.
  const uint32_t size = layout_.superblock_slots(CellMode::kTlc);
  const uint32_t need = (unplaced_[0] + unplaced_[1] + size - 1) / size;
  const uint32_t gain = space_.free_count() + static_cast<uint32_t>(draining_.size());
  if (!held_up && plan_->enough(gain > need ? gain - need : 0)) return false;
  const SuperblockId sb = plan_->next_victim();
  if (!sb.valid()) return false;
  const bool slc = table_[sb].mode == CellMode::kSlc;
  ++(slc ? stats_.victims_slc : stats_.victims_tlc);
  table_.set_state(sb, SuperblockState::kVictim);
  victim_ = sb;
  victim_valid_ = table_.valid(sb);
  cursor_ = 0;
  if (victim_valid_ == 0) plan_->was_free(table_.usable(sb, CellMode::kTlc));
  return true;
}

// Issues the read of the next chunk that holds valid slots. False: not now.
bool Relocator::read_next() {
  const CellMode mode = table_[victim_].mode;
  const uint32_t chunk = layout_.chunk_slots();
  const uint32_t chunks = layout_.superblock_slots(mode) / chunk;
  const Ppn base = layout_.first_ppn(victim_);
  if (table_.valid(victim_) == 0) cursor_ = chunks;
  for (; cursor_ < chunks; ++cursor_) {
    const Ppn first = base.plus(cursor_ * chunk);
    if (!map_.request_units(media_.spare_data() + first.value(), chunk, wake_)) return false;
    const uint64_t mask = valid_in(first, cursor_ + 2 < chunks ? 2 * chunk : 0);
    if (mask == 0) continue;
    const auto units = static_cast<uint32_t>(std::popcount(mask));
    if (!plan_->may_read(mode, units) || limited(mode, units)) return false;
    Operation& op = prepare_read(first, mask, mode);
    table_.at(victim_).moving += units;
    in_flight_ += units;
    unplaced_[static_cast<size_t>(mode)] += units;
    ++reading_;
    ++stats_.relocation_reads;
    plan_->was_read(mode, units, victim_valid_, table_.usable(victim_, CellMode::kTlc));
    if (order_ == RelocationOrder::kStripe)
      issued_[(issued_head_ + issued_count_++) % kReadsInFlight] = &op;
    ++cursor_;
    scheduler_.submit(op);
    return true;
  }
  finish_victim();
  return true;
}

Operation& Relocator::prepare_read(Ppn first, uint64_t mask, CellMode mode) {
  Operation& op = *free_.back();
  free_.pop_back();
  const ChunkAddress a = layout_.split(first, mode);
  op.kind = OpKind::kRead;
  op.mode = mode;
  op.die = a.die;
  op.superblock = victim_;
  op.row = a.row;
  op.page = a.page;
  op.first = first;
  op.slot_mask = mask;
  op.slots = static_cast<uint16_t>(std::popcount(mask));
  op.plane_mask = 0;
  for (uint64_t m = mask; m != 0; m &= m - 1)
    op.plane_mask |=
        static_cast<uint8_t>(1u << layout_.plane_of(static_cast<uint32_t>(std::countr_zero(m))));
  op.urgent = false;
  op.sink = this;
  op.tag = kReading;
  return op;
}

// Which slots of a chunk hold the current version of their unit. The map entries of the chunk
// `ahead` slots further on are fetched meanwhile, unless it is 0.
uint64_t Relocator::valid_in(Ppn first, uint32_t ahead) const {
  uint64_t mask = 0;
  for (uint32_t i = 0; i < layout_.chunk_slots(); ++i) {
    const Ppn ppn = first.plus(i);
    if (map_.is_current(media_.spare(ppn), ppn)) mask |= uint64_t{1} << i;
    if (ahead == 0) continue;
    const uint32_t next = media_.spare(ppn.plus(ahead));
    if (next < map_.user_slots()) map_.prefetch(Lpn(next));
  }
  return mask;
}

// Charges the rate and duty limits; true if the read has to wait, the wake-up is then scheduled.
bool Relocator::limited(CellMode mode, uint32_t units) {
  if (sim_.now() < next_read_) {
    if (!wake_.pending()) sim_.schedule(wake_, next_read_);
    return true;
  }
  const uint64_t rate = plan_->rate(mode);
  if (rate != 0) {
    const uint64_t ns = uint64_t{units} * kSlotBytes * 1'000'000'000 / rate;
    next_read_ =
        max(next_read_, sim_.now() - Duration::us(50)) + Duration::ns(static_cast<int64_t>(ns));
  }
  const uint32_t duty = plan_->duty();
  if (duty >= kFullDuty) {
    step_units_ = 0;
    return false;
  }
  if (step_units_ == 0) step_start_ = sim_.now();
  step_units_ += units;
  if (step_units_ >= layout_.stripe_slots(CellMode::kTlc)) {
    const int64_t elapsed = (sim_.now() - step_start_).to_ns();
    next_read_ = max(next_read_, sim_.now() + Duration::ns(elapsed * (kFullDuty - duty) / duty));
    step_units_ = 0;
  }
  return false;
}

void Relocator::operation_done(Operation& op) {
  --reading_;
  // What cannot be read moves all the same, marked as lost: the host must not get older data.
  for (uint64_t lost = op.lost & op.slot_mask; lost != 0; lost &= lost - 1) {
    media_.mark_lost(op.first.plus(static_cast<uint32_t>(std::countr_zero(lost))));
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
    if (!place(op)) return;
    ready_.pop_front();
    free_.push_back(&op);
  }
}

// Places the slots of a read that are still current. False: no room for the rest.
bool Relocator::place(Operation& op) {
  const Stream stream = op.mode == CellMode::kSlc ? Stream::kFold : Stream::kGc;
  const DieId near = order_ == RelocationOrder::kDieLocal ? op.die : DieId::invalid();
  while (op.slot_mask != 0) {
    const Ppn ppn = op.first.plus(static_cast<uint32_t>(std::countr_zero(op.slot_mask)));
    const uint32_t lpn = media_.spare(ppn);
    if (!map_.is_current(lpn, ppn)) {
      ++stats_.moved_dead_slots;
      --table_.at(op.superblock).moving;
      --in_flight_;
    } else {
      if (!engine_.place_moved(stream, Lpn(lpn), ppn, near)) return false;
      ++moved_[static_cast<size_t>(op.mode)];
    }
    --unplaced_[static_cast<size_t>(op.mode)];
    op.slot_mask &= op.slot_mask - 1;
  }
  if (!draining_.empty()) release_drained();
  return true;
}

void Relocator::finish_victim() {
  draining_.push_back(victim_);
  victim_ = SuperblockId::invalid();
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
