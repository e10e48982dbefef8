// What every die, channel, firmware core and host queue did during a stretch of simulated time.
//
// The recorder keeps one slice for each thing that occupied one of them, clipped to the window, in
// memory taken at construction: nothing is allocated while the simulation runs. When the limit of
// slices is reached the window is cut to end at that moment, so that what it shows is complete.
//
// Tracks. A die has one track per plane: a read is on that of its lowest plane, programs and erases
// (which use all planes) are on the first. A channel and a core have one. The commands of a host
// queue overlap, so a queue has as many tracks as it had commands outstanding. The slices of one
// track never overlap.
//
// Over a window that holds the whole run, the durations of the slices of a die add up to its
// counters (DieCounters; a read counts once per plane) and those of a channel to its busy time.
// Suspending and resuming are slices of their own kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ftl/device.h"
#include "ftl/host/host_observer.h"
#include "nand/observer.h"
#include "sim/simulator.h"
#include "sim/units.h"

namespace ftlsim {

struct TimelineWindow {
  Time begin;
  Duration length = Duration::ms(100);
};

// "START,LENGTH", both with a unit: "12.5s,50ms". Nothing, and a sentence in `error`, if the text
// is no such pair or the length is zero.
std::optional<TimelineWindow> parse_timeline_window(std::string_view text, std::string& error);

struct TimelineSlice {
  enum class Kind : uint8_t {
    kSense,
    kProgram,
    kErase,
    kSuspend,  // of a program or erase: until the die can read
    kResume,   // until it works again
    kDataIn,   // program data on the channel
    kDataOut,  // read data
    kCore,
    kCommand,
  };
  static constexpr uint32_t kNoLpn = UINT32_MAX;

  int64_t begin_ns = 0;
  int64_t end_ns = 0;
  uint32_t lpn = kNoLpn;
  uint32_t superblock = UINT32_MAX;
  uint32_t slots = 0;  // 4 KiB units
  uint16_t row = 0;
  uint16_t track = 0;  // die, channel, core or queue
  uint16_t lane = 0;   // plane, or place among the commands of a queue
  Kind kind = Kind::kSense;
  Purpose purpose = Purpose::kHostRead;
  uint8_t planes = 0;   // how many
  uint8_t page = 0;     // reads
  uint8_t attempt = 0;  // reads: senses before this one
  CellMode mode = CellMode::kTlc;
  Opcode opcode = Opcode::kRead;  // cores and commands
  bool unfinished = false;        // was still going on at the end of the run
};

class Timeline final : public MediumObserver, public HostObserver {
 public:
  // About 190 bytes a slice in the file: more is slow to open.
  static constexpr size_t kMaxSlices = 500'000;

  // The simulator and the device must outlive the recorder, which must be set as their observer.
  Timeline(const Simulator& sim, const Device& device, TimelineWindow window,
           size_t max_slices = kMaxSlices);

  void sensed(const Operation& op, Time begin, Time end) override;
  void transferred(ChannelId channel, const Operation& op, Time begin, Time end) override;
  void array_started(const Operation& op, Time now) override;
  void array_suspended(const Operation& op, Time now, Time free) override;
  void array_resumed(const Operation& op, Time now, Time working) override;
  void array_ended(const Operation& op, Time now) override;
  void core_taken(uint32_t core, const CommandSlot& slot, Time begin, Time end) override;
  void command_completed(const Command& command, const CommandSlot& slot) override;

  // Takes in what still goes on in the arrays. Call once, after the run; slices() is sorted by
  // begin after it.
  void finish();

  const std::vector<TimelineSlice>& slices() const { return slices_; }
  const Device& device() const { return device_; }
  Time begin() const { return begin_; }
  // Of the window as asked for, or where the limit of slices cut it.
  Time end() const { return end_; }
  bool cut() const { return cut_; }

 private:
  // The program or erase of a die.
  struct Array {
    const Operation* op = nullptr;
    Time busy;      // of the resumption, if `working` is later
    Time working;   // since when the array works
    Duration owed;  // of resumptions that were interrupted: counted before the array works
  };

  TimelineSlice slice_of(const Operation& op, TimelineSlice::Kind kind) const;
  void add(TimelineSlice slice, Time begin, Time end);
  void close(Array& array, const Operation& op, Time now, bool unfinished);

  const Simulator& sim_;
  const Device& device_;
  Time begin_;
  Time end_;
  bool cut_ = false;
  size_t max_slices_;
  std::vector<TimelineSlice> slices_;
  std::vector<Array> arrays_;
  std::vector<std::vector<Time>> lanes_;  // per queue: when the last command of each lane completed
};

}  // namespace ftlsim
