#include "workloads/job_spec.h"

#include <map>
#include <set>

namespace ftlsim {

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
