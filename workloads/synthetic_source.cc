#include "workloads/synthetic_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "sim/assert.h"

namespace ftlsim {
namespace {

Rng make_stream(const JobSpec& job, uint64_t seed, uint32_t thread, std::string_view use) {
  fmt::memory_buffer name;
  fmt::format_to(std::back_inserter(name), "{}/{}/{}", job.stream, thread, use);
  return Rng(job.randseed.value_or(seed), std::string_view(name.data(), name.size()));
}

Direction only_direction(RwKind rw) {
  for (const Direction d : kAllDirections)
    if (uses(rw, d)) return d;
  return Direction::kRead;
}

}  // namespace

SyntheticSource::SyntheticSource(const JobSpec& job, uint64_t seed, uint32_t thread)
    : mixed_(is_mixed(job.rw)),
      random_(is_random(job.rw)),
      use_map_(!job.norandommap),
      short_tail_(job.short_tail && !random_),
      shared_pass_(!mixed_ || job.block_size[0] == job.block_size[1]),
      direction_(only_direction(job.rw)),
      read_percent_(job.read_percent),
      begin_(job.offset.count()),
      end_(begin_ + job.size.count()),
      address_rng_(make_stream(job, seed, thread, "address")),
      mix_rng_(make_stream(job, seed, thread, "mix")) {
  uint64_t smallest = UINT64_MAX;
  for (const Direction d : kAllDirections) {
    if (!uses(job.rw, d)) continue;
    const size_t i = index_of(d);
    block_[i] = job.block_size[i].count();
    SIM_ASSERT(block_[i] > 0 && block_[i] <= job.size.count(), "job {}: block {} in region {}",
               job.name, block_[i], job.size.count());
    blocks_[i] = job.size.count() / block_[i];
    position_[i] = begin_;
    smallest = std::min(smallest, block_[i]);
  }
  if (job.time_based) {
    total_ = UINT64_MAX;
  } else if (job.io_size != Bytes(0)) {
    total_ = job.io_size.count();
  } else {
    const uint64_t tail = short_tail_ ? 0 : job.size.count() % smallest;
    total_ = job.size.count() - tail;
  }
}

double SyntheticSource::fraction() const {
  if (total_ == UINT64_MAX || total_ == 0) return 0;
  return static_cast<double>(issued_) / static_cast<double>(total_);
}

}  // namespace ftlsim
