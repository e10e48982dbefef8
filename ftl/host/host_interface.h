// What a host sees of a device: capacity, limits, queues, and submit().
//
// This is the only header of the firmware that the layers above may use to drive a device. The
// host splits requests that exceed mdts() and waits itself while a queue has no room.
#pragma once

#include <cstdint>

#include "ftl/host/command.h"
#include "sim/ids.h"
#include "sim/units.h"

namespace ftlsim {

class HostInterface {
 public:
  virtual ~HostInterface() = default;

  virtual Bytes capacity() const = 0;        // user bytes: lba_size() times the number of blocks
  virtual Bytes lba_size() const = 0;        // 512 B or 4096 B
  virtual Bytes mdts() const = 0;            // largest data transfer of one command
  virtual uint32_t queue_count() const = 0;  // submission queues, numbered from 0
  virtual uint32_t queue_depth() const = 0;  // entries of each

  // Free entries of a submission queue, counting commands until they complete.
  virtual uint32_t room(QueueId queue) const = 0;

  // Hands over a command whose doorbell rings at `at` (>= now; the host's own CPU time has passed
  // by then). room(queue) must be > 0. Completion calls command.sink, never from within submit().
  virtual void submit(Command& command, Time at) = 0;

  // Time from the posted completion entry to the host's handler; a property of the host.
  virtual void set_interrupt_latency(Duration latency) = 0;

  // What happens to the drive between commands: no NVMe command, and no time passes by the call.
  // The temperature of the surroundings from now on, in thousandths of a degree Celsius.
  virtual void set_ambient(int64_t /*millidegrees*/) {}
  virtual int64_t ambient() const { return 25'000; }
  // The drive has been without power for a while, at a temperature of its own: its data are older.
  // It was shut down in an orderly way and has been started again.
  virtual void rest_unpowered(Duration /*span*/, int64_t /*millidegrees*/) {}
  // What is written while it is on only brings the drive into a state: it counts as old already if
  // the drive's configuration says so (nand.reliability.initial_age). Off at first.
  virtual void set_preconditioning(bool /*on*/) {}

  // Turns the drive's sequential read-ahead off or on again, at once and without a command: data
  // read ahead so far are dropped. It is on at first; a drive without read-ahead ignores it. (ATA
  // has it as subcommands of SET FEATURES, 55h and AAh; NVMe drives as vendor-specific features.)
  virtual void set_read_ahead(bool /*on*/) {}

  // Commands submitted and not yet completed.
  virtual uint32_t outstanding() const = 0;
};

}  // namespace ftlsim
