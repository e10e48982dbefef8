#include "ftl/rain/rebuilder.h"

#include <bit>

#include "sim/assert.h"

namespace ftlsim {

Rebuilder::Rebuilder(Simulator& sim, const Media& media, DieScheduler& scheduler,
                     const SuperblockTable& table, FtlStats& stats)
    : sim_(sim),
      media_(media),
      scheduler_(scheduler),
      table_(table),
      stats_(stats),
      layout_(media.layout()) {
  if (!table.parity().on() || media.reliability() == nullptr) return;
  jobs_ = std::make_unique<Job[]>(kJobs);
  free_.reserve(kJobs);
  for (uint32_t i = kJobs; i-- > 0;) {
    jobs_[i].owner = this;
    jobs_[i].ops = std::make_unique<Operation[]>(table.parity().dies() - 1);
    free_.push_back(&jobs_[i]);
  }
}

Rebuilder::~Rebuilder() { waiting_.clear(); }

bool Rebuilder::begin(Operation& op) {
  if (jobs_ == nullptr || &op == delivered_) return false;
  if (free_.empty()) {
    waiting_.push_back(op);
    return true;
  }
  Job& job = *free_.back();
  free_.pop_back();
  assign(job, op);
  return true;
}

// The others are read once the decoder has given up.
void Rebuilder::assign(Job& job, Operation& op) {
  job.read = &op;
  sim_.schedule_in(job.start, op.decode);
}

uint64_t Rebuilder::slots_of(uint8_t planes) const {
  const uint64_t page = (uint64_t{1} << layout_.slots_per_page()) - 1;
  uint64_t slots = 0;
  for (uint32_t p = 0; p < layout_.planes(); ++p)
    if ((planes >> p & 1) != 0) slots |= page << (p * layout_.slots_per_page());
  return slots;
}

void Rebuilder::start(Job& job) {
  const Operation& read = *job.read;
  const ParityPlan& plan = table_.parity();
  job.first = layout_.split(read.first, read.mode).first;
  job.wanted = read.lost << job.first;
  job.lost = 0;
  job.pending = 0;
  job.ready = sim_.now();
  const DieId parity = plan.parity_die(read.die, read.row);
  uint8_t planes = read.failing;
  if (parity != read.die) planes &= media_.good_planes(read.superblock, parity);
  job.lost = job.wanted & ~slots_of(planes);
  for (uint16_t k = 0; k < plan.dies(); ++k) {
    const DieId die(static_cast<uint16_t>(plan.first_die(read.die).value() + k));
    const DieBlock& block = media_.die_block(read.superblock, die);
    const auto there = static_cast<uint8_t>(planes & block.good_planes);
    if (die == read.die || there == 0 || block.write_pointer <= read.row) continue;
    read_from(job, job.ops[job.pending++], die, there);
  }
  for (uint32_t i = 0; i < job.pending; ++i) scheduler_.submit(job.ops[i]);
  if (job.pending == 0) finish(job);
}

// Prepares the read of the lost slots' places on another die.
void Rebuilder::read_from(Job& job, Operation& op, DieId die, uint8_t planes) {
  const Operation& read = *job.read;
  op.kind = OpKind::kRead;
  op.mode = read.mode;
  op.die = die;
  op.superblock = read.superblock;
  op.row = read.row;
  op.page = read.page;
  op.first = layout_.join({read.superblock, die, read.row, read.page, 0}, read.mode);
  op.slot_mask = job.wanted & slots_of(planes);
  op.slots = static_cast<uint16_t>(std::popcount(op.slot_mask));
  op.plane_mask = planes;
  op.urgent = read.urgent;
  op.purpose = read.purpose;
  op.sink = this;
  op.owner = &job;
  ++stats_.rebuild_reads;
}

void Rebuilder::operation_done(Operation& op) {
  Job& job = *static_cast<Job*>(op.owner);
  job.lost |= op.lost;
  job.ready = max(job.ready, sim_.now() + op.decode);
  if (--job.pending == 0) finish(job);
}

void Rebuilder::finish(Job& job) {
  Operation& read = *job.read;
  const uint64_t lost = job.wanted & job.lost;
  for (uint32_t planes = read.failing; planes != 0; planes &= planes - 1) {
    const auto plane = static_cast<uint8_t>(planes & ~(planes - 1));
    ++((lost & slots_of(plane)) == 0 ? stats_.rebuilt_pages : stats_.rebuild_failures);
  }
  read.lost = lost >> job.first;
  read.decode = job.ready - sim_.now();
  if (waiting_.empty()) {
    free_.push_back(&job);
  } else {
    Operation& next = waiting_.front();
    waiting_.pop_front();
    assign(job, next);
  }
  delivered_ = &read;
  read.sink->operation_done(read);
  delivered_ = nullptr;
}

}  // namespace ftlsim
