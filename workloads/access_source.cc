#include "workloads/access_source.h"

#include <algorithm>

#include "sim/assert.h"
#include "sim/math.h"
#include "workloads/block_addressing.h"

namespace ftlsim {
namespace {

constexpr Duration kLatest = Duration::s(1'000'000'000);

uint64_t rate_of(const AccessSpec& access, uint64_t phase_rate_milli) {
  if (access.rate_share == 0) return access.rate_milli;
  __extension__ using Wide = unsigned __int128;
  return static_cast<uint64_t>(Wide{phase_rate_milli} * access.rate_share / kMillion);
}

uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

}  // namespace

AccessSource::AccessSource(const JobSpec& job, uint64_t seed, uint64_t rate_milli, Bytes lba_size)
    : job_(&job),
      lba_size_(lba_size.count()),
      rate_milli_(rate_of(job.access, rate_milli)),
      limit_(job.io_size == Bytes(0) ? UINT64_MAX : job.io_size.count()),
      used_up_(job.access.lines.size()),
      line_rng_(job_stream(job, seed, 0, "line")),
      size_rng_(job_stream(job, seed, 0, "size")),
      place_rng_(job_stream(job, seed, 0, "address")),
      mix_rng_(job_stream(job, seed, 0, "mix")),
      gap_rng_(job_stream(job, seed, 0, "gap")) {
  SIM_ASSERT(job.access.any(), "job {} has no access specification", job.name);
  uint32_t streams = 0;
  for (const AccessLine& line : job.access.lines) {
    total_share_ += line.share;
    streams = std::max(streams, line.stream + 1);
  }
  ends_.assign(streams, UINT64_MAX);
  for (const AccessLine& line : job.access.lines)
    ends_[line.stream] = std::min(ends_[line.stream], line.offset.count());
}

double AccessSource::fraction() const {
  if (limit_ == UINT64_MAX) return 0;
  return std::min(static_cast<double>(moved_) / static_cast<double>(limit_), 1.0);
}

bool AccessSource::next_paced(Duration elapsed, IoRequest& request) {
  if (!take(request)) return false;
  if (rate_milli_ != 0) {
    due_ = due_ + gap();
    request.due = due_;
  }
  const Duration delay = job_->access.lines[line_].delay;
  if (burst_begins_ && delay > Duration{}) request.due = std::max(request.due, elapsed + delay);
  return true;
}

// From one request's due time to the next one's. At regular intervals the times themselves are
// exact, so that the rate is.
Duration AccessSource::gap() {
  __extension__ using Wide = unsigned __int128;
  constexpr Wide kNsPerKilosecond = 1'000'000'000'000;  // the rate is in thousandths
  ++arrived_;
  if (job_->access.arrivals == Arrivals::kRegular) {
    const Wide at = std::min(Wide{arrived_} * kNsPerKilosecond / rate_milli_,
                             static_cast<Wide>(kLatest.to_ns()));
    return Duration::ns(static_cast<int64_t>(at)) - due_;
  }
  const double mean = 1e12 / static_cast<double>(rate_milli_);
  const double u = gap_rng_.unit();
  const double drawn =
      job_->access.arrivals == Arrivals::kUniform ? 2 * u * mean : -exact_log(1 - u) * mean;
  return Duration::ns(static_cast<int64_t>(std::min(drawn, 1e17)));
}

bool AccessSource::take(IoRequest& request) {
  if (moved_ >= limit_) return false;
  for (;;) {
    if (!choose_line()) return false;
    const AccessLine& line = job_->access.lines[line_];
    request = IoRequest{};
    request.bytes = draw_size(line);
    request.direction = chance(mix_rng_, line.reads) ? Direction::kRead : Direction::kWrite;
    request.fua = job_->sync.fua && request.direction == Direction::kWrite;
    if (place(line, chance(mix_rng_, line.random), request)) break;
    used_up_[line_] = true;
    total_share_ -= line.share;
    burst_left_ = 0;
  }
  ends_[job_->access.lines[line_].stream] = request.offset + request.bytes;
  moved_ += request.bytes;
  return true;
}

// The line of the next request. False: all are used up.
bool AccessSource::choose_line() {
  burst_begins_ = burst_left_ == 0;
  if (burst_begins_) {
    if (total_share_ == 0) return false;
    const std::vector<AccessLine>& lines = job_->access.lines;
    uint64_t drawn = lines.size() == 1 ? 0 : line_rng_.below(total_share_);
    for (line_ = 0; used_up_[line_] || drawn >= lines[line_].share; ++line_)
      if (!used_up_[line_]) drawn -= lines[line_].share;
    burst_left_ = lines[line_].burst;
  }
  --burst_left_;
  return true;
}

uint64_t AccessSource::draw_size(const AccessLine& line) {
  const uint64_t first = line.sizes[0].size.count();
  if (line.size_max != Bytes(0)) {
    const uint64_t steps = (line.size_max.count() - first) / line.size_step.count();
    return first + size_rng_.below(steps + 1) * line.size_step.count();
  }
  if (line.sizes.size() == 1) return first;
  uint64_t drawn = size_rng_.below(kMillion);
  for (const AccessSize& size : line.sizes) {
    if (drawn < size.share) return size.size.count();
    drawn -= size.share;
  }
  return line.sizes.back().size.count();
}

// Gives the request its place; its size may shrink to the rest of the region. False: the line ends
// here.
bool AccessSource::place(const AccessLine& line, bool random, IoRequest& request) {
  if (random && !line.align_all) {
    place_on_own_grid(line, request);
    return true;
  }
  const uint64_t at =
      random ? line.offset.count() + place_rng_.below(line.length.count()) : ends_[line.stream];
  return place_behind(line, at, request);
}

// A multiple of the request's size, or of the line's alignment, inside the region.
void AccessSource::place_on_own_grid(const AccessLine& line, IoRequest& request) {
  const uint64_t grid = line.align == Bytes(0) ? request.bytes : line.align.count();
  const uint64_t places = (line.length.count() - request.bytes) / grid + 1;
  request.offset = line.offset.count() + place_rng_.below(places) * grid;
}

// At `at` or behind it, or at the start of the region if that is past its end.
bool AccessSource::place_behind(const AccessLine& line, uint64_t at, IoRequest& request) {
  const uint64_t begin = line.offset.count();
  const uint64_t end = begin + line.length.count();
  const uint64_t grid = line.align_all ? line.align.count() : lba_size_;
  request.offset = round_up(std::max(at, begin), grid);
  if (request.offset <= end && request.bytes <= end - request.offset) return true;
  if (!line.align_all && request.offset < end) {
    request.bytes = end - request.offset;
    return true;
  }
  if (line.ends) return false;
  request.offset = round_up(begin, grid);
  return true;
}

void describe_access(JobSpec& job) {
  uint64_t begin = UINT64_MAX;
  uint64_t end = 0;
  uint64_t smallest = UINT64_MAX;
  uint64_t largest = 0;
  bool reads = false;
  bool writes = false;
  bool random = false;
  for (const AccessLine& line : job.access.lines) {
    begin = std::min(begin, line.offset.count());
    end = std::max(end, line.offset.count() + line.length.count());
    largest = std::max(largest, line.size_max.count());
    for (const AccessSize& size : line.sizes) {
      smallest = std::min(smallest, size.size.count());
      largest = std::max(largest, size.size.count());
    }
    reads = reads || line.reads > 0;
    writes = writes || line.reads < kMillion;
    random = random || line.random > 0;
  }
  job.offset = Bytes(begin);
  job.size = Bytes(end - begin);
  job.block_size.fill(Bytes(smallest));
  job.block_max.fill(Bytes(largest));
  if (reads && writes) {
    job.rw = random ? RwKind::kRandReadWrite : RwKind::kReadWrite;
  } else if (reads) {
    job.rw = random ? RwKind::kRandRead : RwKind::kRead;
  } else {
    job.rw = random ? RwKind::kRandWrite : RwKind::kWrite;
  }
}

}  // namespace ftlsim
