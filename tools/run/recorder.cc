#include "tools/run/recorder.h"

#include <fmt/format.h>

#include <algorithm>

namespace ftlsim {

uint64_t PhaseRecord::commands() const {
  uint64_t sum = 0;
  for (const DirectionResult& d : directions) sum += d.completed;
  return sum;
}

uint64_t PhaseRecord::moved_bytes() const {
  return (*this)[Direction::kRead].bytes + (*this)[Direction::kWrite].bytes;
}

uint64_t PhaseRecord::errors() const {
  uint64_t sum = 0;
  for (const DirectionResult& d : directions) sum += d.errors;
  return sum;
}

Recorder::Recorder(const Device& device) : device_(device) {
  const Layout& layout = device.firmware().media().layout();
  busy_.dies.resize(layout.dies());
  busy_.channels.resize(layout.geometry().channels);
}

// Adds the counters of the medium so far to the busy time, or takes them out.
void Recorder::add_use(int64_t sign) {
  const Flash& flash = device_.firmware().flash();
  for (size_t i = 0; i < busy_.dies.size(); ++i) {
    const DieCounters& counters = flash.die_counters(DieId(static_cast<uint16_t>(i)));
    busy_.dies[i].read_plane_ns += sign * counters.read_plane_ns;
    busy_.dies[i].program_ns += sign * counters.program_ns;
    busy_.dies[i].erase_ns += sign * counters.erase_ns;
  }
  for (size_t i = 0; i < busy_.channels.size(); ++i)
    busy_.channels[i] += sign * flash.channel_busy_ns(ChannelId(static_cast<uint16_t>(i)));
}

namespace {

// The host asks nothing of the drive: its resources are not meant to be used.
bool rests(const PhaseSpec& phase) {
  return phase.action == PhaseAction::kIdle || phase.action == PhaseAction::kAge;
}

}  // namespace

uint64_t Recorder::energy_nj(Time now) const {
  const ThermalControl* thermal = device_.firmware().thermal();
  return thermal == nullptr ? 0 : thermal->total_nj(now);
}

// Where the data of a phase that only reads lie and how old they are: the stretch from the first to
// the last byte that its jobs may read.
void Recorder::look_at_data(const PhaseSpec& phase, PhaseRecord& record) const {
  uint64_t begin = UINT64_MAX;
  uint64_t end = 0;
  for (const JobSpec& job : phase.jobs) {
    if (uses(job.rw, Direction::kWrite) || uses(job.rw, Direction::kTrim)) return;
    for (uint32_t k = 0; k < job.numjobs; ++k) {
      for (uint32_t file = 0; file < job.files.per_thread; ++file) {
        const FileRegion region = job.region_of(k, file);
        begin = std::min(begin, region.offset.count());
        end = std::max(end, (region.offset + region.size).count());
      }
    }
  }
  const Firmware& firmware = device_.firmware();
  end = std::min(end, firmware.config().capacity.count());
  if (begin >= end) return;
  const Lpn first(static_cast<uint32_t>(begin / kSlotBytes));
  const auto units =
      static_cast<uint32_t>((end + kSlotBytes - 1) / kSlotBytes - begin / kSlotBytes);
  record.placement =
      measure_placement(firmware.map(), firmware.superblocks(), first, units, kPlacementWindows);
  if (device_.reliability() != nullptr)
    record.age = measure_data_age(firmware, first, units, kAgeWindows, record.end);
}

RefreshWork Recorder::refresh_work() const {
  const FtlStats& s = device_.firmware().stats();
  return {s.programmed_by(Cause::kRefresh), s.refreshed_old + s.refreshed_read + s.refreshed_patrol,
          s.patrol_reads};
}

void Recorder::on_phase_begin(const PhaseResult& result) {
  wall_begin_ = std::chrono::steady_clock::now();
  const FtlStats& stats = device_.firmware().stats();
  programmed_at_begin_ = stats.programmed_total();
  read_at_begin_ = stats.host_read_slots;
  unwritten_at_begin_ = stats.unmapped_read_slots;
  energy_at_begin_ = energy_nj(result.begin);
  refresh_at_begin_ = refresh_work();
  if (device_.reliability() != nullptr) reads_at_begin_ = device_.reliability()->stats();
  if (!rests(*result.spec)) add_use(-1);
}

void Recorder::on_phase_end(const PhaseResult& result) {
  PhaseRecord record;
  record.name = result.spec->name;
  record.kind = result.spec->kind;
  record.begin = result.begin;
  record.end = result.end;
  record.complete = result.complete;
  const FtlStats& stats = device_.firmware().stats();
  record.programmed_slots = stats.programmed_total() - programmed_at_begin_;
  record.threads_failed = result.threads_failed;
  if (result.failed_job != nullptr)
    record.failure = fmt::format("job '{}': {} (error {} in fio)", result.failed_job->name,
                                 result.failure.cause, static_cast<int>(result.failure.error));
  record.read_slots = stats.host_read_slots - read_at_begin_;
  record.unwritten_slots = stats.unmapped_read_slots - unwritten_at_begin_;
  record.energy_nj = energy_nj(result.end) - energy_at_begin_;
  record.directions = result.directions;
  if (result.replay != nullptr) record.replay = *result.replay;
  if (result.spec->load) record.load = load_record(result);
  record.verdict = result.verdict;
  record.series = result.spec->series;
  record.hold = result.spec->hold;
  look_at_data(*result.spec, record);
  if (device_.reliability() != nullptr)
    record.retries = retries_since(device_.reliability()->stats(), reads_at_begin_);
  const DriveConfig& config = device_.firmware().config();
  if (config.refresh.on() || config.patrol.on()) {
    const RefreshWork now = refresh_work();
    record.refresh = RefreshWork{now.slots - refresh_at_begin_.slots,
                                 now.superblocks - refresh_at_begin_.superblocks,
                                 now.patrol_reads - refresh_at_begin_.patrol_reads};
  }
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - wall_begin_;
  record.wall_s = wall.count();
  if (!rests(*result.spec)) {
    add_use(1);
    busy_.phases += record.duration();
  }
  for (size_t d = 0; d < kDirections; ++d) latency_[d].merge(record.directions[d].latency);
  phases_.push_back(std::move(record));
}

std::vector<NamedLoad> Recorder::loads() const {
  std::vector<NamedLoad> loads;
  for (const PhaseRecord& phase : phases_)
    if (phase.load) loads.push_back({phase.name, *phase.load});
  return loads;
}

uint64_t Recorder::commands() const {
  uint64_t sum = 0;
  for (const PhaseRecord& phase : phases_) sum += phase.commands();
  return sum;
}

uint64_t Recorder::bytes(Direction d) const {
  uint64_t sum = 0;
  for (const PhaseRecord& phase : phases_) sum += phase[d].bytes;
  return sum;
}

void Recorder::register_stats(StatRegistry& registry) const {
  for (const Direction d : kAllDirections) {
    registry.histogram(fmt::format("workload.latency.{}", name_of(d)),
                       "latency of host requests over all phases", &latency_[index_of(d)]);
  }
}

}  // namespace ftlsim
