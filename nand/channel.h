// A flash channel: one transfer at a time, two classes.
//
// Urgent transfers (data of host reads) go before bulk ones (program data, data of relocation
// reads). A running bulk transfer gives way at the next quantum; after kUrgentBurst urgent
// transfers in a row bulk traffic gets kBulkQuanta quanta, so that neither class starves. Within a
// class the order is first come, first served.
#pragma once

#include <cstdint>

#include "nand/config.h"
#include "nand/observer.h"
#include "nand/operation.h"
#include "sim/simulator.h"

namespace ftlsim {

// Told when a transfer has ended, in the media phase.
class TransferSink {
 public:
  virtual void transfer_done(Operation& op) = 0;

 protected:
  ~TransferSink() = default;
};

class Channel {
 public:
  Channel(Simulator& sim, const BusConfig& config, TransferSink& sink);
  ~Channel();

  // Somebody who is told of every transfer from now on, or nullptr; `self` names this channel then.
  void set_observer(MediumObserver* observer, ChannelId self) {
    observer_ = observer;
    self_ = self;
  }

  // Queues the transfer of op.bus_slots slots; op.urgent chooses the class.
  void request(Operation& op);

  // Time for `slots` slots with the command overhead: what one transfer costs on an idle channel.
  Duration transfer_time(uint32_t slots) const;
  // Nanoseconds during which the channel has been busy.
  int64_t busy_ns() const { return busy_ns_; }

 private:
  static constexpr uint32_t kUrgentBurst = 8;
  static constexpr uint32_t kBulkQuanta = 4;

  void done();
  void start(Operation& op, Duration duration);
  void start_next();
  void preempt();

  Simulator& sim_;
  TransferSink& sink_;
  MediumObserver* observer_ = nullptr;
  ChannelId self_;
  uint64_t ps_per_slot_;
  uint64_t overhead_ps_;
  Duration quantum_;
  OperationList urgent_;
  OperationList bulk_;
  Operation* active_ = nullptr;
  Operation* paused_ = nullptr;  // a bulk transfer that gave way
  Duration paused_left_;
  Time start_;
  Time not_before_;  // bulk traffic may not be preempted before this
  uint32_t urgent_in_a_row_ = 0;
  int64_t busy_ns_ = 0;
  MemberEvent<Channel, &Channel::done> done_;
};

}  // namespace ftlsim
