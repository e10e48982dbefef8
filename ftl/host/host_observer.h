// What an onlooker is told of the front of the device: for timelines, never for decisions.
//
// As with the medium's observer, nobody is told anything unless one has been set
// (Controller::set_observer); without one each call costs a test of a pointer.
#pragma once

#include <cstdint>

#include "ftl/host/command_slot.h"
#include "sim/units.h"

namespace ftlsim {

class HostObserver {
 public:
  // Core `core` works on a command during [begin, end). Told when the core is taken, which may be
  // before `begin`; the spans of one core follow each other.
  virtual void core_taken(uint32_t core, const CommandSlot& slot, Time begin, Time end) = 0;
  // A command has completed: command.submitted and command.completed are final, and the slot still
  // has its range.
  virtual void command_completed(const Command& command, const CommandSlot& slot) = 0;

 protected:
  ~HostObserver() = default;
};

}  // namespace ftlsim
