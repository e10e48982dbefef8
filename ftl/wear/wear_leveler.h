// Static wear levelling: cold data give up the young superblocks that they sit on.
//
// Data that are never rewritten keep their superblock at the age it had, while the others take all
// the erases. When the most worn free superblock is more than wear.gap cycles ahead of the least
// worn closed one with cold data, that one is emptied through the request lane of relocation, under
// cause wear, into the stream for which the most worn free superblock is opened. One superblock at
// a time, at wear.rate. Dynamic levelling (which free superblock is opened next) is the space
// manager's.
//
// Cold is what has stayed in place while as many superblocks were opened as the drive has: without
// that, a young superblock that has just been given back and holds new data would be next again.
#pragma once

#include "ftl/config.h"
#include "ftl/decision_log.h"
#include "ftl/relocate/relocation_plan.h"
#include "ftl/space/space_manager.h"
#include "ftl/wear/wear_table.h"

namespace ftlsim {

class WearLeveler {
 public:
  WearLeveler(const WearConfig& config, const SuperblockTable& table, const WearTable& wear,
              const SpaceManager& space, RelocationService& service);

  // Where decisions are recorded, or nullptr.
  void set_log(DecisionLog* log) { log_ = log; }

  // Asks for the next relocation if one is due. Called when superblocks open, close or come free;
  // costs a scan over them if levelling is on and none is under way.
  void update();

 private:
  bool under_way() const;
  SuperblockId coldest() const;

  WearConfig config_;
  const SuperblockTable& table_;
  const WearTable& wear_;
  const SpaceManager& space_;
  RelocationService& service_;
  DecisionLog* log_ = nullptr;
  SuperblockId moving_;       // asked for last
  uint64_t moving_life_ = 0;  // Superblock::opened of it then
};

}  // namespace ftlsim
