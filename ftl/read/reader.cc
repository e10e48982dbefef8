#include "ftl/read/reader.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {
namespace {

// Operation::tag of a read: the command's unit index, or this flag with the read-ahead line.
constexpr uint32_t kAhead = 0x8000'0000;
constexpr uint32_t kOffsetBits = 8;  // below the line: where the piece begins in it
// Flash operations that read-ahead leaves for the host.
constexpr size_t kKeepFree = 1024;

}  // namespace

Reader::Reader(Simulator& sim, const DriveConfig& config, Media& media, DieScheduler& scheduler,
               FlatMap& map, SuperblockTable& table, WriteEngine& engine, Link& link,
               Rebuilder& rebuilder, CommandFinisher& finisher, ProgressSink& progress,
               FtlStats& stats)
    : sim_(sim),
      media_(media),
      scheduler_(scheduler),
      map_(map),
      table_(table),
      engine_(engine),
      link_(link),
      rebuilder_(rebuilder),
      finisher_(finisher),
      progress_(progress),
      stats_(stats),
      layout_(media.layout()),
      ecc_(config.firmware.ecc_latency),
      errors_(media.reliability() != nullptr),
      read_ahead_(config.read_ahead, config.user_slots()),
      ops_(std::make_unique<Operation[]>(kOps)) {
  free_.reserve(kOps);
  for (uint32_t i = kOps; i-- > 0;) free_.push_back(&ops_[i]);
}

Reader::~Reader() { stalled_.clear(); }

void Reader::start(CommandSlot& slot) {
  slot.stage = Stage::kWaiting;
  slot.progress = 0;
  slot.pending = 1;  // held until all pieces have been asked for
  slot.link_end = sim_.now();
  stats_.host_read_slots += slot.units;
  if (!issue_units(slot)) {
    stalled_.push_back(slot);
    return;
  }
  const ReadAhead::Range ahead = read_ahead_.observe(slot.lpn, slot.units);
  piece_done(slot, 0, sim_.now());
  if (ahead.n != 0) read_ahead(ahead.lpn, ahead.n);
}

// Asks for the pieces from slot.progress on. False: out of flash operations.
bool Reader::issue_units(CommandSlot& slot) {
  while (slot.progress < slot.units) {
    const uint32_t n =
        issue_piece(slot, slot.lpn.plus(slot.progress), slot.units - slot.progress, slot.progress);
    if (n == 0) return false;
    slot.progress += n;
  }
  return true;
}

// Asks for the first piece of n units from lpn on; returns its length, 0 if it has to wait.
uint32_t Reader::issue_piece(CommandSlot& slot, Lpn lpn, uint32_t n, uint32_t index) {
  const uint32_t in_group = PendingIndex::kGroup - lpn.value() % PendingIndex::kGroup;
  if (engine_.pending().group_pending(lpn)) {
    if (engine_.pending().find(lpn).valid()) {
      ++stats_.buffer_read_slots;
      if (slot.command->tokens != nullptr)
        slot.command->tokens[index] = engine_.pending().token(lpn);
      slot.link_end = max(slot.link_end, link_.to_host(sim_.now(), 1));
      return 1;
    }
    n = 1;  // a neighbour is pending: one unit at a time within this group
  }
  if (ReadAhead::Line* line = read_ahead_.find(lpn)) {
    const uint32_t k = std::min(n, in_group);
    const bool reading = line->state == ReadAhead::State::kReading;
    if (!reading || line->waiters < ReadAhead::kMaxWaiters) {
      const uint32_t offset = lpn.value() % ReadAhead::kLine;
      stats_.read_ahead_hit_slots += k;
      if (reading) {
        line->waiter[line->waiters++] = {&slot, static_cast<uint16_t>(k),
                                         static_cast<uint16_t>(index),
                                         static_cast<uint16_t>(offset)};
        ++slot.pending;
      } else {
        copy_line_tokens(slot, *line, index, offset, k);
        slot.link_end = max(slot.link_end, link_.to_host(sim_.now(), k));
        if (k == in_group) read_ahead_.consumed(*line);
      }
      return k;
    }
  }
  if (engine_.pending().units() != 0) n = std::min(n, in_group);
  const MapRun run = map_.lookup(lpn, n);
  if (!run.ppn.valid()) {
    stats_.unmapped_read_slots += run.n;
    if (slot.command->tokens != nullptr)
      std::fill_n(slot.command->tokens + index, run.n, uint64_t{0});
    slot.link_end = max(slot.link_end, link_.to_host(sim_.now(), run.n));
    return run.n;
  }
  if (free_.empty()) return 0;
  ++slot.pending;
  return issue_flash(&slot, run, index, true);
}

uint32_t Reader::issue_flash(CommandSlot* slot, MapRun run, uint32_t tag, bool urgent) {
  Operation& op = *free_.back();
  free_.pop_back();
  const SuperblockId sb = layout_.superblock_of(run.ppn);
  const CellMode mode = table_[sb].mode;
  const ChunkAddress a = layout_.split(run.ppn, mode);
  const uint32_t n = std::min(run.n, layout_.follow(a.first, mode));
  op.kind = OpKind::kRead;
  op.mode = mode;
  op.die = a.die;
  op.superblock = sb;
  op.row = a.row;
  op.page = a.page;
  op.first = run.ppn;
  op.slots = static_cast<uint16_t>(n);
  op.plane_mask = layout_.plane_mask(a.first, n);
  op.urgent = urgent;
  op.purpose = urgent ? Purpose::kHostRead : Purpose::kReadAhead;
  op.sink = this;
  op.owner = slot;
  op.tag = tag;
  ++table_.at(sb).readers;
  if (urgent) {
    ++table_.at(sb).host_reads;
    stats_.slc_read_slots += mode == CellMode::kSlc ? n : 0;
    stats_.flash_read_slots += n;
    ++stats_.flash_read_ops;
  }
  scheduler_.submit(op);
  return n;
}

void Reader::operation_done(Operation& op) {
  if (rebuilder_.take(op)) return;
  Superblock& sb = table_.at(op.superblock);
  const bool erasable = --sb.readers == 0 && sb.state == SuperblockState::kFree;
  free_.push_back(&op);
  if ((op.tag & kAhead) != 0) {
    line_piece_done(op);
  } else {
    auto& slot = *static_cast<CommandSlot*>(op.owner);
    copy_tokens(slot, op.tag, op.first, op.slots);
    if (errors_ && lost_in(op) != 0) slot.unrecovered = true;
    piece_done(slot, op.slots, decoded(op));
  }
  if (erasable) progress_.progress();
  if (stalled_.empty() || free_.size() < ReadAhead::kLine) return;
  CommandSlot& next = stalled_.front();
  if (!issue_units(next)) return;
  stalled_.pop_front();
  piece_done(next, 0, sim_.now());
}

uint64_t Reader::lost_in(const Operation& op) const {
  uint64_t lost = op.lost;
  for (uint32_t i = 0; media_.lost_slots() != 0 && i < op.slots; ++i)
    lost |= uint64_t{media_.is_lost(op.first.plus(i))} << i;
  return lost;
}

// A piece of a read-ahead line has arrived; the last one serves those who wait for the line.
void Reader::line_piece_done(const Operation& op) {
  ReadAhead::Line& line = read_ahead_.at((op.tag & ~kAhead) >> kOffsetBits);
  if (media_.has_content())
    for (uint32_t i = 0; i < op.slots; ++i)
      line.tokens[(op.tag & ((1u << kOffsetBits) - 1)) + i] = media_.content(op.first.plus(i));
  line.decoded = max(line.decoded, decoded(op));
  if (errors_) line.lost |= lost_in(op) << (op.tag & ((1u << kOffsetBits) - 1));
  if (--line.pieces != 0) return;
  if (line.state == ReadAhead::State::kReading) line.state = ReadAhead::State::kReady;
  const uint8_t waiters = line.waiters;
  line.waiters = 0;
  for (uint8_t i = 0; i < waiters; ++i) {
    const ReadAhead::Line::Waiter& w = line.waiter[i];
    copy_line_tokens(*w.slot, line, w.index, w.offset, w.units);
    if ((line.lost >> w.offset & ((uint64_t{1} << w.units) - 1)) != 0) w.slot->unrecovered = true;
    piece_done(*w.slot, w.units, line.decoded);
  }
  // Reads to come ask the medium themselves, and learn there what is lost.
  if (line.lost != 0) line.state = ReadAhead::State::kStale;
}

// A piece has arrived (or the hold of `start` is over): the last one completes the command.
void Reader::piece_done(CommandSlot& slot, uint32_t units, Time when) {
  if (slot.command->opcode == Opcode::kRead && units != 0)
    slot.link_end = max(slot.link_end, link_.to_host(when, units));
  if (--slot.pending != 0) return;
  if (slot.unrecovered) [[unlikely]] {
    ++stats_.unrecovered_commands;
    slot.command->status = Status::kUnrecoveredRead;
    finisher_.finish(slot, max(slot.link_end, when));
    return;
  }
  if (slot.command->opcode == Opcode::kRead) {
    finisher_.finish(slot, slot.link_end);
  } else {
    finisher_.modify_ready(slot);
  }
}

void Reader::start_modify(CommandSlot& slot) {
  slot.stage = Stage::kWaiting;
  slot.pending = 1;
  const auto read = [&](Lpn lpn) {
    if (engine_.pending().find(lpn).valid() || free_.empty()) return;
    const MapRun run = map_.lookup(lpn, 1);
    if (!run.ppn.valid()) return;
    ++stats_.read_modify_slots;
    ++slot.pending;
    issue_flash(&slot, run, 0, true);
  };
  if (slot.head_partial) read(slot.lpn);
  if (slot.tail_partial && (slot.units > 1 || !slot.head_partial))
    read(slot.lpn.plus(slot.units - 1));
  piece_done(slot, 0, sim_.now());
}

// Reads whole lines ahead; gives up quietly when the buffer or the operations are taken.
void Reader::read_ahead(Lpn lpn, uint32_t n) {
  for (uint32_t done = 0; done < n; done += ReadAhead::kLine) {
    const Lpn first = lpn.plus(done);
    if (free_.size() < kKeepFree || read_ahead_.find(first) != nullptr) continue;
    if (engine_.pending().group_pending(first)) continue;
    if (!map_.prepare(first) || !map_.lookup(first, 1).ppn.valid()) continue;
    ReadAhead::Line* line = read_ahead_.allocate(first);
    if (line == nullptr) return;
    line->pieces = 1;  // held until all are issued
    std::fill_n(line->tokens, ReadAhead::kLine, uint64_t{0});
    for (uint32_t i = 0; i < ReadAhead::kLine;) {
      const MapRun run = map_.lookup(first.plus(i), ReadAhead::kLine - i);
      if (!run.ppn.valid()) {
        i += run.n;
        continue;
      }
      ++line->pieces;
      const uint32_t tag = kAhead | read_ahead_.index_of(*line) << kOffsetBits | i;
      const uint32_t k = issue_flash(nullptr, run, tag, false);
      stats_.read_ahead_slots += k;
      i += k;
    }
    --line->pieces;
  }
}

// Content for verification: from the slots that were read, or as a line of read-ahead has it.
void Reader::copy_tokens(CommandSlot& slot, uint32_t index, Ppn ppn, uint32_t n) {
  if (slot.command->tokens == nullptr || slot.command->opcode != Opcode::kRead) return;
  for (uint32_t i = 0; i < n; ++i) slot.command->tokens[index + i] = media_.content(ppn.plus(i));
}

void Reader::copy_line_tokens(CommandSlot& slot, const ReadAhead::Line& line, uint32_t index,
                              uint32_t offset, uint32_t n) {
  if (slot.command->tokens == nullptr) return;
  std::copy_n(line.tokens + offset, n, slot.command->tokens + index);
}

}  // namespace ftlsim
