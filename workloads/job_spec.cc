#include "workloads/job_spec.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace ftlsim {

Bytes JobSpec::largest_block(Direction d) const {
  return size_by_order ? std::max(largest_size(Direction::kRead), largest_size(Direction::kWrite))
                       : largest_size(d);
}

Bytes JobSpec::largest_size(Direction d) const {
  const size_t i = index_of(d);
  Bytes largest = std::max(block_size[i], block_max[i]);
  for (const SizeShare& share : block_mix[i]) largest = std::max(largest, share.size);
  return largest;
}

Bytes JobSpec::size_of(uint32_t thread) const {
  if (files.regions.empty()) return region_of(thread).size;
  Bytes sum;
  for (uint32_t file = 0; file < files.per_thread; ++file) sum = sum + region_of(thread, file).size;
  return std::min(size, sum);
}

bool JobSpec::mixed_sizes() const {
  for (const Direction d : kAllDirections)
    if (uses(rw, d) && largest_block(d) != block_size[index_of(d)]) return true;
  return false;
}

std::string_view kind_of(const std::vector<JobSpec>& jobs) {
  std::string_view kind;
  for (const JobSpec& job : jobs) {
    for (const Direction d : kAllDirections) {
      if (!uses(job.rw, d)) continue;
      if (!kind.empty() && kind != name_of(d)) return "mix";
      kind = name_of(d);
    }
  }
  return kind;
}

void prepare_with(Workload& workload, Workload preparation) {
  for (PhaseSpec& phase : preparation.phases) phase.prepares = true;
  workload.phases.insert(workload.phases.begin(),
                         std::make_move_iterator(preparation.phases.begin()),
                         std::make_move_iterator(preparation.phases.end()));
  if (!workload.ambient) workload.ambient = preparation.ambient;
  make_phase_names_unique(workload);
}

void make_phase_names_unique(Workload& workload) {
  std::set<std::string> names;
  std::map<std::string, uint64_t> counts;
  for (PhaseSpec& phase : workload.phases) {
    uint64_t& count = counts.try_emplace(phase.name, 1).first->second;
    const std::string base = phase.name;
    while (!names.insert(phase.name).second) phase.name = base + "-" + std::to_string(++count);
  }
}

}  // namespace ftlsim
