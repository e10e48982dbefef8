// What an onlooker is told of the work of the medium: for timelines, never for decisions.
//
// Nobody is told anything unless an observer has been set (Flash::set_observer); without one each
// step costs a test of a pointer. All calls come from the media or firmware phase at the time they
// speak of, unless they say otherwise, and in order of time for each die and channel.
//
//   read             sensed, transferred
//   program          transferred, array_started, (array_suspended, array_resumed)*, array_ended
//   erase            array_started, (array_suspended, array_resumed)*, array_ended
#pragma once

#include "nand/operation.h"
#include "sim/ids.h"
#include "sim/units.h"

namespace ftlsim {

class MediumObserver {
 public:
  // A read occupies the array of its planes during [begin, end); told at `begin`.
  virtual void sensed(const Operation& op, Time begin, Time end) = 0;
  // A transfer, or a part of one that was interrupted, took the channel during [begin, end). Told
  // when that is certain: at `end`, or before it when the part has been cut to end there.
  virtual void transferred(ChannelId channel, const Operation& op, Time begin, Time end) = 0;
  // The program or erase begins to use the array.
  virtual void array_started(const Operation& op, Time now) = 0;
  // It gives way: the array works on until `now`, and takes until `free` to be free for reads.
  virtual void array_suspended(const Operation& op, Time now, Time free) = 0;
  // It goes on: the array works from `working` on; until then it is busy with the resumption.
  virtual void array_resumed(const Operation& op, Time now, Time working) = 0;
  // It has ended. The fields of `op` are still those of the operation.
  virtual void array_ended(const Operation& op, Time now) = 0;

 protected:
  ~MediumObserver() = default;
};

}  // namespace ftlsim
