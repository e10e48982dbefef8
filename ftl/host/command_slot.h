// The device's side of one command in flight.
//
// Its one event wakes the stage that the command is in; nothing else is allocated for it.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstdint>

#include "ftl/host/command.h"
#include "sim/event.h"
#include "sim/ids.h"

namespace ftlsim {

struct CommandSlot;

// Implemented by the controller, which knows the stages.
class StageSink {
 public:
  virtual void stage(CommandSlot& slot) = 0;

 protected:
  ~StageSink() = default;
};

enum class Stage : uint8_t {
  kFree,
  kArrival,      // the doorbell has been rung, the command waits to be fetched
  kQueued,       // in its submission queue, no core is free
  kFirmware,     // a core works on it
  kTranslation,  // waits for map entries that are not in memory
  kTransfer,     // write data on the link
  kWaiting,      // for buffer space, a slot, flash reads, or durability
  kCompletion,   // completion entry and interrupt on their way
};

struct CommandSlot final : public Event {
  using Hook = boost::intrusive::list_member_hook<
      boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  CommandSlot() : Event(Phase::kFirmware) {}
  void fire() override { sink->stage(*this); }

  StageSink* sink = nullptr;
  Command* command = nullptr;
  Hook hook;  // in one waiting list
  Stage stage = Stage::kFree;
  bool head_partial = false;  // the first unit is covered in part
  bool tail_partial = false;  // the last unit likewise
  bool modified = false;      // partly covered units have been read
  bool failed = false;
  bool unrecovered = false;  // some unit of it cannot be read
  bool to_slc = true;        // write: slc.route lets it into the cache
  Lpn lpn{0};                // first 4 KiB unit touched
  uint32_t units = 0;        // number of units touched
  uint32_t progress = 0;     // units placed or asked for
  uint32_t pending = 0;      // flash reads outstanding
  uint64_t seal = 0;         // flush and FUA: durable when all host units up to this are done
  uint32_t seal_left = 0;    // how many of them are still in flight
  Time link_end;             // read data: when the last of them has crossed the link
  uint64_t head_token = 0;   // content of partly covered units (verification only)
  uint64_t tail_token = 0;
};

using SlotList = boost::intrusive::list<
    CommandSlot, boost::intrusive::member_hook<CommandSlot, CommandSlot::Hook, &CommandSlot::hook>,
    boost::intrusive::constant_time_size<false>>;

}  // namespace ftlsim
