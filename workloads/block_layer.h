// The host's block layer: commands in flight, the splitting rule, and one waiting line per NVMe
// submission queue.
//
// A request becomes one or more parts (NVMe commands). A part that finds no room in its submission
// queue waits here, first in first out, until a completion makes room.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ftl/host/command.h"
#include "ftl/host/host_interface.h"
#include "sim/units.h"
#include "workloads/job_spec.h"

namespace ftlsim {

// One NVMe command of a request. The first part also carries the request.
struct Part : Command {
  Part* head = nullptr;  // the first part of its request
  Part* next = nullptr;  // behind it in a line, whatever it waits for
  Time ready;            // when the host's CPU was done with it
  // Of the request; set in the head only.
  Time called;  // when the host began to submit it, or when it was due in an open loop
  Time issued;  // when the host's CPU was done with submitting it
  uint64_t bytes = 0;
  uint32_t parts_left = 0;
  uint32_t depth = 0;  // requests in flight when it was issued, itself included
  Direction direction = Direction::kRead;
  bool failed = false;  // a part ended with another status than success
};

// The most bytes that one command moves or deallocates. A trim is no data transfer, so MDTS does
// not bound it; Linux cuts one at a 32-bit byte count, which leaves 2 GiB as the largest aligned
// piece.
inline uint64_t split_limit(Direction direction, Bytes mdts) {
  constexpr uint64_t kTrimLimit = Bytes::gib(2).count();
  return direction == Direction::kTrim ? kTrimLimit : mdts.count();
}

// Commands that the largest request of a job becomes, and that all its threads may have in flight.
uint64_t parts_per_request(const JobSpec& job, Bytes mdts);
uint64_t parts_in_flight(const JobSpec& job, Bytes mdts);

constexpr Opcode opcode_of(Direction direction) {
  switch (direction) {
    case Direction::kRead:
      return Opcode::kRead;
    case Direction::kWrite:
      return Opcode::kWrite;
    case Direction::kTrim:
      break;
  }
  return Opcode::kDeallocate;
}

class SubmissionQueue {
 public:
  SubmissionQueue(HostInterface& host, QueueId id) : host_(&host), id_(id) {}

  QueueId id() const { return id_; }

  // Submits a part at `part.ready`, or puts it in line.
  void send(Part& part) {
    if (first_ == nullptr && host_->room(id_) > 0) {
      host_->submit(part, part.ready);
      return;
    }
    part.next = nullptr;
    (first_ == nullptr ? first_ : last_->next) = &part;
    last_ = &part;
  }

  // To be called on every completion of this queue.
  void on_room(Time now) {
    while (first_ != nullptr && host_->room(id_) > 0) {
      Part& part = *first_;
      first_ = part.next;
      host_->submit(part, max(now, part.ready));
    }
  }

 private:
  HostInterface* host_;
  QueueId id_;
  Part* first_ = nullptr;
  Part* last_ = nullptr;  // meaningful only if first_ is set
};

}  // namespace ftlsim
