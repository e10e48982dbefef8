// One NVMe command, as the host builds it and the device carries it.
//
// The submitter owns the object and keeps it alive and unchanged from submit() until its sink is
// called. The lower part belongs to the device during that time; it is here so that neither side
// allocates anything per command.
#pragma once

#include <boost/intrusive/list.hpp>
#include <cstdint>

#include "sim/event.h"
#include "sim/ids.h"
#include "sim/units.h"

namespace ftlsim {

enum class Opcode : uint8_t { kRead, kWrite, kFlush, kDeallocate, kFormat };

enum class Status : uint8_t {
  kSuccess,
  kLbaOutOfRange,  // past the end of the namespace; nothing was done
  kInvalidField,   // zero or more blocks than MDTS allows; nothing was done
  // Media and Data Integrity Errors, 81h: some of the data cannot be read. A write ends with it if
  // it covers a unit in part whose rest cannot be read; nothing was written then.
  kUnrecoveredRead,
};

struct Command;

// Called in the host phase at the time at which the host learns of the completion, that is after
// the completion entry has been posted and the interrupt has been delivered.
class CompletionSink {
 public:
  virtual void on_completion(Command& command) = 0;

 protected:
  ~CompletionSink() = default;
};

struct Command {
  // --- set by the submitter ---
  Opcode opcode = Opcode::kRead;
  bool fua = false;  // writes: complete only when the data are on the medium
  QueueId queue{0};
  Lba lba{0};
  uint32_t blocks = 0;  // length in logical blocks; 0 for flush and format
  CompletionSink* sink = nullptr;
  // Content tokens, one per 4 KiB unit that the command touches, read or written by the device when
  // the medium keeps content (verification only); nullptr otherwise.
  uint64_t* tokens = nullptr;

  // --- results ---
  Status status = Status::kSuccess;
  Time submitted;  // when the doorbell rang
  Time completed;  // when the host learned of it

  // --- device side ---
  using Hook = boost::intrusive::list_member_hook<
      boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
  Hook hook;                   // in exactly one device list at a time
  Event* wake = nullptr;       // the device-side event of the slot that carries the command
  uint32_t slot = UINT32_MAX;  // the device-side slot, UINT32_MAX outside the device
};

}  // namespace ftlsim
