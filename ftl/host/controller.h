// The front of the device: queues, arbitration, firmware cores, and the stages of a command.
//
// A command arrives when its doorbell has crossed the link. A core that is free takes it; else it
// waits in its submission queue and arbitration chooses when a core comes free. The core is taken
// for the *occupancy*; the *latency* is pipelined on top of it. Then the command goes to the read
// or write path, and its completion crosses the link and waits for the host's interrupt.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/host/command_slot.h"
#include "ftl/host/host_interface.h"
#include "ftl/host/host_observer.h"
#include "ftl/stats.h"
#include "ftl/write/host_writer.h"
#include "sim/fingerprint.h"
#include "sim/histogram.h"
#include "sim/simulator.h"

namespace ftlsim {

// What the controller needs from the rest of the firmware. Called from the firmware phase.
class CommandBackend {
 public:
  // The range of a command that will be looked up in some microseconds of simulated time.
  virtual void prefetch(Lpn lpn, uint32_t units) = 0;
  // Asks for the translation of the command's range. False: the slot's event fires when it is
  // there.
  virtual bool translate(CommandSlot& slot) = 0;
  virtual void start_read(CommandSlot& slot) = 0;
  virtual void start_write(CommandSlot& slot) = 0;
  virtual void start_modify(CommandSlot& slot) = 0;
  virtual void write_transferred(CommandSlot& slot) = 0;
  virtual void start_flush(CommandSlot& slot) = 0;
  virtual void start_deallocate(CommandSlot& slot) = 0;
  // Forgets all content; calls finish when it is done.
  virtual void start_format(CommandSlot& slot) = 0;
  virtual void content_changed(Lpn lpn, uint32_t n) = 0;
  virtual void set_ambient(int64_t millidegrees) = 0;
  virtual int64_t ambient() const = 0;
  virtual void rest_unpowered(Duration span, int64_t millidegrees) = 0;
  virtual void set_preconditioning(bool on) = 0;
  virtual void set_read_ahead(bool on) = 0;
  // The host has no command outstanding any more, or has one again.
  virtual void host_idle_changed(bool idle) = 0;
  // How long the drive takes to leave its power state for the first command after idle time.
  virtual Duration wake_latency() const = 0;

 protected:
  ~CommandBackend() = default;
};

class Controller : public HostInterface, public StageSink, public CommandFinisher {
 public:
  Controller(Simulator& sim, const DriveConfig& config, CommandBackend& backend,
             Fingerprint& fingerprint, FtlStats& stats);
  ~Controller() override;

  Bytes capacity() const override { return config_.capacity; }
  Bytes lba_size() const override { return config_.lba_size; }
  Bytes mdts() const override { return config_.queues.mdts; }
  uint32_t queue_count() const override { return config_.queues.count; }
  uint32_t queue_depth() const override { return config_.queues.depth; }
  uint32_t room(QueueId queue) const override {
    return config_.queues.depth - queues_[queue.value()].used;
  }
  void submit(Command& command, Time at) override;
  void set_interrupt_latency(Duration latency) override { interrupt_latency_ = latency; }
  void set_ambient(int64_t millidegrees) override { backend_.set_ambient(millidegrees); }
  int64_t ambient() const override { return backend_.ambient(); }
  void rest_unpowered(Duration span, int64_t millidegrees) override;
  void set_preconditioning(bool on) override { backend_.set_preconditioning(on); }
  void set_read_ahead(bool on) override { backend_.set_read_ahead(on); }
  uint32_t outstanding() const override { return outstanding_; }
  // Somebody who is told of every command from now on, or nullptr.
  void set_observer(HostObserver* observer) { observer_ = observer; }

  void stage(CommandSlot& slot) override;
  void finish(CommandSlot& slot, Time when) override;
  void modify_ready(CommandSlot& slot) override { backend_.start_write(slot); }
  void content_changed(Lpn lpn, uint32_t n) override { backend_.content_changed(lpn, n); }

  // Fetches commands so that their data keep to this rate, in bytes/s (0: no limit), or not at all.
  void set_pace(uint64_t bytes_per_second, bool halted);

  // Commands outstanding apart from `slot`.
  bool alone() const { return outstanding_ == 1; }

 private:
  struct Queue {
    SlotList waiting;
    uint32_t used = 0;  // entries taken until completion
  };

  Status check(const Command& command) const;
  void set_range(CommandSlot& slot);
  Duration occupancy(const CommandSlot& slot) const;
  Duration latency(const CommandSlot& slot) const;
  Duration pause(const CommandSlot& slot) const;
  bool take_core(CommandSlot& slot, Time at);
  void arrived(CommandSlot& slot);
  void core_free();
  void schedule_cores();
  CommandSlot* arbitrate();
  void translate(CommandSlot& slot);
  void dispatch(CommandSlot& slot);
  void complete(CommandSlot& slot);

  Simulator& sim_;
  DriveConfig config_;
  CommandBackend& backend_;
  Fingerprint& fingerprint_;
  FtlStats& stats_;
  HostObserver* observer_ = nullptr;
  Duration interrupt_latency_;
  uint32_t units_per_lba_shift_;
  std::vector<Queue> queues_;
  std::unique_ptr<CommandSlot[]> slots_;
  std::vector<CommandSlot*> free_slots_;
  std::vector<Time> cores_;  // when each core is free
  uint32_t queued_ = 0;      // commands in submission queues
  uint32_t turn_ = 0;        // arbitration: queue whose turn it is
  uint32_t burst_ = 0;       // and how many it has sent in a row
  Time last_arrival_;
  Time gate_;             // no command is fetched before: the drive wakes, is paced, or has stopped
  uint64_t pace_ps_ = 0;  // per 4 KiB of the commands fetched
  uint32_t outstanding_ = 0;
  MemberEvent<Controller, &Controller::core_free> core_event_;
};

}  // namespace ftlsim
