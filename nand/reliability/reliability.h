// What the cells of one drive have lost, and whether a read of them decodes.
//
// Belongs to the medium: it outlives the firmware. State is kept per die block (the blocks of a
// superblock on one die), evaluated only when the block is read. What must hold:
//   * the outcome of a sense is a pure function of the place (superblock, die, row, page, slot),
//   the
//     seed, the program epoch and the state of the block: wear, age, reads since the erase, and the
//     levels it has learned. A page read twice in the same state gives the same answer;
//   * the age of a block is that of its first program after the erase. If more than a day (at 25
//     degrees) has gone by until a later one, the rows from there on have the age of that one. The
//     age is taken in steps of 1/512 of x = ln(1 + age / t0). Wear is that of the first good plane;
//   * data that cannot fail are recognised by two comparisons (`clean_until`, `clean_reads`);
//   * what a block has learned (cached read levels) is volatile: forget_learned() at power off.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "nand/media.h"
#include "nand/operation.h"
#include "nand/reliability/age_clock.h"
#include "nand/reliability/read_model.h"
#include "nand/reliability/variation.h"
#include "sim/units.h"

namespace ftlsim {

struct ReliabilityStats {
  // Longest ladder: 64 entries of the table, and soft decoding.
  static constexpr size_t kRetries = 66;

  // Reads (senses with all their retries) by how they ended. Law: the four add up to `reads`, which
  // the array counts.
  uint64_t reads = 0;
  uint64_t first_ok = 0;
  uint64_t retried = 0;
  uint64_t soft = 0;
  uint64_t uncorrectable = 0;
  // Senses by kind.
  uint64_t first_senses = 0;
  uint64_t table_senses = 0;
  uint64_t search_senses = 0;
  uint64_t soft_senses = 0;
  // Pages read by the number of retries after which they decoded, and those that never did.
  std::array<uint64_t, kRetries> pages{};
  uint64_t pages_lost = 0;
};

class Reliability {
 public:
  Reliability(const NandConfig& config, const Media& media, uint64_t seed);

  AgeClock& clock() { return clock_; }
  const AgeClock& clock() const { return clock_; }
  const ReadModel& model() const { return model_; }
  const ReliabilityStats& stats() const { return stats_; }
  const ReliabilityConfig& config() const { return config_; }

  // --- told by the array ---
  void block_erased(SuperblockId sb, DieId die);
  void program_begins(SuperblockId sb, DieId die, uint32_t row, Time now);
  // A read has ended, decoded or not.
  void read_ended(const Operation& op) {
    ++stats_.reads;
    if (op.attempt == 0 && op.failing == 0) [[likely]]
      ++stats_.first_ok;
    else
      count_outcome(op);
  }

  // Sense `op.attempt` of a read has ended: decides whether its data decode. Sets op.decoding,
  // op.failing (planes that are not decoded) and op.lost (slots given up, if no sense follows).
  void sensed(Operation& op, Time now) {
    Block& b = at(op.superblock, op.die);
    if (op.attempt == 0) {
      ++stats_.first_senses;
      const auto planes = static_cast<uint32_t>(std::popcount(op.data_planes));
      b.reads += planes;
      if (clock_.age(now) < b.clean_until && b.reads < b.clean_reads &&
          !(variation_.has_weak() && variation_.weak(op.superblock, op.row))) [[likely]] {
        stats_.pages[0] += planes;
        op.decoding = {op.slots, shortest_ * op.slots, shortest_, false};
        return;
      }
    }
    op.decoding = judge(op, b, now);
  }

  // How much longer the next sense of a read takes than a normal one: levels to set, extra senses.
  Duration extra_sense(const Operation& op) const;
  // What the next sense of a read has to move: the wanted slots of the planes that failed.
  uint32_t slots_to_move(const Operation& op) const;

  // --- state ---
  // Power is off: learned read levels are gone.
  void forget_learned();
  // While on, blocks opened are given the initial age of the configuration.
  void set_preconditioning(bool on) { preconditioning_ = on; }
  double cycles(SuperblockId sb, DieId die) const { return at(sb, die).cycles; }
  uint32_t reads(SuperblockId sb, DieId die) const { return at(sb, die).reads; }
  // Seconds at 25 degrees since the block was first programmed; its oldest data have this age.
  double block_age(SuperblockId sb, DieId die, Time now) const;
  // The state of a page of a block as the closed forms take it.
  PageState page_state(SuperblockId sb, DieId die, uint32_t page, Time now) const;
  // Mean RBER at the factory levels of the worst page type, without the variation of word lines:
  // for those who decide whether to refresh.
  double worst_rber(SuperblockId sb, DieId die, Time now) const;

  // Bytes of state beyond the objects themselves.
  size_t memory() const { return blocks_.size() * sizeof(Block); }

 private:
  static constexpr uint32_t kPages = 4;  // page types at most
  static constexpr double kBins = 512;   // of x per unit

  static constexpr double kUnknown = -1;
  static constexpr uint16_t kNoRow = UINT16_MAX;

  // float-ok: one Block per superblock and die has to fit 1 MB per TB; it is rounded when stored.
  using Stored = float;
  struct Block {
    double programmed = 0;          // age of the clock at the first program
    double clean_until = kUnknown;  // age of the clock before which nothing can fail
    uint32_t clean_reads = 1;       // and reads below which nothing can; 0: some page can fail now
    uint32_t reads = 0;             // page reads since the erase, planes counted
    uint32_t epoch = 0;             // erases
    Stored cycles = 0;              // with the initial ones
    Stored x_learned = 0;           // read levels of the block are tuned for this x
    int32_t bin = -1;               // of x that the values below belong to
    Stored late = 0;                // age of the clock at the program of row `late_row`
    uint16_t late_row = kNoRow;     // rows from here on are younger
    std::array<Stored, kPages> factory{};  // ln RBER with the factor of the block
    std::array<Stored, kPages> optimal{};
  };

  Block& at(SuperblockId sb, DieId die) { return blocks_[layout_.die_block(sb, die)]; }
  const Block& at(SuperblockId sb, DieId die) const { return blocks_[layout_.die_block(sb, die)]; }
  Decoding judge(Operation& op, Block& b, Time now);
  void look_ahead(Block& b, CellMode mode, double log_factor, double now) const;
  bool clean_at(const Block& b, CellMode mode, double log_factor, double x, uint32_t reads) const;
  void evaluate(Block& b, CellMode mode, double log_factor, int32_t bin) const;
  double disturb(const Block& b, CellMode mode, uint32_t reads) const;
  double log_rber(const Operation& op, const Block& b, double x, uint64_t key, bool weak) const;
  uint64_t wanted(const Operation& op, uint32_t first, uint32_t plane) const;
  void count_sense(ReadStep step);
  void count_outcome(const Operation& op);

  ReliabilityConfig config_;
  const Media& media_;
  const Layout& layout_;
  AgeClock clock_;
  ReadModel model_;
  Variation variation_;
  Duration shortest_;
  double weak_log_rber_;
  bool preconditioning_ = false;
  static_assert(sizeof(Block) <= 80);
  std::vector<Block> blocks_;
  ReliabilityStats stats_;
};

}  // namespace ftlsim
