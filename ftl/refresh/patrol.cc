#include "ftl/refresh/patrol.h"

#include <algorithm>
#include <bit>

#include "sim/assert.h"

namespace ftlsim {

Patrol::Patrol(Simulator& sim, const PatrolConfig& config, const Media& media,
               DieScheduler& scheduler, SuperblockTable& table, Rebuilder& rebuilder,
               Refresh& refresh, ProgressSink& progress, FtlStats& stats)
    : sim_(sim),
      config_(config),
      media_(media),
      scheduler_(scheduler),
      table_(table),
      rebuilder_(rebuilder),
      refresh_(refresh),
      progress_(progress),
      stats_(stats),
      layout_(media.layout()),
      rows_(std::max(1u, static_cast<uint32_t>(config.share * layout_.rows() + 0.5))),
      timer_(this, Phase::kFirmware) {
  if (!config_.on()) return;
  SIM_ASSERT(media.reliability() != nullptr, "patrol without a model of ageing");
  ops_ = std::make_unique<Operation[]>(layout_.dies());
  free_.reserve(layout_.dies());
  for (uint32_t i = layout_.dies(); i-- > 0;) free_.push_back(&ops_[i]);
  visit_next();
}

// A superblock's turn: one visit each period / superblocks. What is not closed is passed over.
void Patrol::visit_next() {
  sim_.schedule_in(timer_,
                   Duration::ns(std::max<int64_t>(1, config_.period.to_ns() / table_.size())));
  const SuperblockId sb(turn_);
  turn_ = (turn_ + 1) % table_.size();
  if (turn_ == 0) ++round_;
  if (superblock_.valid()) return;  // the last visit is not over: dies are busy for the host
  if (table_[sb].state != SuperblockState::kClosed) return;
  superblock_ = sb;
  life_ = table_[sb].opened;
  next_ = 0;
  most_retries_ = 0;
  pump();
}

void Patrol::pump() {
  const uint32_t reads = rows_ * layout_.pages(table_[superblock_].mode) * layout_.width();
  const auto same = [&] {
    return table_[superblock_].state == SuperblockState::kClosed &&
           table_[superblock_].opened == life_;
  };
  while (next_ < reads && !free_.empty() && same()) {
    Operation& op = *free_.back();
    if (!prepare(op)) continue;
    free_.pop_back();
    ++in_flight_;
    ++table_.at(superblock_).readers;
    ++stats_.patrol_reads;
    scheduler_.submit(op);
  }
  if (in_flight_ != 0) return;
  if (config_.retries != 0 && most_retries_ > config_.retries && same() &&
      refresh_.ask(superblock_))
    ++stats_.refreshed_patrol;
  superblock_ = SuperblockId::invalid();
}

// The next read of the visit. False: there is no good plane under it.
bool Patrol::prepare(Operation& op) {
  const CellMode mode = table_[superblock_].mode;
  const uint32_t i = next_++;
  const uint32_t step = layout_.rows() / rows_;
  ChunkAddress a;
  a.superblock = superblock_;
  a.die = layout_.die_of(superblock_, i % layout_.width());
  a.page = static_cast<uint8_t>(i / layout_.width() % layout_.pages(mode));
  a.row = static_cast<uint16_t>((i / layout_.width() / layout_.pages(mode) * step + round_ % step) %
                                layout_.rows());
  const uint8_t planes = media_.good_planes(superblock_, a.die);
  if (planes == 0) return false;
  op.kind = OpKind::kRead;
  op.mode = mode;
  op.die = a.die;
  op.superblock = superblock_;
  op.row = a.row;
  op.page = a.page;
  op.first = layout_.join(a, mode);
  op.plane_mask = planes;
  op.slot_mask = 0;
  for (uint32_t p = 0; p < layout_.planes(); ++p)
    if ((planes >> p & 1) != 0)
      op.slot_mask |= ((uint64_t{1} << layout_.slots_per_page()) - 1)
                      << (p * layout_.slots_per_page());
  op.slots = static_cast<uint16_t>(std::popcount(op.slot_mask));
  op.urgent = false;
  op.purpose = Purpose::kPatrol;
  op.sink = this;
  return true;
}

void Patrol::operation_done(Operation& op) {
  if (rebuilder_.take(op)) return;
  Superblock& sb = table_.at(op.superblock);
  const bool erasable = --sb.readers == 0 && sb.state == SuperblockState::kFree;
  free_.push_back(&op);
  --in_flight_;
  if (op.attempt != 0) ++stats_.patrol_retried;
  most_retries_ = std::max<uint32_t>(most_retries_, op.attempt);
  pump();
  if (erasable) progress_.progress();
}

}  // namespace ftlsim
