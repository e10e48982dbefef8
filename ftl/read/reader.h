// Host reads: write buffer, read-ahead buffer, then flash.
//
// A read takes its range apart into pieces: pending in the write buffer, unmapped (no flash time,
// counted apart), held by read-ahead, or runs of consecutive slots within a chunk, each of which is
// one sense. Data of each piece cross the link when they are decoded; the command is done with the
// last of them. A superblock with reads in flight is not erased. Units that cannot be recovered end
// the command with an error, and every later read of them until they are written again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/host/command_slot.h"
#include "ftl/host/link.h"
#include "ftl/map/flat_map.h"
#include "ftl/rain/rebuilder.h"
#include "ftl/read/read_ahead.h"
#include "ftl/relocate/relocator.h"
#include "ftl/sched/scheduler.h"
#include "ftl/stats.h"
#include "ftl/write/host_writer.h"
#include "ftl/write/write_engine.h"

namespace ftlsim {

class Reader : public OperationSink {
 public:
  Reader(Simulator& sim, const DriveConfig& config, Media& media, DieScheduler& scheduler,
         FlatMap& map, SuperblockTable& table, WriteEngine& engine, Link& link,
         Rebuilder& rebuilder, CommandFinisher& finisher, ProgressSink& progress, FtlStats& stats);
  ~Reader();

  // A read has passed the firmware stage.
  void start(CommandSlot& slot);
  // Reads the partly covered units at the ends of a write; calls modify_ready when they are there.
  void start_modify(CommandSlot& slot);
  // The content of a range changes: read-ahead data of it are stale.
  void invalidate(Lpn lpn, uint32_t n) { read_ahead_.invalidate(lpn, n); }
  void set_read_ahead(bool on) { read_ahead_.set_on(on); }
  void reset() { read_ahead_.reset(); }

  void operation_done(Operation& op) override;

 private:
  static constexpr uint32_t kOps = 8192;

  bool issue_units(CommandSlot& slot);
  uint32_t issue_piece(CommandSlot& slot, Lpn lpn, uint32_t n, uint32_t index);
  // Issues the sense of the first slots of a run, as many as one chunk holds; returns how many.
  uint32_t issue_flash(CommandSlot* slot, MapRun run, uint32_t tag, bool urgent);
  void piece_done(CommandSlot& slot, uint32_t units, Time when);
  void read_ahead(Lpn lpn, uint32_t n);
  void line_piece_done(const Operation& op);
  // Slots of a read that cannot be recovered, from its first one on.
  uint64_t lost_in(const Operation& op) const;
  // When the data of a read that ends now are decoded.
  Time decoded(const Operation& op) const { return sim_.now() + (errors_ ? op.decode : ecc_); }
  void copy_tokens(CommandSlot& slot, uint32_t index, Ppn ppn, uint32_t n);
  static void copy_line_tokens(CommandSlot& slot, const ReadAhead::Line& line, uint32_t index,
                               uint32_t offset, uint32_t n);

  Simulator& sim_;
  Media& media_;
  DieScheduler& scheduler_;
  FlatMap& map_;
  SuperblockTable& table_;
  WriteEngine& engine_;
  Link& link_;
  Rebuilder& rebuilder_;
  CommandFinisher& finisher_;
  ProgressSink& progress_;
  FtlStats& stats_;
  const Layout& layout_;
  Duration ecc_;
  bool errors_;  // reads have errors: the medium says when they are decoded, and whether
  ReadAhead read_ahead_;
  std::unique_ptr<Operation[]> ops_;
  std::vector<Operation*> free_;
  SlotList stalled_;
};

}  // namespace ftlsim
