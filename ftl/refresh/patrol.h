// Patrol reads: the firmware reads a little of every superblock now and then, before the host does.
//
// In each period every closed superblock is visited once, in turn. A visit reads all page types of
// some word lines on every die, as background reads that yield to the host's. What it is good for:
// a drive that keeps read levels per block (`retry.policy: cached`) learns them here instead of
// during a host read, and a superblock whose patrol reads needed many retries can be refreshed. It
// costs time and energy of the dies and adds to their read counts.
//
// The word lines of a visit are evenly spaced and move on by one from period to period.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/rain/rebuilder.h"
#include "ftl/refresh/refresh.h"
#include "ftl/refresh/refresh_config.h"
#include "ftl/relocate/relocator.h"
#include "ftl/sched/scheduler.h"
#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"
#include "nand/media.h"
#include "sim/event.h"
#include "sim/simulator.h"

namespace ftlsim {

class Patrol : public OperationSink {
 public:
  Patrol(Simulator& sim, const PatrolConfig& config, const Media& media, DieScheduler& scheduler,
         SuperblockTable& table, Rebuilder& rebuilder, Refresh& refresh, ProgressSink& progress,
         FtlStats& stats);

  void operation_done(Operation& op) override;

 private:
  void visit_next();
  void pump();
  bool prepare(Operation& op);

  Simulator& sim_;
  PatrolConfig config_;
  const Media& media_;
  DieScheduler& scheduler_;
  SuperblockTable& table_;
  Rebuilder& rebuilder_;
  Refresh& refresh_;
  ProgressSink& progress_;
  FtlStats& stats_;
  const Layout& layout_;
  uint32_t rows_;            // of a visit
  SuperblockId superblock_;  // being visited
  uint64_t life_ = 0;        // of it, when the visit began
  uint32_t next_ = 0;        // read of the visit: (row, page, die) in one number
  uint32_t most_retries_ = 0;
  uint32_t turn_ = 0;   // superblock to look at next
  uint32_t round_ = 0;  // completed periods
  uint32_t in_flight_ = 0;
  std::unique_ptr<Operation[]> ops_;  // one for each die
  std::vector<Operation*> free_;
  MemberEvent<Patrol, &Patrol::visit_next> timer_;
};

}  // namespace ftlsim
