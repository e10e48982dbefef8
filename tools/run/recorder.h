// Keeps what every phase of a run did, and how busy the medium was while the host was not resting.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ftl/device.h"
#include "ftl/read/placement.h"
#include "ftl/stats.h"
#include "sim/stats.h"
#include "sim/units.h"
#include "tools/run/data_age.h"
#include "tools/run/load_table.h"
#include "tools/run/speed_map.h"
#include "workloads/phase_result.h"
#include "workloads/workload_runner.h"

namespace ftlsim {

// What refresh and patrol did in a phase.
struct RefreshWork {
  uint64_t slots = 0;        // programmed
  uint64_t superblocks = 0;  // asked for
  uint64_t patrol_reads = 0;
};

struct PhaseRecord {
  std::string name;
  std::string kind;
  Time begin;
  Time end;
  bool complete = false;
  double wall_s = 0;
  uint64_t programmed_slots = 0;
  uint64_t energy_nj = 0;
  std::array<DirectionResult, kDirections> directions;
  uint32_t threads_failed = 0;         // ended early
  std::string failure;                 // of the first of them: job and reason
  uint64_t read_slots = 0;             // that the host asked for
  uint64_t unwritten_slots = 0;        // of them never written, or trimmed: read without the medium
  std::optional<ReplayReport> replay;  // of a trace: what became of its records
  std::optional<LoadRecord> load;      // of a point of a load ramp
  std::optional<RoundVerdict> verdict;  // of the last round of a repeat until steady
  std::string series;                   // of repetitions
  Duration hold;                        // see PhaseSpec
  // Of phases that only read: where the data lay that they read, and how fast its regions were.
  std::optional<Placement> placement;
  std::optional<SpeedSummary> speed;
  // Of drives with a model of ageing: of the same data, and of all pages read in the phase.
  std::optional<DataAge> age;
  std::optional<RetryCounts> retries;
  // Of drives that refresh or patrol.
  std::optional<RefreshWork> refresh;

  const DirectionResult& operator[](Direction d) const { return directions[index_of(d)]; }
  Duration duration() const { return end - begin; }
  uint64_t commands() const;
  uint64_t moved_bytes() const;  // read and written
  uint64_t errors() const;
  // The part of what was read that no write had given a content, 0 to 1.
  double unwritten_share() const {
    return read_slots == 0 ? 0.0
                           : static_cast<double>(unwritten_slots) / static_cast<double>(read_slots);
  }
};

// Nanoseconds of use summed over the phases that are not idle.
struct BusyTime {
  struct Die {
    int64_t read_plane_ns = 0;  // summed over planes
    int64_t program_ns = 0;
    int64_t erase_ns = 0;
  };
  Duration phases;
  std::vector<Die> dies;
  std::vector<int64_t> channels;
};

class Recorder final : public PhaseObserver {
 public:
  // Windows of 1 MiB that the placement of a phase is measured on, at most: all of 256 GiB.
  static constexpr uint32_t kPlacementWindows = 1 << 18;
  // And those that stand for the age of its data.
  static constexpr uint32_t kAgeWindows = 1 << 12;

  // The device must outlive the recorder.
  explicit Recorder(const Device& device);

  void on_phase_begin(const PhaseResult& result) override;
  void on_phase_end(const PhaseResult& result) override;

  // The speed map of the phase that has just ended.
  void add_speed(const SpeedSummary& speed) { phases_.back().speed = speed; }

  // Phases that have ended, in order.
  const std::vector<PhaseRecord>& phases() const { return phases_; }
  const BusyTime& busy() const { return busy_; }
  // The points of load ramps among them.
  std::vector<NamedLoad> loads() const;
  // Sums over all phases that have ended.
  uint64_t commands() const;
  uint64_t bytes(Direction d) const;

  // Registers the latencies of all phases together, per direction.
  void register_stats(StatRegistry& registry) const;

 private:
  void add_use(int64_t sign);
  uint64_t energy_nj(Time now) const;
  void look_at_data(const PhaseSpec& phase, PhaseRecord& record) const;
  RefreshWork refresh_work() const;

  const Device& device_;
  std::vector<PhaseRecord> phases_;
  std::array<LatencyHistogram, kDirections> latency_;
  BusyTime busy_;
  uint64_t programmed_at_begin_ = 0;
  uint64_t read_at_begin_ = 0;
  uint64_t unwritten_at_begin_ = 0;
  uint64_t energy_at_begin_ = 0;
  ReliabilityStats reads_at_begin_;
  RefreshWork refresh_at_begin_;
  std::chrono::steady_clock::time_point wall_begin_;
};

}  // namespace ftlsim
