// The one vocabulary of workloads, which is fio's: jobs, and the phases that run them.
//
// A JobSpec is resolved and checked: percentages have become bytes of the drive, every region lies
// inside it, and all lengths are multiples of the logical block. Front ends (job files, procedures)
// produce it; the engine (WorkloadRunner) takes it as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/units.h"
#include "workloads/access_spec.h"
#include "workloads/block_distribution.h"
#include "workloads/job_report.h"
#include "workloads/load_spec.h"
#include "workloads/trace/replay_spec.h"

namespace ftlsim {

enum class Direction : uint8_t { kRead, kWrite, kTrim };
inline constexpr size_t kDirections = 3;
inline constexpr std::array<Direction, kDirections> kAllDirections{
    Direction::kRead, Direction::kWrite, Direction::kTrim};
constexpr size_t index_of(Direction d) { return static_cast<size_t>(d); }
constexpr std::string_view name_of(Direction d) {
  constexpr std::array<std::string_view, kDirections> kNames{"read", "write", "trim"};
  return kNames[index_of(d)];
}

enum class RwKind : uint8_t {
  kRead,
  kWrite,
  kTrim,
  kReadWrite,
  kTrimWrite,  // each block is trimmed, then written
  kRandRead,
  kRandWrite,
  kRandTrim,
  kRandReadWrite,
  kRandTrimWrite,
};
constexpr bool is_random(RwKind rw) { return rw >= RwKind::kRandRead; }
constexpr bool is_mixed(RwKind rw) {
  return rw == RwKind::kReadWrite || rw == RwKind::kRandReadWrite;
}
constexpr bool is_trim_write(RwKind rw) {
  return rw == RwKind::kTrimWrite || rw == RwKind::kRandTrimWrite;
}
// Whether a job of this kind may issue requests of this direction.
constexpr bool uses(RwKind rw, Direction d) {
  switch (rw) {
    case RwKind::kRead:
    case RwKind::kRandRead:
      return d == Direction::kRead;
    case RwKind::kWrite:
    case RwKind::kRandWrite:
      return d == Direction::kWrite;
    case RwKind::kTrim:
    case RwKind::kRandTrim:
      return d == Direction::kTrim;
    case RwKind::kReadWrite:
    case RwKind::kRandReadWrite:
      break;
    case RwKind::kTrimWrite:
    case RwKind::kRandTrimWrite:
      return d != Direction::kRead;
  }
  return d != Direction::kTrim;
}

template <class T>
using PerDirection = std::array<T, kDirections>;

// One size of a mix and its share of the requests; the shares of a mix sum to 100.
struct SizeShare {
  Bytes size;
  uint32_t percent = 0;
};

// When a job issues its requests. The default is a closed loop: as fast as they complete.
struct PaceSpec {
  // Bytes per second and thread; 0: no limit. On average over the whole run: what was missed is
  // caught up with. Limits decide the mix of reads and writes as well.
  PerDirection<uint64_t> rate{};
  bool poisson = false;     // exponential gaps of that mean instead of equal ones
  bool open_loop = false;   // does not wait for completions; latency counts from the due time ...
  bool from_issue = false;  // ... or from the issue, however late that is
  Duration think;           // pause after every `think_blocks` requests
  uint32_t think_blocks = 1;
  bool think_on_issue = false;      // counts requests when they are issued, not completed
  Duration think_iotime;            // no pause before this much time has passed since the last one
  bool rate_ignores_think = false;  // pauses put off what the rate has due

  bool limited() const { return rate[0] != 0 || rate[1] != 0 || rate[2] != 0; }
  friend bool operator==(const PaceSpec&, const PaceSpec&) = default;
};

// How requests enter and leave the queue of a thread.
struct BatchSpec {
  uint32_t submit = 1;  // so many are handed over at once, or what there is when the queue is full
  uint32_t complete = 1;  // a full queue is left alone until so many have completed
  uint32_t low = 0;       // a full queue is drained to this depth; 0: it is not
  friend bool operator==(const BatchSpec&, const BatchSpec&) = default;
};

// When a job asks that data reach the medium.
struct SyncSpec {
  uint64_t every_writes = 0;  // a flush after so many writes; 0: none
  bool fua = false;           // every write
  bool at_end = false;        // a flush after the last request
  friend bool operator==(const SyncSpec&, const SyncSpec&) = default;
};

// Reading back what was written, in the order of the writes.
struct VerifySpec {
  bool enabled = false;
  bool only = false;           // the writes are skipped
  uint64_t backlog = 0;        // reads back after every so many writes; 0: at the end of the pass
  uint64_t backlog_batch = 0;  // so many at a time; 0: the backlog
  // This share of the writes is trimmed again, in their order: whenever the number of writes that
  // have not been read back is a multiple of the backlog.
  uint32_t trim_percent = 0;
  uint64_t trim_backlog = 0;  // 0: nothing is trimmed
  uint64_t trim_batch = 0;    // so many at a time; 0: the backlog
  friend bool operator==(const VerifySpec&, const VerifySpec&) = default;
};

// Zones of a strided job: `bytes` are moved within `range`, then it goes on behind `range + skip`.
struct StrideSpec {
  Bytes bytes;  // 0: the job is not strided
  Bytes range;
  Bytes skip;
};

// A part of the drive that stands for a file, from where a job begins in it on.
struct FileRegion {
  Bytes offset;
  Bytes size;
};

// Which of a thread's files its next request goes to.
enum class FileService : uint8_t {
  kRoundRobin,
  kSequential,  // one after the other, each to its end
  kRandom,
  kSpread,  // as `spread` says; a file is begun again at its end
};

// The files of a job: each with its own sequential positions and random order.
struct FilesSpec {
  std::vector<FileRegion> regions;  // `per_thread` of thread 0, of thread 1 ...; empty: no files
  uint32_t per_thread = 1;
  FileService service = FileService::kRoundRobin;
  uint32_t run = 1;         // so many requests go to a file before the next is chosen
  DistributionSpec spread;  // kSpread: over the files, in order
};

// Jobs of the same flow issue requests in proportion to their weights; 0: no flow.
struct FlowSpec {
  uint32_t weight = 0;
  uint64_t id = 0;
  friend bool operator==(const FlowSpec&, const FlowSpec&) = default;
};

// What ends a thread early, with an error. The default is nothing: what fails is counted.
struct LimitSpec {
  PerDirection<uint64_t> rate_min{};  // bytes per second that it has to reach; 0: none
  PerDirection<uint64_t> iops_min{};  // requests per second, where there is no rate_min
  Duration rate_cycle = Duration::s(1);
  PerDirection<Duration> max_latency{};  // of a request; 0: none
  PerDirection<bool> ends_on_error{};    // a request that fails ends the thread
  friend bool operator==(const LimitSpec&, const LimitSpec&) = default;
};

// Who else has to end when a thread of the job does.
enum class ExitWhat : uint8_t {
  kGroup,      // the jobs of the same group
  kStonewall,  // all jobs of the phase
  kAll,        // those, and the phases of the job file that are left do not run
};
struct ExitSpec {
  bool on_end = false;
  bool on_error = false;  // if it ends with an error
  ExitWhat what = ExitWhat::kGroup;
  uint32_t group = 0;        // within the phase
  uint32_t phases_left = 0;  // of the job file, behind this one
};

// When a job has become steady enough to stop.
enum class SteadyMeasure : uint8_t { kNone, kIops, kBandwidth, kLatency };
struct SteadySpec {
  SteadyMeasure measure = SteadyMeasure::kNone;
  bool slope = false;  // of the least-squares line, else the largest deviation from the mean
  // In units of the measure per interval (1/s, bytes/s, ns), or of the mean if `percent`.
  double limit = 0;
  bool percent = false;
  Duration duration;  // of the window
  Duration ramp;      // before the window begins
  Duration interval = Duration::s(1);
};

// Controller that looks for the largest depth at which enough requests are fast enough.
struct LatencyTargetSpec {
  Duration target;  // 0: none
  Duration window;
  double percentile = 100;
  bool keep_running = false;  // latency_run
};

inline constexpr uint32_t kNoJob = UINT32_MAX;

// One job: `numjobs` threads that each keep `iodepth` requests in flight.
struct JobSpec {
  std::string name;
  // Names the job's random streams, together with the thread number: equal scopes give equal
  // sequences. It must not contain anything that may change without changing the sequence.
  std::string stream;
  RwKind rw = RwKind::kRead;

  // Sizes of requests: block_size, or uniform up to block_max in its multiples, or a mix.
  PerDirection<Bytes> block_size{Bytes::kib(4), Bytes::kib(4), Bytes::kib(4)};  // the smallest
  PerDirection<Bytes> block_max;                                                // 0: block_size
  PerDirection<std::vector<SizeShare>> block_mix;
  PerDirection<Bytes> block_align;  // of random offsets; 0: block_size
  Bytes size_step;                  // of sizes up to block_max; 0: block_size
  // Sequential requests have the sizes of reads, random ones those of writes, whatever they do.
  bool size_by_order = false;

  // Where.
  Bytes offset;              // start of the region
  Bytes offset_increment;    // thread k starts k times this later
  Bytes size;                // its length; also the bytes to move, reads and writes together ...
  bool size_to_end = false;  // `size` is up to the end of the drive for thread 0, less for others
  Bytes io_size;             // ... unless this is not 0; the last block may go past it
  bool norandommap = false;  // random offsets with replacement instead of each block once a pass
  bool short_tail = false;   // move the last piece of a region that is no multiple of the block
  DistributionSpec distribution;
  AccessSpec access;  // instead of a pattern: rw, sizes and region above only describe it
  PerDirection<uint32_t> random_percent{100, 100, 100};  // the other requests continue the last
  uint32_t random_run = 1;     // of a random job: so many requests from one random offset
  int64_t sequential_gap = 0;  // of a sequential job: bytes between requests; negative: backwards
  bool identical_run = false;  // a run repeats one offset instead of going on behind it
  StrideSpec stride;
  FilesSpec files;  // if it has any, offset and size only describe them

  // How many, how long.
  uint64_t number_ios = 0;  // 0: no limit
  uint32_t loops = 1;       // the whole job so often
  Duration runtime;         // 0: none. Alone it ends the job early, never late.
  bool time_based = false;  // repeat the region until `runtime` has passed
  Duration ramp_time;       // before the runtime; fio's results leave it out
  Duration start_delay;     // drawn between the two per thread
  Duration start_delay_max;
  uint32_t wait_for = kNoJob;  // starts when this earlier job of the phase has ended

  uint32_t iodepth = 1;
  uint32_t numjobs = 1;
  uint32_t read_percent = 50;        // of the requests of a mixed job
  std::optional<uint64_t> randseed;  // replaces the seed of the run
  bool randrepeat = false;           // every pass and loop draws the same numbers

  PaceSpec pace;
  BatchSpec batch;
  SyncSpec sync;
  VerifySpec verify;
  FlowSpec flow;
  LimitSpec limits;
  ExitSpec exit;
  SteadySpec steady;
  LatencyTargetSpec latency_target;
  JobReport report;

  // The region of thread k, or of one of its files.
  FileRegion region_of(uint32_t thread, uint32_t file = 0) const {
    if (!files.regions.empty()) return files.regions[size_t{thread} * files.per_thread + file];
    return {offset + offset_increment * thread,
            size_to_end ? size - offset_increment * thread : size};
  }
  // The bytes of a pass of thread k.
  Bytes size_of(uint32_t thread) const;
  // Whether the sizes of a direction count for any request.
  bool needs_sizes(Direction d) const {
    return size_by_order ? d != Direction::kTrim : uses(rw, d);
  }
  // The largest request of a direction.
  Bytes largest_block(Direction d) const;
  // The same without size_by_order.
  Bytes largest_size(Direction d) const;
  // Requests of one direction differ in size.
  bool mixed_sizes() const;
};

// How long the host's CPU needs for one NVMe command, and how late it learns of its end.
// Estimates for a desktop CPU with io_uring: one thread reaches about 660 k IOPS.
struct HostModel {
  Duration submit_cpu = Duration::ns(800);          // estimate
  Duration complete_cpu = Duration::ns(700);        // estimate
  Duration interrupt_latency = Duration::ns(2000);  // estimate
};

enum class PhaseAction : uint8_t { kJobs, kFormat, kIdle, kFlush, kReplay, kAge };

// A part of a workload that begins when everything before it has completed.
struct PhaseSpec {
  std::string name;  // unique within the workload
  std::string kind;  // read, write, mix, trim, format, idle, flush, age
  PhaseAction action = PhaseAction::kJobs;
  Duration idle;                      // kIdle, kAge
  bool powered = true;                // kAge: idle with power on, else switched off
  std::optional<int64_t> ambient;     // kAge: thousandths of a degree, if not as before
  bool preconditioning = false;       // kJobs: only brings the drive into a state
  std::optional<ReplaySpec> replay;   // kReplay
  std::optional<JobSpec> replay_job;  // kReplay of a job file: the job, for fio's results
  std::vector<JobSpec> jobs;          // kJobs: these run side by side
  Duration warmup;                    // of kJobs: measured figures leave this much of its start out
  std::optional<LoadPoint> load;      // the phase is a point of a load ramp
  std::optional<RoundEnd> round;      // the phase is the last of a round
  // Figures of the time that the phase's rate stays at the level of the SLC cache are wanted: so
  // long it should. 0: they are not. Phases of the same series are repetitions.
  Duration hold;
  std::string series;
  bool read_ahead = true;  // of the drive, during the phase
  bool prepares = false;   // for what follows: not in fio's results
};

struct Workload {
  std::string name;
  HostModel host;
  std::vector<PhaseSpec> phases;
  std::optional<int64_t> ambient = {};             // of all phases, in thousandths of a degree
  std::vector<FioOptionText> global_options = {};  // of a job file, for fio's results
};

// read, write or trim if all jobs do only that; mix otherwise.
std::string_view kind_of(const std::vector<JobSpec>& jobs);

// Puts the phases of another workload before those of `workload`, as preparation.
void prepare_with(Workload& workload, Workload preparation);

// Appends "-2", "-3" ... to the names of phases that are taken already.
void make_phase_names_unique(Workload& workload);

}  // namespace ftlsim
