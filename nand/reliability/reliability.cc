#include "nand/reliability/reliability.h"

#include <algorithm>

#include "nand/config.h"
#include "sim/assert.h"
#include "sim/math.h"

namespace ftlsim {
namespace {

// How far ahead, in x, a block is found to be clean at once, and the step if that is too far.
constexpr double kFar = 0.25;
constexpr double kNear = 1.0 / 64;
// Seconds between two programs of a block from which on the later one counts for itself.
constexpr double kLate = 86'400;
// Salts of the two things that differ between blocks at the start.
constexpr uint64_t kCycleSalt = 1;
constexpr uint64_t kAgeSalt = 2;

}  // namespace

Reliability::Reliability(const NandConfig& config, const Media& media, uint64_t seed)
    : config_(config.reliability),
      media_(media),
      layout_(media.layout()),
      clock_(config_.activation_energy),
      model_(config_),
      variation_(config_, layout_, seed),
      shortest_(model_.ecc().shortest()),
      weak_log_rber_(exact_log(config_.weak.rber)),
      blocks_(size_t{media.superblocks()} * layout_.width()) {
  for (uint32_t s = 0; s < media.superblocks(); ++s)
    for (uint32_t i = 0; i < layout_.width(); ++i) {
      const DieId die = layout_.die_of(SuperblockId(s), i);
      block_erased(SuperblockId(s), die);
      at(SuperblockId(s), die).epoch = 0;
    }
}

void Reliability::block_erased(SuperblockId sb, DieId die) {
  Block& b = at(sb, die);
  ++b.epoch;
  b.reads = 0;
  b.x_learned = 0;
  b.bin = -1;
  b.late_row = kNoRow;
  b.clean_until = kUnknown;
  b.clean_reads = 1;
  const uint8_t planes = media_.good_planes(sb, die);
  if (planes == 0) return;
  const BlockId block = media_.block(sb, die, static_cast<uint32_t>(std::countr_zero(planes)));
  const double spread = 2 * variation_.spread(sb, die, kCycleSalt) - 1;
  const double initial = config_.initial_cycles * (1 + config_.initial_cycles_spread * spread);
  const uint64_t erases = uint64_t{media_.erase_count(block, CellMode::kSlc)} +
                          media_.erase_count(block, CellMode::kTlc);
  b.cycles = static_cast<Stored>(initial + static_cast<double>(erases));
}

void Reliability::program_begins(SuperblockId sb, DieId die, uint32_t row, Time now) {
  Block& b = at(sb, die);
  const double age = clock_.age(now);
  if (row != 0) {
    if (b.late_row != kNoRow || preconditioning_ || age - b.programmed < kLate) return;
    b.late = static_cast<Stored>(age);
    b.late_row = static_cast<uint16_t>(row);
    return;
  }
  b.programmed = age;
  if (!preconditioning_) return;
  const double younger = config_.initial_age_spread * variation_.spread(sb, die, kAgeSalt);
  b.programmed -= static_cast<double>(config_.initial_age.to_ns()) * 1e-9 * (1 - younger);
}

double Reliability::block_age(SuperblockId sb, DieId die, Time now) const {
  return std::max(0.0, clock_.age(now) - at(sb, die).programmed);
}

// RBER added by reads; below one read of each page it does not count.
double Reliability::disturb(const Block& b, CellMode mode, uint32_t reads) const {
  const uint64_t pages = uint64_t{layout_.rows()} * layout_.planes() * layout_.pages(mode);
  if (reads < pages) return 0;
  return model_.rber().disturb(b.cycles, static_cast<double>(reads) / static_cast<double>(pages));
}

// Is every page of the block clean at x, at the worst levels and in the worst word line?
bool Reliability::clean_at(const Block& b, CellMode mode, double log_factor, double x,
                           uint32_t reads) const {
  double worst = -1e9;
  for (uint32_t page = 0; page < layout_.pages(mode); ++page)
    worst = std::max(worst, model_.rber().at(mode, page, b.cycles, x).factory);
  worst += log_factor + variation_.word_line_reach();
  const double added = disturb(b, mode, reads);
  if (added > 0) worst = exact_log(exact_exp(worst) + added);
  return worst <= model_.ecc().clean_limit();
}

// Finds out how long the block is clean from now on.
void Reliability::look_ahead(Block& b, CellMode mode, double log_factor, double now) const {
  const double x = model_.rber().x_of(now - b.programmed);
  const uint32_t pages = layout_.rows() * layout_.planes() * layout_.pages(mode);
  const uint32_t reads = b.reads < UINT32_MAX / 4 ? 2 * b.reads + pages : UINT32_MAX;
  for (const double step : {kFar, kNear}) {
    if (!clean_at(b, mode, log_factor, x + step, reads)) continue;
    b.clean_until = b.programmed + model_.rber().age_of(x + step);
    b.clean_reads = reads;
    return;
  }
  b.clean_reads = 0;  // for good: age, wear and reads only grow until the erase
}

void Reliability::evaluate(Block& b, CellMode mode, double log_factor, int32_t bin) const {
  b.bin = bin;
  for (uint32_t page = 0; page < layout_.pages(mode); ++page) {
    const RberModel::LogRber r = model_.rber().at(mode, page, b.cycles, (bin + 0.5) / kBins);
    b.factory[page] = static_cast<Stored>(r.factory + log_factor);
    b.optimal[page] = static_cast<Stored>(r.optimal + log_factor);
  }
}

// The wanted slots of a plane, as bits by their position in the page; the operation's first slot is
// at position `first` of its chunk.
uint64_t Reliability::wanted(const Operation& op, uint32_t first, uint32_t plane) const {
  const uint64_t mask = op.slot_mask != 0
                            ? op.slot_mask << first
                            : ((op.slots < 64 ? uint64_t{1} << op.slots : 0) - 1) << first;
  const uint32_t per_page = layout_.slots_per_page();
  return mask >> (plane * per_page) & ((uint64_t{1} << per_page) - 1);
}

double Reliability::log_rber(const Operation& op, const Block& b, double x, uint64_t key,
                             bool weak) const {
  const RetryLadder& ladder = model_.ladder();
  const RberModel::LogRber r{b.factory[op.page], b.optimal[op.page]};
  double at = RberModel::mix(r, ladder.weight(op.attempt, x, b.x_learned)) +
              variation_.word_line(key, op.row);
  const double added = disturb(b, op.mode, b.reads);
  if (added > 0) at = exact_log(exact_exp(at) + added);
  const ReadStep step = ladder.step(op.attempt);
  if (weak && op.attempt < config_.weak.step && step != ReadStep::kSoft)
    at = std::max(at, weak_log_rber_);
  return at;
}

Decoding Reliability::judge(Operation& op, Block& b, Time now) {
  const double age = clock_.age(now);
  const bool known = age < b.clean_until && b.reads < b.clean_reads;
  if (op.attempt == 0 && !known && b.clean_reads != 0)
    look_ahead(b, op.mode, variation_.block(op.superblock, op.die), age);
  const double since = op.row < b.late_row ? b.programmed : double{b.late};
  const double exact_x = model_.rber().x_of(age - since);
  const auto bin = static_cast<int32_t>(exact_x * kBins);
  if (bin != b.bin) evaluate(b, op.mode, variation_.block(op.superblock, op.die), bin);
  const double x = (bin + 0.5) / kBins;

  const ReadStep step = model_.ladder().step(op.attempt);
  count_sense(step);
  const bool weak = variation_.has_weak() && variation_.weak(op.superblock, op.row);
  const uint32_t first = layout_.split(op.first, op.mode).first;
  const uint8_t before = op.attempt == 0 ? op.data_planes : op.failing;
  Decoding d;
  op.failing = 0;
  for (uint32_t planes = before; planes != 0; planes &= planes - 1) {
    const auto plane = static_cast<uint32_t>(std::countr_zero(planes));
    const uint64_t key = variation_.word_line_key(op.superblock, op.die, op.row, plane);
    const double at = log_rber(op, b, x, key, weak);
    const bool soft = step == ReadStep::kSoft;
    const double failure = model_.ecc().failure(soft ? at - model_.ladder().log_gain() : at);
    uint64_t bad = 0;
    const uint64_t slots = wanted(op, first, plane);
    for (uint64_t m = slots; failure > 0 && m != 0; m &= m - 1) {
      const auto slot = static_cast<uint32_t>(std::countr_zero(m));
      if (Variation::draw(key, b.epoch, op.page, slot) < failure) bad |= uint64_t{1} << slot;
    }
    d.last = soft ? model_.ladder().soft().decode_time : model_.ecc().time(at);
    const auto codewords = static_cast<uint32_t>(std::popcount(slots));
    d.codewords += codewords;
    d.total += d.last * codewords;
    if (bad != 0) {
      op.failing = static_cast<uint8_t>(op.failing | 1u << plane);
      op.lost |= (bad << (plane * layout_.slots_per_page())) >> first;
    } else {
      ++stats_.pages[std::min<size_t>(op.attempt, ReliabilityStats::kRetries - 1)];
    }
  }
  d.again = op.failing != 0 && model_.ladder().step(op.attempt + 1u) != ReadStep::kNone;
  if (d.again) op.lost = 0;
  if (step == ReadStep::kSearch && op.failing == 0 && !weak && model_.ladder().learns())
    b.x_learned = static_cast<Stored>(x);
  return d;
}

void Reliability::count_sense(ReadStep step) {
  stats_.table_senses += step == ReadStep::kTable;
  stats_.search_senses += step == ReadStep::kSearch;
  stats_.soft_senses += step == ReadStep::kSoft;
}

void Reliability::count_outcome(const Operation& op) {
  const ReadStep step = model_.ladder().step(op.attempt);
  stats_.pages_lost += static_cast<uint64_t>(std::popcount(op.failing));
  if (op.failing != 0)
    ++stats_.uncorrectable;
  else if (step == ReadStep::kFirst)
    ++stats_.first_ok;
  else if (step == ReadStep::kSoft)
    ++stats_.soft;
  else
    ++stats_.retried;
}

Duration Reliability::extra_sense(const Operation& op) const {
  const RetryLadder& ladder = model_.ladder();
  Duration extra = ladder.set_levels();
  if (ladder.step(op.attempt) == ReadStep::kSoft)
    extra += ladder.soft().sense_time * ladder.soft().senses;
  return extra;
}

uint32_t Reliability::slots_to_move(const Operation& op) const {
  const uint32_t first = layout_.split(op.first, op.mode).first;
  uint32_t slots = 0;
  for (uint32_t planes = op.failing; planes != 0; planes &= planes - 1)
    slots += static_cast<uint32_t>(
        std::popcount(wanted(op, first, static_cast<uint32_t>(std::countr_zero(planes)))));
  const RetryLadder& ladder = model_.ladder();
  return ladder.step(op.attempt) == ReadStep::kSoft ? slots * ladder.soft().bits : slots;
}

void Reliability::forget_learned() {
  for (Block& b : blocks_) b.x_learned = 0;
}

PageState Reliability::page_state(SuperblockId sb, DieId die, uint32_t page, Time now) const {
  const Block& b = at(sb, die);
  PageState s;
  s.mode = media_.die_block(sb, die).mode;
  s.page = page;
  s.cycles = b.cycles;
  s.x = model_.rber().x_of(block_age(sb, die, now));
  s.x_block = b.x_learned;
  s.disturb = disturb(b, s.mode, b.reads);
  return s;
}

double Reliability::worst_rber(SuperblockId sb, DieId die, Time now) const {
  double worst = 0;
  for (uint32_t page = 0; page < layout_.pages(media_.die_block(sb, die).mode); ++page) {
    const PageState s = page_state(sb, die, page, now);
    const double factory = model_.rber().at(s.mode, page, s.cycles, s.x).factory;
    worst = std::max(worst, exact_exp(factory + variation_.block(sb, die)) + s.disturb);
  }
  return worst;
}

}  // namespace ftlsim
