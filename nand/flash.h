// The flash array: dies behind channels.
//
// Flash moves operations through sense, bus and array and queues none: a caller asks `can_*` first.
// When something on a die comes free the DieListener is told, and may offer the next operation.
//
//   read     start_read -> sense (planes busy) -> output register -> bus -> done
//            or, if it does not decode: -> decoder -> read_again, until it does or is given up
//            on chip: sense -> done; the data wait in the latches of the die
//   program  load_program -> bus -> loaded; start_array -> array busy -> done
//            only data from the controller cross the bus
//   erase    start_erase -> array busy -> done
//
// Registers: a sensed page waits in the page register until the output register of its planes is
// free; with cache reads the plane may then sense again. Program data have latches of their own,
// one word line deep beside the one in the array (cache program). Latches that hold on-chip copies
// until their word line is complete are not accounted for.
//
// Pipelined retry: the next sense starts as soon as the planes are free, while the data of the
// failed one are moved and decoded (they keep their output registers until then). It is taken that
// the controller knows in time that it will need the next sense; one begun in vain is not charged.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "nand/channel.h"
#include "nand/config.h"
#include "nand/media.h"
#include "nand/observer.h"
#include "nand/operation.h"
#include "nand/reliability/decoders.h"
#include "sim/fingerprint.h"
#include "sim/simulator.h"

namespace ftlsim {

// Implemented by the scheduler above.
class DieListener {
 public:
  virtual void die_ready(DieId die) = 0;
  // The program or erase of a die stopped drawing its share of the current limit.
  virtual void power_released(DieId die) = 0;
  // A read could not be decoded and has to be sensed again, on all planes of its die.
  virtual void read_again(Operation& op) = 0;
  // An operation has ended; called before its sink.
  virtual void operation_ended() = 0;

 protected:
  ~DieListener() = default;
};

struct DieCounters {
  uint64_t reads = 0;  // sense operations
  uint64_t programs = 0;
  uint64_t erases = 0;
  uint64_t suspends = 0;
  int64_t read_plane_ns = 0;  // sensing time summed over planes
  int64_t program_ns = 0;
  int64_t erase_ns = 0;
};

// What the array has done since the start, for whoever meters its energy. Operations count when
// they begin, per plane; the index is the cell mode, for erases the one that the block was used in.
struct FlashWork {
  uint64_t sensed_planes[2] = {0, 0};
  uint64_t programmed_planes[2] = {0, 0};
  uint64_t erased_planes[2] = {0, 0};
  uint64_t bus_slots = 0;  // asked to cross a channel
};
using WorkByPurpose = std::array<FlashWork, kPurposes>;

class Flash : public TransferSink {
 public:
  Flash(Simulator& sim, const NandConfig& config, Media& media);
  void set_listener(DieListener& listener) { listener_ = &listener; }
  // Somebody who is told of all work from now on, or nullptr.
  void set_observer(MediumObserver* observer);

  Media& media() { return media_; }
  const Layout& layout() const { return media_.layout(); }

  // Duration of the sense of a read of `slots` slots on `planes`.
  Duration sense_time(CellMode mode, uint32_t slots) const;
  Duration program_time(CellMode mode) const;
  Duration erase_time(CellMode mode) const;
  Duration transfer_time(uint32_t slots) const { return channels_[0]->transfer_time(slots); }

  // Planes on which a read could start now.
  uint8_t free_planes(DieId id) const {
    const Die& die = dies_[id.value()];
    if (die.array != nullptr && die.array->state != Operation::State::kSuspended) return 0;
    return static_cast<uint8_t>(all_planes_ & ~die.sensing);
  }
  // True if `op` can start given the pages being sensed (planes that are not independent).
  bool can_sense(const Operation& op) const;
  void start_read(Operation& op);

  bool can_load(DieId id) const {
    const Die& die = dies_[id.value()];
    return die.latches == nullptr && (timing_.cache_program || die.array == nullptr);
  }
  void load_program(Operation& op);
  // A program whose data are in the latches, ready for the array; nullptr if none.
  Operation* loaded(DieId id) const {
    Operation* op = dies_[id.value()].latches;
    return op != nullptr && op->state == Operation::State::kLoaded ? op : nullptr;
  }

  // No program or erase in the array, none suspended, no plane sensing.
  bool array_free(DieId id) const {
    const Die& die = dies_[id.value()];
    return die.array == nullptr && die.sensing == 0;
  }
  void start_program(DieId die);
  void start_erase(Operation& op);

  // The running or suspended program or erase; nullptr if none.
  Operation* array(DieId die) const { return dies_[die.value()].array; }
  bool can_suspend(DieId die) const;
  void suspend(DieId die);
  bool can_resume(DieId die) const;
  void resume(DieId die);

  // Called by Operation::fire.
  void on_event(Operation& op);
  void transfer_done(Operation& op) override;

  const DieCounters& die_counters(DieId die) const { return dies_[die.value()].counters; }
  int64_t channel_busy_ns(ChannelId c) const { return channels_[c.value()]->busy_ns(); }
  // Kept by reference: it goes on counting.
  const WorkByPurpose& work() const { return work_; }
  // Time that the decoders have worked; 0 without a model of errors.
  int64_t decoder_busy_ns() const { return decoders_.busy_ns(); }
  Fingerprint& fingerprint() { return fingerprint_; }

 private:
  struct Die {
    uint8_t sensing = 0;     // planes whose array and page register are taken by a read
    uint8_t output = 0;      // planes whose output register is taken
    uint16_t sense_row = 0;  // of the reads that are sensing, for planes that are not independent
    uint8_t sense_page = 0;
    Time sense_start;
    Operation* array = nullptr;
    Operation* latches = nullptr;  // program being loaded or loaded
    OperationList waiting;         // sensed, waiting for an output register
    DieCounters counters;
  };

  FlashWork& work(const Operation& op) { return work_[static_cast<size_t>(op.purpose)]; }
  Channel& channel(DieId die) { return *channels_[layout().channel_of(die).value()]; }
  void sensed(Operation& op);
  void retry(Operation& op);
  Operation& split_transfer(const Operation& op);
  Time reserve_decoder(const Operation& op);
  void decoded(Operation& op);
  void to_register(Die& die, Operation& op);
  void free_registers(Die& die, const Operation& op);
  void to_bus(Die& die, Operation& op);
  void read_moved(Die& die, Operation& op);
  void array_done(Die& die, Operation& op);
  void finish(Operation& op);

  Simulator& sim_;
  TimingConfig timing_;
  Media& media_;
  DieListener* listener_ = nullptr;
  MediumObserver* observer_ = nullptr;
  std::vector<Die> dies_;
  std::vector<std::unique_ptr<Channel>> channels_;
  uint8_t all_planes_;
  WorkByPurpose work_{};
  Reliability* reliability_;
  bool pipelined_;
  Duration slot_time_;  // on the bus, without the overhead of a transfer
  Decoders decoders_;
  std::unique_ptr<Operation[]> transfers_;  // pipelined retry: failed data on their way
  std::vector<Operation*> free_transfers_;
  Fingerprint fingerprint_;
};

}  // namespace ftlsim
