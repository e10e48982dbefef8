// An event is a member of the object that it wakes; scheduling it allocates nothing.
//
// It is pending at most once. Destroying a pending event is a programmer error, checked by the
// safe-link mode of the hook.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstdint>

#include "sim/units.h"

namespace ftlsim {

// Order among events of the same time. An event scheduled at *now* with a phase that is not above
// the running one runs in the running phase, after those queued.
enum class Phase : uint8_t {
  kMedia = 0,       // array operations and transfers end: resources come free first
  kFirmware = 1,    // then the firmware reacts
  kHost = 2,        // then the host sees completions and submits
  kStatistics = 3,  // observers look last
};

class Event {
 public:
  using Hook = boost::intrusive::list_member_hook<
      boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

  explicit Event(Phase phase) : phase_(phase) {}
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  virtual ~Event() = default;

  // Called once when the event is due. It is no longer pending then and may be scheduled again.
  virtual void fire() = 0;

  bool pending() const { return hook_.is_linked(); }
  Phase phase() const { return phase_; }
  // Changes the phase of an event that is not pending.
  void set_phase(Phase phase) { phase_ = phase; }
  // When it is due. Meaningful only while pending.
  Time when() const { return Time::at_ns(static_cast<int64_t>(key_ >> 2)); }

 private:
  friend class WheelQueue;
  friend class HeapQueue;
  template <class Queue>
  friend class Scheduler;

  Hook hook_;
  uint64_t key_ = 0;  // (time << 2) | phase
  Phase phase_;
};

// An event that calls one member function of its owner.
template <class Owner, void (Owner::*kMethod)()>
class MemberEvent final : public Event {
 public:
  MemberEvent(Owner* owner, Phase phase) : Event(phase), owner_(owner) {}
  void fire() override { (owner_->*kMethod)(); }

 private:
  Owner* owner_;
};

}  // namespace ftlsim
