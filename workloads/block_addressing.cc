#include "workloads/block_addressing.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "sim/assert.h"

namespace ftlsim {
namespace {

// Draws of a size that does not fit before the end of the region, before the smallest is taken.
constexpr int kSizeDraws = 64;

bool is_general(const JobSpec& job) {
  bool partly_sequential = false;
  for (const uint32_t percent : job.random_percent) partly_sequential |= percent != 100;
  return job.mixed_sizes() || job.distribution.spread != Spread::kUniform ||
         (is_random(job.rw) && (partly_sequential || job.random_run > 1)) ||
         job.sequential_gap != 0 || (job.identical_run && job.random_run > 1) ||
         job.stride.bytes != Bytes(0) || job.size_by_order;
}

// The smallest request that a job makes in a direction.
uint64_t smallest_block(const JobSpec& job, Direction d) {
  if (!job.size_by_order) return job.block_size[index_of(d)].count();
  const uint64_t sequential = job.block_size[index_of(Direction::kRead)].count();
  const uint64_t random = job.block_size[index_of(Direction::kWrite)].count();
  return is_random(job.rw) ? std::min(sequential, random) : sequential;
}

}  // namespace

Rng job_stream(const JobSpec& job, uint64_t seed, uint32_t thread, std::string_view use) {
  fmt::memory_buffer name;
  fmt::format_to(std::back_inserter(name), "{}/{}/{}", job.stream, thread, use);
  return Rng(job.randseed.value_or(seed), std::string_view(name.data(), name.size()));
}

Rng file_stream(const JobSpec& job, uint64_t seed, uint32_t thread, uint32_t file,
                std::string_view use) {
  return job_stream(job, seed, thread,
                    file == 0 ? std::string(use) : fmt::format("{}/{}", use, file));
}

BlockAddressing::BlockAddressing(const JobSpec& job, uint64_t seed, uint32_t thread, uint32_t file)
    : job_(&job),
      random_(is_random(job.rw)),
      use_map_(!job.norandommap && job.distribution.spread == Spread::kUniform &&
               job.stride.bytes == Bytes(0)),
      short_tail_(job.short_tail && !random_),
      shared_pass_(true),
      general_(is_general(job)),
      begin_(job.region_of(thread, file).offset.count()),
      end_(begin_ + job.region_of(thread, file).size.count()),
      address_rng_(file_stream(job, seed, thread, file, "address")),
      start_rng_(address_rng_),
      zone_begin_(begin_),
      size_rng_(file_stream(job, seed, thread, file, "size")),
      start_size_rng_(size_rng_),
      choice_rng_(file_stream(job, seed, thread, file, "choice")),
      start_choice_rng_(choice_rng_) {
  Rng centre = file_stream(job, seed, thread, file, "centre");
  uint64_t last_align = 0;
  for (const Direction d : kAllDirections) {
    if (!uses(job.rw, d)) continue;
    const size_t i = index_of(d);
    block_[i] = smallest_block(job, d);
    SIM_ASSERT(block_[i] > 0 && block_[i] <= end_ - begin_, "job {}: block {} in region {}",
               job.name, block_[i], end_ - begin_);
    align_[i] = (job.block_align[i] == Bytes(0) ? job.block_size[i] : job.block_align[i]).count();
    // The last offset leaves room for a request, or for an aligned block if that is larger.
    const uint64_t unit = std::max(align_[i], block_[i]);
    blocks_[i] = end_ - begin_ < unit ? 1 : (end_ - begin_ - unit) / align_[i] + 1;
    position_[i] = run_begin_[i] = begin_;
    shared_pass_ = shared_pass_ && (last_align == 0 || last_align == align_[i]);
    last_align = align_[i];
    if (job.distribution.spread != Spread::kUniform)
      distribution_[i] =
          BlockDistribution(job.distribution, i, blocks_[i], Bytes(align_[i]), centre);
  }
  mapped_sizes_ = random_ && use_map_ && shared_pass_ && job.mixed_sizes();
  if (mapped_sizes_) map_ = BlockMap((end_ - begin_) / last_align);
}

void BlockAddressing::restart() {
  address_rng_ = start_rng_;
  size_rng_ = start_size_rng_;
  choice_rng_ = start_choice_rng_;
  run_left_.fill(0);
  for (Pass& pass : passes_) pass = Pass{};
  if (mapped_sizes_) map_.clear();
}

void BlockAddressing::rewind() {
  position_.fill(begin_);
  zone_begin_ = begin_;
  zone_moved_ = 0;
  run_left_.fill(0);
  for (Pass& pass : passes_) pass = Pass{};
  if (mapped_sizes_) map_.clear();
}

bool BlockAddressing::exhausted(Direction d) const {
  const size_t i = index_of(d);
  if (job_->stride.bytes != Bytes(0)) return false;
  if (!random_) return job_->sequential_gap == 0 && position_[i] + block_[i] > end_;
  if (mapped_sizes_) return map_.full();
  const Pass& pass = passes_[shared_pass_ ? 0 : i];
  return use_map_ && pass.order.blocks() != 0 && pass.place == pass.order.blocks();
}

Extent BlockAddressing::next_general(Direction d) {
  const size_t i = index_of(d);
  const bool strided = job_->stride.bytes != Bytes(0);
  const uint64_t end = strided ? std::min(end_, zone_begin_ + job_->stride.range.count()) : end_;
  const bool random = random_ && begins_run(i);
  uint64_t offset = 0;
  if (random) {
    offset = strided ? zone_begin_ + address_rng_.below((end - zone_begin_) / align_[i]) * align_[i]
                     : random_start(i);
  } else if (random_ && job_->identical_run) {
    offset = run_begin_[i];
  } else {
    offset = job_->sequential_gap == 0 ? position_[i] : gapped_start(i);
    if (offset + block_[i] > end) offset = strided ? zone_begin_ : begin_;
  }
  run_begin_[i] = offset;
  const Direction sizes = !job_->size_by_order ? d : random ? Direction::kWrite : Direction::kRead;
  uint64_t bytes = fitting_size(sizes, offset, end);
  if (mapped_sizes_ && random) {
    const uint64_t units = (bytes + align_[i] - 1) / align_[i];
    bytes = std::min(bytes, map_.take((offset - begin_) / align_[i], units) * align_[i]);
  }
  position_[i] = offset + bytes;
  if (strided) advance_zone(i, bytes);
  return {offset, bytes};
}

// Whether this request of a random job gets a new random offset.
bool BlockAddressing::begins_run(size_t i) {
  if (job_->random_percent[i] != 100 && !choice_rng_.chance(job_->random_percent[i], 100))
    return false;
  if (run_left_[i] > 0) {
    --run_left_[i];
    return false;
  }
  run_left_[i] = job_->random_run - 1;
  return true;
}

uint64_t BlockAddressing::random_start(size_t i) {
  if (job_->distribution.spread != Spread::kUniform)
    return begin_ + distribution_[i].draw(address_rng_) * align_[i];
  return mapped_sizes_ ? free_block(i) : random_offset(i);
}

// A random block, or the next one behind it that no earlier request of this pass has taken.
uint64_t BlockAddressing::free_block(size_t i) {
  if (map_.full()) map_.clear();
  return begin_ + map_.next_free(address_rng_.below(blocks_[i])) * align_[i];
}

// Sequential with holes, or backwards. The very first request has no gap before it; a backward job
// that does not start at 0 begins at the end.
uint64_t BlockAddressing::gapped_start(size_t i) {
  const int64_t gap = job_->sequential_gap;
  const bool first = position_[i] == begin_;
  if (first && (gap > 0 || begin_ == 0)) return begin_;
  const auto inside = [&](uint64_t from) {  // the place behind the gap, or end_ if there is none
    const auto at = static_cast<int64_t>(from) + gap;
    const bool fits = at >= static_cast<int64_t>(begin_) &&
                      at + static_cast<int64_t>(block_[i]) <= static_cast<int64_t>(end_);
    return fits ? static_cast<uint64_t>(at) : end_;
  };
  const uint64_t at = inside(first ? end_ : position_[i]);
  if (at != end_) return at;
  const uint64_t last = gap < 0 ? inside(end_) : end_;
  return last != end_ ? last : begin_;
}

uint64_t BlockAddressing::drawn_size(Direction of) {
  const size_t i = index_of(of);
  if (!job_->block_mix[i].empty()) {
    uint64_t draw = size_rng_.below(100);
    for (const SizeShare& share : job_->block_mix[i]) {
      if (draw < share.percent) return share.size.count();
      draw -= share.percent;
    }
    return job_->block_mix[i].back().size.count();
  }
  const uint64_t least = job_->block_size[i].count();
  const uint64_t most = job_->largest_size(of).count();
  if (job_->size_step != Bytes(0) && most > least) {
    // As in fio: draws past the largest size count as that.
    const uint64_t step = job_->size_step.count();
    return std::min((least + size_rng_.below(most)) / step * step, most);
  }
  return most / least > 1 ? (size_rng_.below(most / least) + 1) * least : least;
}

uint64_t BlockAddressing::fitting_size(Direction of, uint64_t offset, uint64_t end) {
  for (int draw = 0; draw < kSizeDraws; ++draw) {
    const uint64_t bytes = drawn_size(of);
    if (offset + bytes <= end) return bytes;
  }
  return std::min(job_->block_size[index_of(of)].count(), end - offset);
}

void BlockAddressing::advance_zone(size_t i, uint64_t bytes) {
  zone_moved_ += bytes;
  if (zone_moved_ < job_->stride.bytes.count()) return;
  zone_moved_ = 0;
  zone_begin_ += (job_->stride.range + job_->stride.skip).count();
  if (zone_begin_ + block_[i] > end_) zone_begin_ = begin_;
  position_.fill(zone_begin_);
}

}  // namespace ftlsim
