// What relocation moves and why: the plan that decides, and requests by other modules.
//
// The relocator empties superblocks in two lanes. The *reclaim* lane gains space: folding and
// collection, chosen by the plan one after the other. The *request* lane moves data for another
// reason than space (wear levelling, refresh, read reclaim): whoever wants a superblock emptied
// asks RelocationService for it and names the cause. A victim of the request lane gives way to
// forced reclaim and never holds up the reclaim lane.
#pragma once

#include <array>
#include <cstdint>

#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"
#include "sim/ids.h"

namespace ftlsim {

// A superblock to be emptied. Its copies are counted under `cause` (kFold, kGc, kWear, kRefresh).
struct RelocationVictim {
  SuperblockId superblock;
  Cause cause = Cause::kGc;
};

// A closed superblock that another module wants emptied, wholly valid or not.
struct RelocationRequest {
  SuperblockId superblock;
  Cause cause = Cause::kRefresh;
  uint64_t rate = 0;    // bytes per second read from it, 0: no limit
  bool urgent = false;  // goes on while reclaim is forced or a host waits for folding
};

class RelocationService {
 public:
  // Queues a request; it is taken up when the firmware makes progress next. False: the queue is
  // full, or the superblock is not closed or has been asked for already. A request ends without
  // further notice when its superblock is free, also if that was not its doing.
  virtual bool request(const RelocationRequest& request) = 0;

 protected:
  ~RelocationService() = default;
};

// Requests that wait, first come first served, the urgent ones first.
class RelocationQueue {
 public:
  static constexpr uint32_t kCapacity = 64;

  bool empty() const { return count_ == 0; }
  // See RelocationService::request().
  bool add(const SuperblockTable& table, const RelocationRequest& request);
  // Takes the next one whose superblock is still closed out of the queue; invalid if there is none.
  RelocationRequest take(const SuperblockTable& table, bool urgent_only);
  // Format.
  void reset() { count_ = 0; }

 private:
  void remove(uint32_t i);

  std::array<RelocationRequest, kCapacity> requests_;
  std::array<uint64_t, kCapacity> opened_{};  // which life of the superblock is meant
  uint32_t count_ = 0;
};

// Contract: decisions, asked often; must not touch the map, superblocks or the clock.
class RelocationPlan {
 public:
  // --- the reclaim lane ---
  // The superblock to empty next, invalid if none should be now.
  virtual RelocationVictim next_victim() = 0;
  // May `units` more units of a victim of this mode be read now? Asked before each read.
  virtual bool may_read(CellMode victim, uint32_t units) = 0;
  // Units of a victim were read: `valid` of the `capacity` slots of the victim were valid at first.
  virtual void was_read(CellMode victim, uint32_t units, uint32_t valid, uint32_t capacity) = 0;
  // Would this many free superblocks be enough for now?
  virtual bool enough(uint32_t free) const = 0;
  // A victim had no valid slot: its capacity came free without a read.
  virtual void was_free(uint32_t capacity) = 0;
  // Limit of reading in bytes per second for a victim of this mode, 0: none.
  virtual uint64_t rate(CellMode victim) const = 0;
  // Share of the time that relocation may use, in 1/65536.
  virtual uint32_t duty() const = 0;

  // --- the request lane ---
  // The request to serve next, its superblock invalid if none should be now.
  virtual RelocationRequest next_request() = 0;
  // May a request that has begun go on now? `alone`: the reclaim lane has no victim.
  virtual bool may_serve(const RelocationRequest& request, bool alone) const = 0;

  // Data that wait for a full word line should be padded when there is no victim left.
  virtual bool drain() const = 0;

 protected:
  ~RelocationPlan() = default;
};

}  // namespace ftlsim
