#include "workloads/fio_job_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "workloads/job_check.h"

namespace ftlsim {
namespace {

constexpr uint32_t kMostClones = 1024;
constexpr uint64_t kMostRaw = uint64_t{1} << 50;  // so that no sum overflows

class Resolver {
 public:
  Resolver(const FioDraft& draft, const std::vector<FileRegion>& regions, const DriveLimits& drive,
           Diagnostics& diagnostics)
      : draft_(draft),
        regions_(regions),
        drive_(drive),
        diagnostics_(diagnostics),
        job_(draft.spec) {}

  JobSpec run(const std::string& workload) {
    job_.stream = fmt::format("{}/{}", workload, job_.name);
    for (size_t i = 0; i < kDirections; ++i) job_.block_size[i] = Bytes(draft_.block_size[i]);
    job_.iodepth = clamped(draft_.iodepth);
    job_.numjobs = clamped(draft_.numjobs);
    job_.read_percent = clamped(draft_.read_percent);
    job_.randrepeat = draft_.randrepeat;
    if (draft_.full_cycle) job_.norandommap = false;
    if (draft_.unaligned) job_.size_step = drive_.lba_size;
    regions_.empty() ? set_region() : set_files();
    set_stride();
    set_rates();
    if (!uses(job_.rw, Direction::kWrite)) job_.sync.at_end = false;  // as in fio
    set_verify();
    set_steady();
    check_sizes();
    check_depths();
    return std::move(job_);
  }

 private:
  void set_region() {
    job_.offset = offset_of_clone(0);
    const bool inside = job_.offset < drive_.capacity;
    job_.size = inside ? drive_.capacity - job_.offset : drive_.capacity;
    const FioAmount& increment = draft_.offset_increment;
    if (!increment.percent) job_.offset_increment = Bytes(increment.value);
    job_.size_to_end = increment.value != 0;
    if (draft_.size && (draft_.size->value != 0 || draft_.size->percent)) {
      job_.size = resolved(*draft_.size, drive_.capacity, drive_.lba_size);
      job_.size_to_end = false;
    }
    if (draft_.io_size) job_.io_size = resolved(*draft_.io_size, job_.size, Bytes(1));
    require_aligned(FioKey::kOffsetIncrement, "offset_increment", job_.offset_increment.count());
    if (increment.value != 0 && (increment.percent || draft_.offset.percent)) set_clones();
  }

  // Where a clone begins: percentages are of the drive, and what they add up to is rounded up to
  // the smallest request, as in fio.
  Bytes offset_of_clone(uint32_t clone) const {
    const FioAmount& offset = draft_.offset;
    const FioAmount& increment = draft_.offset_increment;
    const auto part = [&](FioAmount amount) {
      __extension__ using Wide = unsigned __int128;
      return amount.percent
                 ? static_cast<uint64_t>(Wide{drive_.capacity.count()} * amount.value / 100)
                 : amount.value;
    };
    uint64_t at = part(offset);
    if (!offset.percent && !increment.percent) return Bytes(at);
    if (increment.value <= kMostRaw) at += part(increment) * clone;
    const uint64_t align =
        draft_.offset_align != 0 ? draft_.offset_align : smallest_block().count();
    const uint64_t rest = at % align;
    if (rest != 0) at += align - rest;
    return Bytes(at);
  }

  // Offsets that are no multiples of one increment: each clone has its own region.
  void set_clones() {
    if (job_.numjobs < 1 || job_.numjobs > kMostClones) return;  // an error, later
    for (uint32_t clone = 0; clone < job_.numjobs; ++clone) {
      const Bytes at = offset_of_clone(clone);
      const Bytes room = job_.size_to_end ? smallest_block() : job_.size;
      if (at >= drive_.capacity || room > drive_.capacity - at)
        return clone == 0 ? void() : error_past_end(clone + 1);
      job_.files.regions.push_back({at, job_.size_to_end ? drive_.capacity - at : job_.size});
    }
    job_.size_to_end = false;
  }

  void set_files() {
    FilesSpec& files = job_.files;
    files.regions = regions_;
    files.per_thread = static_cast<uint32_t>(regions_.size() / std::max(job_.numjobs, 1u));
    job_.offset = regions_.front().offset;
    Bytes most;  // that a clone has
    for (size_t first = 0; first < regions_.size(); first += files.per_thread) {
      Bytes sum;
      for (size_t i = 0; i < files.per_thread; ++i) sum = sum + regions_[first + i].size;
      most = std::max(most, sum);
    }
    const bool sized = draft_.size && !draft_.size->percent && draft_.size->value != 0;
    job_.size = sized ? std::min(Bytes(draft_.size->value), most) : most;
    for (FileRegion& region : files.regions) region.size = floor_to(region.size, drive_.lba_size);
    if (draft_.io_size) job_.io_size = resolved(*draft_.io_size, job_.size, Bytes(1));
  }

  // The smallest request.
  Bytes smallest_block() const {
    Bytes smallest = Bytes(0);
    for (const Direction d : kAllDirections) {
      const Bytes block = job_.block_size[index_of(d)];
      if (uses(job_.rw, d) && (smallest == Bytes(0) || block < smallest)) smallest = block;
    }
    return smallest == Bytes(0) ? drive_.lba_size : smallest;
  }

  static Bytes resolved(FioAmount amount, Bytes whole, Bytes step) {
    if (!amount.percent) return Bytes(amount.value);
    return part_of(whole, static_cast<double>(amount.value) / 100.0, step);
  }

  void set_stride() {
    if (!draft_.strided) return;
    job_.stride = draft_.stride;
    if (job_.stride.bytes == Bytes(0))
      return error(FioKey::kZonemode, "zonemode: 'strided' needs zonesize");
    if (job_.stride.range == Bytes(0)) job_.stride.range = job_.stride.bytes;
    require_aligned(FioKey::kZonerange, "zonerange", job_.stride.range.count());
    require_aligned(FioKey::kZoneskip, "zoneskip", job_.stride.skip.count());
    for (const Direction d : kAllDirections)
      if (uses(job_.rw, d) && job_.largest_block(d) > job_.stride.range)
        return error(FioKey::kZonerange, "zonerange: smaller than the largest request");
  }

  void set_rates() {
    constexpr uint64_t kMostRate = uint64_t{1} << 50;
    for (const Direction d : kAllDirections) {
      const size_t i = index_of(d);
      if (!uses(job_.rw, d)) continue;
      // Of mixed sizes the smallest counts, as in fio.
      const uint64_t iops = std::min(draft_.rate_iops[i], kMostRate);
      const uint64_t of_iops =
          std::min(iops, kMostRate / std::max<uint64_t>(draft_.block_size[i], 1)) *
          draft_.block_size[i];
      job_.pace.rate[i] = std::min(draft_.rate[i] != 0 ? draft_.rate[i] : of_iops, kMostRate);
    }
    for (const Direction d : kAllDirections) check_minimum(d);
    if (!job_.pace.limited()) job_.pace.open_loop = job_.pace.poisson = false;
    if (job_.pace.think <= Duration{}) {
      job_.pace.think_blocks = 1;
      job_.pace.think_on_issue = job_.pace.rate_ignores_think = false;
      job_.pace.think_iotime = Duration{};
    }
  }

  // fio refuses a minimum that the limit of the rate rules out.
  void check_minimum(Direction d) {
    const size_t i = index_of(d);
    if (draft_.rate[i] != 0 && job_.limits.rate_min[i] > draft_.rate[i])
      error(FioKey::kRateMin, fmt::format("rate_min: above the rate of {}s", name_of(d)));
    if (draft_.rate_iops[i] != 0 && job_.limits.iops_min[i] > draft_.rate_iops[i])
      error(FioKey::kRateIopsMin, fmt::format("rate_iops_min: above the rate of {}s", name_of(d)));
  }

  void set_verify() {
    const bool writes = uses(job_.rw, Direction::kWrite) && !is_trim_write(job_.rw);
    job_.verify.enabled = draft_.verify && writes && (draft_.do_verify || job_.verify.only);
    if (job_.verify.enabled && job_.verify.only) job_.verify.trim_percent = 0;
    if (!job_.verify.enabled) job_.verify = VerifySpec{};
    if (job_.verify.enabled && is_mixed(job_.rw) && job_.pace.limited())
      error(FioKey::kVerify, "verify: not modelled for a mixed job with a rate");
  }

  void set_steady() {
    SteadySpec& steady = job_.steady;
    if (steady.measure == SteadyMeasure::kNone) return;
    if (steady.duration <= Duration{})
      return error(FioKey::kSteadystate, "steadystate: needs ss_dur, the length of its window");
    if (steady.interval <= Duration{} || steady.interval > steady.duration)
      return error(FioKey::kSsInterval, "ss_interval: must be above 0 and not above ss_dur");
    constexpr int64_t kMostIntervals = 1'000'000;
    if (steady.duration / steady.interval > kMostIntervals)
      error(FioKey::kSsDur, "ss_dur: more than a million intervals");
  }

  void check_sizes() {
    for (const Direction d : kAllDirections) {
      if (!job_.needs_sizes(d)) continue;
      const size_t i = index_of(d);
      for (const SizeShare& share : job_.block_mix[i])
        require_aligned(FioKey::kBssplit, "bssplit", share.size.count());
      require_aligned(FioKey::kBsrange, "bsrange", job_.block_max[i].count());
      require_aligned(FioKey::kBlockalign, "blockalign", job_.block_align[i].count());
      if (job_.block_align[i] > job_.size)
        error(FioKey::kBlockalign, "blockalign: larger than the job's region");
    }
    const int64_t gap = job_.sequential_gap;
    require_aligned(FioKey::kRw, "rw: the gap", static_cast<uint64_t>(gap < 0 ? -gap : gap));
    if (job_.offset_increment != Bytes(0) && job_.numjobs > 0) check_increments();
  }

  // The last clone must still lie inside the drive.
  void check_increments() {
    const uint64_t last = job_.numjobs - uint64_t{1};
    const Bytes room = job_.size_to_end ? smallest_block() : job_.size;
    if (job_.offset >= drive_.capacity || room > drive_.capacity - job_.offset) return;
    const Bytes spare = drive_.capacity - job_.offset - room;
    if (last != 0 && job_.offset_increment > spare / last) error_past_end(job_.numjobs);
  }

  void error_past_end(uint32_t clone) {
    error(
        FioKey::kOffsetIncrement,
        fmt::format("offset_increment: clone {} of the job ends past the end of the drive", clone));
  }

  void check_depths() {
    if (job_.batch.low >= job_.iodepth) job_.batch.low = 0;
    job_.batch.submit = std::min(job_.batch.submit, std::max(job_.iodepth, 1u));
    job_.batch.complete = std::min(job_.batch.complete, std::max(job_.iodepth, 1u));
    LatencyTargetSpec& target = job_.latency_target;
    if (target.target <= Duration{}) return;
    if (target.window <= Duration{})
      error(FioKey::kLatencyTarget, "latency_target: needs latency_window");
    if (target.percentile > 100 || target.percentile <= 0)
      error(FioKey::kLatencyPercentile, "latency_percentile: is outside 0 to 100");
  }

  void require_aligned(FioKey key, std::string_view name, uint64_t bytes) {
    if (bytes % drive_.lba_size.count() != 0)
      error(key, fmt::format("{}: {} B is not a multiple of the drive's {} B logical block", name,
                             bytes, drive_.lba_size.count()));
  }

  void error(FioKey key, const std::string& text) { diagnostics_.error(draft_.place(key), text); }

  static uint32_t clamped(uint64_t value) {
    return static_cast<uint32_t>(std::min<uint64_t>(value, std::numeric_limits<uint32_t>::max()));
  }

  const FioDraft& draft_;
  const std::vector<FileRegion>& regions_;
  const DriveLimits& drive_;
  Diagnostics& diagnostics_;
  JobSpec job_;
};

}  // namespace

JobSpec fio_job(const FioDraft& draft, const std::vector<FileRegion>& regions,
                const std::string& workload, const DriveLimits& drive, Diagnostics& diagnostics) {
  return Resolver(draft, regions, drive, diagnostics).run(workload);
}

}  // namespace ftlsim
