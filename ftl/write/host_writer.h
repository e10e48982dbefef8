// Host writes: buffer space, data transfer, placement, acknowledgement, durability.
//
// A write waits for buffer space and for the reclaim throttle, its data cross the link, its units
// are placed in a stream, and it is acknowledged. With FUA it is acknowledged when its units are on
// the medium. A flush seals the partial word lines and waits for every host unit handed over so
// far. Order of admission and of placement is first come, first served.
#pragma once

#include <cstdint>

#include "ftl/config.h"
#include "ftl/host/command_slot.h"
#include "ftl/host/link.h"
#include "ftl/relocate/reclaim.h"
#include "ftl/slc/slc_cache.h"
#include "ftl/stats.h"
#include "ftl/write/write_engine.h"
#include "sim/simulator.h"

namespace ftlsim {

// Told when a command's data phase is over.
class CommandFinisher {
 public:
  // The command is done at `when` (>= now) on the device's side.
  virtual void finish(CommandSlot& slot, Time when) = 0;
  // The content of a range has changed: its new version is in the write buffer.
  virtual void content_changed(Lpn lpn, uint32_t n) = 0;
  // The partly covered units of a write have been read.
  virtual void modify_ready(CommandSlot& slot) = 0;

 protected:
  ~CommandFinisher() = default;
};

class HostWriter {
 public:
  HostWriter(Simulator& sim, const DriveConfig& config, Link& link, WriteEngine& engine,
             SlcCache& slc, Reclaim& reclaim, CommandFinisher& finisher, FtlStats& stats);
  ~HostWriter();

  // A write has passed the firmware stage.
  void start(CommandSlot& slot);
  // Its data have crossed the link.
  void transferred(CommandSlot& slot);
  void flush(CommandSlot& slot);

  // A program of host data is done.
  void unit_done(uint64_t seal_number, uint32_t slots);
  // Something may have come free: goes on with placement and admission.
  void retry();
  // Slots of the buffer in use.
  uint32_t used() const { return capacity_ - free_; }

 private:
  void admit();
  void place();
  bool place_units(CommandSlot& slot);
  void acknowledge(CommandSlot& slot);
  void wait_durable(CommandSlot& slot);
  void idle_flush();

  Simulator& sim_;
  Link& link_;
  WriteEngine& engine_;
  SlcCache& slc_;
  Reclaim& reclaim_;
  CommandFinisher& finisher_;
  FtlStats& stats_;
  uint32_t capacity_;
  uint32_t free_;
  uint32_t in_transfer_ = 0;  // commands whose data are on the link
  Duration idle_flush_delay_;
  Time last_placed_;
  SlotList admission_;
  SlotList placement_;
  SlotList durability_;
  MemberEvent<HostWriter, &HostWriter::idle_flush> idle_flush_;
};

}  // namespace ftlsim
