#include "workloads/synthetic_source.h"

#include <algorithm>

#include "sim/assert.h"
#include "sim/math.h"

namespace ftlsim {
namespace {

Direction only_direction(RwKind rw) {
  for (const Direction d : kAllDirections)
    if (uses(rw, d) && !(is_trim_write(rw) && d != Direction::kTrim)) return d;
  return Direction::kRead;
}

bool is_general(const JobSpec& job) {
  const bool repeats =
      job.randrepeat && is_random(job.rw) && !job.time_based && job.io_size > job.size;
  return job.number_ios != 0 || job.loops > 1 || repeats || is_trim_write(job.rw) ||
         job.sync != SyncSpec{} || job.verify.enabled || job.files.per_thread > 1;
}

// Bytes of one loop.
uint64_t total_of(const JobSpec& job, Bytes size, uint64_t smallest) {
  if (job.time_based) return UINT64_MAX;
  const uint64_t factor = is_trim_write(job.rw) ? 2 : 1;  // both halves count
  if (job.io_size != Bytes(0)) return job.io_size.count() * factor;
  const bool whole = job.short_tail && !is_random(job.rw);
  return (size.count() - (whole ? 0 : size.count() % smallest)) * factor;
}

}  // namespace

SyntheticSource::SyntheticSource(const JobSpec& job, uint64_t seed, uint32_t thread)
    : job_(&job),
      mixed_(is_mixed(job.rw)),
      general_(is_general(job)),
      direction_(only_direction(job.rw)),
      total_(0),
      address_(job, seed, thread),
      mix_rng_(job_stream(job, seed, thread, "mix")),
      loops_left_(job.loops),
      start_mix_rng_(mix_rng_),
      trim_rng_(job_stream(job, seed, thread, "trim")),
      trimmer_rng_(trim_rng_),
      gap_rng_(job_stream(job, seed, thread, "gap")) {
  uint64_t smallest = UINT64_MAX;
  for (const Direction d : kAllDirections)
    if (job.needs_sizes(d)) smallest = std::min(smallest, job.block_size[index_of(d)].count());
  total_ = total_of(job, job.size_of(thread), smallest);
  pass_bytes_ = UINT64_MAX;
  if (job.randrepeat && !job.time_based) pass_bytes_ = job.size_of(thread).count();
  if (job.files.per_thread > 1) {
    files_.emplace(job, seed, thread);
    pass_bytes_ = UINT64_MAX;  // the files know when a pass is over
  }
  if (!job.verify.enabled || job.verify.only) return;
  reader_ = Follower{address_, files_, mix_rng_};
  if (job.verify.trim_percent > 0 && job.verify.trim_backlog > 0) trimmer_ = reader_;
}

double SyntheticSource::fraction() const {
  if (total_ == UINT64_MAX || total_ == 0) return 0;
  const double loop = static_cast<double>(issued_) / static_cast<double>(total_);
  return (job_->loops - loops_left_ + loop) / job_->loops;
}

bool SyntheticSource::next_general(IoRequest& request) {
  if (!next_main(request)) return false;
  request.fua = job_->sync.fua && request.direction == Direction::kWrite && !request.flush;
  request.barrier = barrier_;
  barrier_ = false;
  return true;
}

// The next request of whatever stage the loop has reached.
bool SyntheticSource::next_main(IoRequest& request) {
  for (;;) {
    switch (stage_) {
      case Stage::kMain:
        if (flush_is_due()) {
          last_was_flush_ = true;
          request.direction = Direction::kWrite;
          request.flush = true;
          return true;
        }
        if (reads_due_ > 0 && read_back(request)) return true;
        if (trimmer_ && trim_is_due()) {
          next_trim(request);
          return true;
        }
        if (main_request(request)) return true;
        stage_ = Stage::kVerify;
        barrier_ = true;
        break;
      case Stage::kVerify:
        if (reader_ && read_back(request)) return true;
        stage_ = next_loop() ? Stage::kMain : Stage::kEnd;
        break;
      case Stage::kEnd:
        stage_ = Stage::kDone;
        if (!job_->sync.at_end) return false;
        barrier_ = true;
        request.direction = Direction::kWrite;
        request.flush = true;
        return true;
      case Stage::kDone:
        return false;
    }
  }
}

// As in fio: while the number of writes stays a multiple, every request in between is followed by a
// flush once more; none follows the last request of all.
bool SyntheticSource::flush_is_due() const {
  const uint64_t every = job_->sync.every_writes;
  if (every == 0 || last_was_flush_ || second_half_ || writes_ == 0 || writes_ % every != 0)
    return false;
  return issued_ < total_ && (job_->number_ios == 0 || ios_ < job_->number_ios);
}

bool SyntheticSource::main_request(IoRequest& request) {
  last_was_flush_ = last_was_trim_ = false;
  if (second_half_) {
    request = *second_half_;
    second_half_.reset();
    issued_ += request.bytes;
    return true;
  }
  if (job_->number_ios != 0 && ios_ >= job_->number_ios) return false;
  if (pass_issued_ >= pass_bytes_ && issued_ < total_) {
    pass_issued_ = 0;
    address_.restart();
    mix_rng_ = start_mix_rng_;
  }
  const Direction drawn = mixed_ ? draw_direction() : direction_;
  const Direction d = forced_.value_or(drawn);
  if (!(files_ ? take_of_files(d, request) : take(d, request))) return false;
  ++ios_;
  pass_issued_ += request.bytes;
  ++unread_;
  if (is_trim_write(job_->rw)) {
    second_half_ = request;
    second_half_->direction = Direction::kWrite;
  }
  if (request.direction != Direction::kWrite && !is_trim_write(job_->rw)) return true;
  ++writes_;
  ++unread_writes_;
  if (trimmer_ && trim_rng_.chance(job_->verify.trim_percent, 100)) ++trims_left_;
  const VerifySpec& verify = job_->verify;
  if (verify.enabled && verify.only) {
    request.direction = Direction::kRead;
  } else if (reader_ && verify.backlog != 0 && unread_writes_ >= verify.backlog) {
    reads_due_ = verify.backlog_batch == 0 ? verify.backlog : verify.backlog_batch;
  }
  return true;
}

// False: the bytes have been issued, or the files are done before they were.
bool SyntheticSource::take_of_files(Direction d, IoRequest& request) {
  if (issued_ >= total_) return false;
  Extent extent;
  if (!files_->next(d, total_ - issued_, extent)) return false;
  request.direction = d;
  request.offset = extent.offset;
  request.bytes = extent.bytes;
  issued_ += extent.bytes;
  return true;
}

// The next request that the follower has not drawn yet. False: its files are done.
bool SyntheticSource::follow(Follower& follower, Direction& d, Extent& extent) const {
  if (pass_bytes_ != UINT64_MAX && follower.pass_issued >= pass_bytes_) {
    follower.pass_issued = 0;
    follower.address.restart();
    follower.mix_rng = start_mix_rng_;
  }
  d = direction_;
  if (mixed_)
    d = follower.mix_rng.chance(job_->read_percent, 100) ? Direction::kRead : Direction::kWrite;
  if (!follower.files) {
    extent = follower.address.next(d, UINT64_MAX);
  } else if (!follower.files->next(d, UINT64_MAX, extent)) {
    return false;
  }
  follower.pass_issued += extent.bytes;
  return true;
}

// The next written extent that has not been read back. False: there is none.
bool SyntheticSource::read_back(IoRequest& request) {
  while (unread_ > 0 && unread_writes_ > 0) {
    Direction d = direction_;
    Extent extent;
    if (!follow(*reader_, d, extent)) break;
    --unread_;
    if (d == Direction::kRead) continue;
    --unread_writes_;
    ++read_writes_;
    if (trimmer_ && trim_passed_ < read_writes_) pass_trim();  // it is not trimmed any more
    if (reads_due_ > 0) --reads_due_;
    last_was_trim_ = false;
    request.direction = Direction::kRead;
    request.offset = extent.offset;
    request.bytes = extent.bytes;
    return true;
  }
  reads_due_ = 0;
  return false;
}

// The trimmer passes one write without trimming it.
void SyntheticSource::pass_trim() {
  Direction d = direction_;
  Extent extent;
  do {
    if (!follow(*trimmer_, d, extent)) return;
  } while (d == Direction::kRead);
  ++trim_passed_;
  if (trimmer_rng_.chance(job_->verify.trim_percent, 100)) --trims_left_;
}

// As in fio: a batch begins when the writes that can be read back are a multiple of the backlog,
// unless the last request was a trim.
bool SyntheticSource::trim_is_due() {
  const VerifySpec& verify = job_->verify;
  if (trims_left_ == 0) {
    trims_in_batch_ = 0;
    return false;
  }
  if (trims_in_batch_ > 0) {
    --trims_in_batch_;
    return true;
  }
  if (unread_writes_ % verify.trim_backlog != 0 || last_was_trim_) return false;
  trims_in_batch_ = (verify.trim_batch == 0 ? verify.trim_backlog : verify.trim_batch) - 1;
  return true;
}

// Trims the next write that was drawn for it; there must be one.
void SyntheticSource::next_trim(IoRequest& request) {
  Direction d = direction_;
  Extent extent;
  for (;;) {
    const bool found = follow(*trimmer_, d, extent);
    SIM_ASSERT(found, "job {}: nothing left to trim", job_->name);
    if (d == Direction::kRead) continue;
    ++trim_passed_;
    if (trimmer_rng_.chance(job_->verify.trim_percent, 100)) break;
  }
  --trims_left_;
  ++ios_;  // as in fio
  last_was_trim_ = true;
  request.direction = Direction::kTrim;
  request.offset = extent.offset;
  request.bytes = extent.bytes;
}

// Begins the job once more, if it has loops left.
bool SyntheticSource::next_loop() {
  if (job_->time_based || loops_left_ <= 1) return false;
  --loops_left_;
  issued_ = 0;
  ios_ = 0;
  unread_ = 0;
  unread_writes_ = 0;
  read_writes_ = trim_passed_ = 0;
  trims_left_ = trims_in_batch_ = 0;
  if (job_->number_ios == 0) {  // which stops in the middle of a pass: fio goes on from there
    pass_issued_ = 0;
    if (files_) files_->next_pass(job_->randrepeat);
    if (reader_) next_pass_of(*reader_);
    if (job_->randrepeat) {
      address_.restart();
      mix_rng_ = start_mix_rng_;
    }
  }
  if (trimmer_) {  // which may have stopped in the middle
    trimmer_ = Follower{address_, files_, mix_rng_, pass_issued_};
    trimmer_rng_ = trim_rng_;
  }
  return true;
}

void SyntheticSource::next_pass_of(Follower& follower) const {
  follower.pass_issued = 0;
  if (follower.files) follower.files->next_pass(job_->randrepeat);
  if (!job_->randrepeat) return;
  follower.address.restart();
  follower.mix_rng = start_mix_rng_;
}

bool SyntheticSource::next_paced(Duration elapsed, IoRequest& request) {
  if (!job_->pace.limited()) return next(request);
  forced_.reset();
  Direction d = direction_;
  if (mixed_) {
    d = due_direction(draw_direction(), elapsed);
    forced_ = d;
  }
  if (!(general_ ? next_general(request) : take(d, request))) return false;
  if (request.flush || !uses(job_->rw, request.direction)) return true;
  request.due = due_[index_of(request.direction)];
  advance_due(request);
  return true;
}

// The drawn direction if it is due; otherwise the one that is due first.
Direction SyntheticSource::due_direction(Direction drawn, Duration elapsed) const {
  const Direction other = drawn == Direction::kRead ? Direction::kWrite : Direction::kRead;
  const Duration mine = due_[index_of(drawn)];
  const Duration others = due_[index_of(other)];
  return mine <= elapsed || mine <= others ? drawn : other;
}

void SyntheticSource::advance_due(const IoRequest& request) {
  constexpr uint64_t kSecond = 1'000'000'000;
  __extension__ using Wide = unsigned __int128;
  const size_t i = index_of(request.direction);
  const uint64_t rate = job_->pace.rate[i];
  if (rate == 0) return;
  if (job_->pace.poisson) {
    const double mean =
        static_cast<double>(job_->block_size[i].count()) * 1e9 / static_cast<double>(rate);
    const double gap = -exact_log(1 - gap_rng_.unit()) * mean;
    due_[i] += Duration::ns(static_cast<int64_t>(std::min(gap, 1e17)));
    return;
  }
  rated_bytes_[i] += request.bytes;
  const Wide ns = std::min(Wide{rated_bytes_[i]} * kSecond / rate, Wide{kSecond} * 1'000'000'000);
  due_[i] = Duration::ns(static_cast<int64_t>(ns));
}

}  // namespace ftlsim
