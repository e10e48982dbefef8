#include "ftl/write/stream_plan.h"

#include "ftl/config.h"

namespace ftlsim {

StreamPlan stream_plan(const DriveConfig& config) {
  StreamPlan plan;
  plan.slc = config.slc.enabled();
  plan.classes = config.write.heat.make({config.user_slots()})->classes();
  plan.host = config.write.streams == StreamSplit::kByHeat ? plan.classes : 1;
  plan.collect = config.gc.streams == StreamSplit::kByHeat ? plan.classes : 1;
  plan.wear = config.wear.level;
  plan.map = config.map.paged();
  plan.at_once = config.write.open_superblocks;
  return plan;
}

}  // namespace ftlsim
