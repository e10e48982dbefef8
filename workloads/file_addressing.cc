#include "workloads/file_addressing.h"

#include "sim/assert.h"

namespace ftlsim {
namespace {

// Places per file that a distribution over files is drawn from, as in fio: so a file is not one
// rank, but the sum of many.
constexpr uint64_t kPlacesPerFile = 1024;

}  // namespace

FileAddressing::FileAddressing(const JobSpec& job, uint64_t seed, uint32_t thread)
    : job_(&job),
      wraps_(job.files.service == FileService::kSpread || (job.time_based && is_random(job.rw))),
      repeats_(job.time_based || job.io_size > job.size),
      rng_(job_stream(job, seed, thread, "file")),
      start_rng_(rng_) {
  SIM_ASSERT(job.files.per_thread > 0, "job {} has no files", job.name);
  files_.reserve(job.files.per_thread);
  for (uint32_t file = 0; file < job.files.per_thread; ++file)
    files_.push_back({BlockAddressing(job, seed, thread, file)});
  if (job.files.service == FileService::kSpread)
    spread_ =
        BlockDistribution(job.files.spread, 0, files_.size() * kPlacesPerFile, Bytes(1), rng_);
  start_rng_ = rng_;
  current_ = files_.size() - 1;  // so that the first file is next in turn
}

bool FileAddressing::next(Direction d, uint64_t most, Extent& extent) {
  for (;;) {
    if (done_ == files_.size()) {
      if (!repeats_) return false;
      next_pass(job_->randrepeat && !job_->time_based);
    }
    if (files_[current_].done || run_left_ == 0) choose_after(current_);
    File& file = files_[current_];
    if (wraps_ || !file.address.exhausted(d)) {
      if (job_->files.service != FileService::kSequential) --run_left_;
      extent = file.address.next(d, most);
      return true;
    }
    file.done = true;
    ++done_;
    run_left_ = 0;
  }
}

// Chooses a file that is not done, in turn behind `file` or at random; there must be one.
void FileAddressing::choose_after(size_t file) {
  run_left_ = job_->files.run;
  do {
    switch (job_->files.service) {
      case FileService::kRoundRobin:
      case FileService::kSequential:
        file = file + 1 == files_.size() ? 0 : file + 1;
        break;
      case FileService::kRandom:
        file = static_cast<size_t>(rng_.below(files_.size()));
        break;
      case FileService::kSpread:
        file = static_cast<size_t>(spread_.draw(rng_) / kPlacesPerFile);
        break;
    }
  } while (files_[file].done);
  current_ = file;
}

// Whether the next request would find the file done.
bool FileAddressing::at_end(const File& file) const {
  for (const Direction d : kAllDirections)
    if (uses(job_->rw, d) && file.address.exhausted(d)) return true;
  return false;
}

void FileAddressing::next_pass(bool same_numbers) {
  bool all_done = true;
  for (const File& file : files_) all_done = all_done && (file.done || at_end(file));
  for (File& file : files_) {
    if (same_numbers) file.address.restart();
    if (!all_done) continue;
    file.done = false;
    file.address.rewind();
  }
  if (same_numbers) rng_ = start_rng_;
  if (!all_done) return;
  done_ = 0;
  run_left_ = 0;
  current_ = files_.size() - 1;
}

}  // namespace ftlsim
