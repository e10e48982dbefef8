#include "workloads/job_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/config_scalar.h"
#include "workloads/block_layer.h"

namespace ftlsim {
namespace {

constexpr Bytes kMaxBlock = Bytes::gib(1);
constexpr Bytes kMaxIoSize =
    Bytes::tib(uint64_t{1} << 20);  // so that sums of bytes cannot overflow
constexpr uint32_t kMaxIodepth = 65536;
constexpr uint32_t kMaxJobs = 1024;

class Check {
 public:
  Check(const JobSpec& job, const DriveLimits& drive, const JobPlaces& places,
        Diagnostics& diagnostics)
      : job_(job), drive_(drive), places_(places), diagnostics_(diagnostics) {}

  bool run() {
    const bool blocks_ok = check_blocks();
    const bool region_ok = check_region();
    if (blocks_ok && region_ok) check_amount();
    check_load();
    if (blocks_ok && ok_) check_parts();
    return ok_;
  }

 private:
  bool check_blocks() {
    bool good = true;
    for (const Direction d : kAllDirections) {
      if (!job_.needs_sizes(d)) continue;
      const Bytes block = job_.block_size[index_of(d)];
      if (block == Bytes(0)) {
        good = error(JobKey::kBlockSize, "the {} block size is 0", name_of(d));
      } else if (!aligned(block)) {
        good = error(JobKey::kBlockSize,
                     "{} block size {} is not a multiple of the drive's {} B logical block",
                     name_of(d), text(block), drive_.lba_size.count());
      } else if (d != Direction::kTrim && job_.largest_block(d) > kMaxBlock) {
        good = error(JobKey::kBlockSize, "{} block size {} is above the limit of {}", name_of(d),
                     text(job_.largest_block(d)), text(kMaxBlock));
      }
    }
    return good;
  }

  bool check_region() {
    if (!job_.files.regions.empty()) return check_files();
    bool good = true;
    if (!aligned(job_.offset))
      good = error(JobKey::kOffset, "{} is not a multiple of the drive's {} B logical block",
                   text(job_.offset), drive_.lba_size.count());
    if (job_.io_size > kMaxIoSize)
      good = error(JobKey::kIoSize, "{} is above the limit of {}", text(job_.io_size),
                   text(kMaxIoSize));
    if (job_.offset >= drive_.capacity) {
      return error(JobKey::kOffset, "the job starts at {}, at or past the end of the drive ({})",
                   text(job_.offset), text(drive_.capacity));
    }
    if (job_.size == Bytes(0)) return error(JobKey::kSize, "the region is empty");
    if (job_.size > drive_.capacity - job_.offset) {
      return error(JobKey::kSize,
                   "the job ends past the end of the drive: offset {} + size {} > capacity {}; "
                   "use at most {} or a percentage",
                   text(job_.offset), text(job_.size), text(drive_.capacity),
                   text(drive_.capacity - job_.offset));
    }
    return good;
  }

  bool check_files() {
    for (const FileRegion& region : job_.files.regions) {
      if (!aligned(region.offset))
        return error(JobKey::kOffset, "{} is not a multiple of the drive's {} B logical block",
                     text(region.offset), drive_.lba_size.count());
      if (region.offset > drive_.capacity || region.size > drive_.capacity - region.offset)
        return error(JobKey::kSize, "a file ends past the end of the drive: {} + {} > capacity {}",
                     text(region.offset), text(region.size), text(drive_.capacity));
      for (const Direction d : kAllDirections) {
        const Bytes block = job_.block_size[index_of(d)];
        if (job_.needs_sizes(d) && block > region.size)
          return error(JobKey::kBlockSize,
                       "{} block size {} is larger than what the job uses of a "
                       "file, {}",
                       name_of(d), text(block), text(region.size));
      }
    }
    if (job_.io_size > kMaxIoSize)
      return error(JobKey::kIoSize, "{} is above the limit of {}", text(job_.io_size),
                   text(kMaxIoSize));
    return true;
  }

  void check_amount() {
    for (const Direction d : kAllDirections) {
      if (!job_.needs_sizes(d)) continue;
      const Bytes block = job_.block_size[index_of(d)];
      if (block > job_.size) {
        error(JobKey::kBlockSize, "{} block size {} is larger than the job's region of {}",
              name_of(d), text(block), text(job_.size));
      }
    }
  }

  void check_load() {
    if (job_.iodepth < 1 || job_.iodepth > kMaxIodepth)
      error(JobKey::kIodepth, "{} is outside 1 to {}", job_.iodepth, kMaxIodepth);
    if (job_.numjobs < 1 || job_.numjobs > kMaxJobs)
      error(JobKey::kNumjobs, "{} is outside 1 to {}", job_.numjobs, kMaxJobs);
    if (job_.read_percent > 100)
      error(JobKey::kReadPercent, "{} is outside 0 to 100", job_.read_percent);
    if (job_.time_based && job_.runtime <= Duration{})
      error(JobKey::kTimeBased, "a time-based job needs {}", places_.word(JobKey::kRuntime));
  }

  void check_parts() {
    const uint64_t all = parts_in_flight(job_, drive_.mdts);
    if (all > kMaxParts)
      error(JobKey::kIodepth,
            "{} threads with {} requests of {} commands each are {} commands in flight; the limit "
            "is {}",
            job_.numjobs, job_.iodepth, parts_per_request(job_, drive_.mdts), all, kMaxParts);
  }

  bool aligned(Bytes value) const { return value.count() % drive_.lba_size.count() == 0; }

  // With a unit if that is short, else in bytes: "976762584KiB" says nothing to anyone.
  static std::string text(Bytes value) {
    constexpr size_t kShort = 9;
    std::string with_unit = format_bytes(value);
    return with_unit.size() <= kShort ? with_unit : fmt::format("{} B", value.count());
  }

  // Always false, for the caller to return.
  template <class... Args>
  bool error(JobKey key, fmt::format_string<Args...> format, Args&&... args) {
    diagnostics_.error(
        places_.where(key),
        fmt::format("{}: {}", places_.word(key), fmt::format(format, std::forward<Args>(args)...)));
    return ok_ = false;
  }

  const JobSpec& job_;
  const DriveLimits& drive_;
  const JobPlaces& places_;
  Diagnostics& diagnostics_;
  bool ok_ = true;
};

}  // namespace

bool check_job(JobSpec& job, const DriveLimits& drive, const JobPlaces& places,
               Diagnostics& diagnostics) {
  if (!Check(job, drive, places, diagnostics).run()) return false;
  job.size = floor_to(job.size, drive.lba_size);
  job.io_size = floor_to(job.io_size + drive.lba_size - Bytes(1), drive.lba_size);
  return true;
}

Bytes floor_to(Bytes value, Bytes step) { return value - Bytes(value.count() % step.count()); }

Bytes part_of(Bytes whole, double ratio, Bytes step) {
  const double product = static_cast<double>(whole.count()) * ratio;
  if (product >= 0x1.0p63) return Bytes(uint64_t{1} << 63);
  const Bytes value(static_cast<uint64_t>(product));
  return value == whole ? whole : floor_to(value, step);
}

}  // namespace ftlsim
