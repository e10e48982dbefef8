// One array operation on one die: the unit of work of the medium.
//
// The firmware owns the object (from a pool) and keeps it until its sink is told that it is done. A
// read carries one chunk or a part of it, a program one word line in all good planes.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <cstdint>

#include "nand/layout.h"
#include "sim/event.h"
#include "sim/ids.h"
#include "sim/units.h"

namespace ftlsim {

enum class OpKind : uint8_t { kRead, kProgram, kErase };

// On whose behalf an operation runs. For observers: nothing in the medium depends on it.
enum class Purpose : uint8_t {
  kHostRead,
  kReadAhead,
  kHostWrite,
  kFold,
  kGc,
  kWear,
  kRefresh,
  kPatrol,
  kMap,    // translation pages and other firmware tables
  kErase,  // every erase, whoever writes next
};
inline constexpr size_t kPurposes = 10;
inline constexpr const char* kPurposeNames[kPurposes] = {
    "host_read", "read_ahead", "host_write", "fold", "gc",
    "wear",      "refresh",    "patrol",     "map",  "erase"};

class Flash;
struct Operation;

// What a sense gives when errors are modelled: work for a decoder, and whether another sense
// follows because the data cannot be decoded.
struct Decoding {
  uint32_t codewords = 0;
  Duration total;
  Duration last;  // of the last codeword
  bool again = false;
};

// Implemented by the firmware. Called in the media phase.
class OperationSink {
 public:
  // The operation has ended: read data are in the controller, or the array is done.
  virtual void operation_done(Operation& op) = 0;

 protected:
  ~OperationSink() = default;
};

struct Operation : public Event {
  using Hook = boost::intrusive::list_member_hook<
      boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  Operation() : Event(Phase::kMedia) {}
  void fire() override;

  Hook hook;  // in one list: a pool, a queue of the firmware, a channel or a die

  // --- set by the firmware ---
  OpKind kind = OpKind::kRead;
  CellMode mode = CellMode::kTlc;
  uint8_t plane_mask = 0;
  uint8_t page = 0;
  bool urgent = false;  // host read: suspends programs, goes first on the bus
  Purpose purpose = Purpose::kHostRead;
  DieId die;
  SuperblockId superblock;
  uint16_t row = 0;
  uint16_t slots = 0;      // slots moved over the bus; of a program perhaps none (on-chip copies)
  bool on_chip = false;    // read: the data stay in the die and do not cross the bus
  Ppn first;               // reads: first slot
  uint64_t slot_mask = 0;  // reads: which of the chunk's slots from `first` on are wanted
  OperationSink* sink = nullptr;
  void* owner = nullptr;            // of the sink
  uint32_t tag = 0;                 // of the sink
  const uint32_t* spare = nullptr;  // programs: spare area of the unit's slots, page by page
  Time ready;                       // when it could have run: queued, or its data loaded

  // --- set by the medium ---
  // A read ends decoded, or with the slots in `lost` (from `first` on) given up. With a model of
  // errors it may need several senses, each of which takes all planes of the die; `decode` is the
  // time from the end of the last transfer until its data are decoded.
  uint64_t lost = 0;
  Duration decode;
  Decoding decoding;        // of the running sense
  uint8_t attempt = 0;      // senses before the running one
  uint8_t data_planes = 0;  // planes that hold what is wanted
  uint8_t failing = 0;      // those among them that are not decoded yet
  uint16_t bus_slots = 0;   // what the next transfer moves

  Flash* flash = nullptr;
  enum class State : uint8_t {
    kIdle,
    kSensing,
    kWaitRegister,
    kBus,
    kLoaded,
    kArray,
    kSuspending,
    kSuspended,
    kDecoding,
    kRetry,  // not decoded: to be sensed again
  } state = State::kIdle;
  uint16_t suspends = 0;
  Time array_end;      // of the running program or erase
  Duration remaining;  // of a suspended one
};

using OperationList = boost::intrusive::list<
    Operation, boost::intrusive::member_hook<Operation, Operation::Hook, &Operation::hook>,
    boost::intrusive::constant_time_size<false>>;

}  // namespace ftlsim
