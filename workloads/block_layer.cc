#include "workloads/block_layer.h"

#include <algorithm>

namespace ftlsim {

uint64_t parts_per_request(const JobSpec& job, Bytes mdts) {
  uint64_t most = 1;
  for (const Direction d : kAllDirections) {
    if (!uses(job.rw, d)) continue;
    const uint64_t limit = split_limit(d, mdts);
    most = std::max(most, (job.largest_block(d).count() + limit - 1) / limit);
  }
  return most;
}

uint64_t parts_in_flight(const JobSpec& job, Bytes mdts) {
  return parts_per_request(job, mdts) * job.iodepth * job.numjobs;
}

}  // namespace ftlsim
