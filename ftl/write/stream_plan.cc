#include "ftl/write/stream_plan.h"

#include "ftl/config.h"

namespace ftlsim {

StreamPlan stream_plan(const DriveConfig& config) {
  StreamPlan plan;
  plan.slc = config.slc.enabled();
  plan.host = config.write.heat.make({config.user_slots()})->classes();
  plan.collect = config.gc.streams == GcStreams::kByHeat ? plan.host : 1;
  plan.wear = config.wear.level;
  plan.map = config.map.paged();
  return plan;
}

}  // namespace ftlsim
