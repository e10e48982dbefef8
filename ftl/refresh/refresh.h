// Writing data anew before they become slow or unreadable: by age, by error rate, by reads.
//
// Superblocks are filled one after the other, so the order in which they were opened is the order
// of their age. Every period the oldest closed one is looked at and no other (the head of a FIFO):
// one superblock is under way at a time, so refresh never competes with the host by more than that.
// Reads have no such order: their limit is looked for in all closed superblocks. Timers need power,
// so nothing is refreshed while the drive is off; what aged then is found afterwards. A superblock
// that is open is not looked at.
//
// The copies are counted under the cause `refresh`; the data get a new placement and a new age.
#pragma once

#include <cstdint>

#include "ftl/refresh/refresh_config.h"
#include "ftl/relocate/relocation_plan.h"
#include "ftl/relocate/relocator.h"
#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"
#include "nand/media.h"
#include "sim/event.h"
#include "sim/simulator.h"

namespace ftlsim {

class Refresh {
 public:
  // `media` must have a model of errors if the configuration is on.
  Refresh(Simulator& sim, const RefreshConfig& config, const Media& media,
          const SuperblockTable& table, RelocationService& service, ProgressSink& progress,
          FtlStats& stats);

  // Somebody else has found a superblock that should be written anew. False: not now.
  bool ask(SuperblockId sb);

 private:
  void look();
  SuperblockId oldest() const;
  bool worn_out(SuperblockId sb);
  void reclaim_reads();

  Simulator& sim_;
  RefreshConfig config_;
  const Media& media_;
  const SuperblockTable& table_;
  RelocationService& service_;
  ProgressSink& progress_;
  FtlStats& stats_;
  MemberEvent<Refresh, &Refresh::look> timer_;
};

}  // namespace ftlsim
