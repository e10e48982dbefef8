// Rebuilds pages that no decoding brings back from the other dies of their parity group
// (rain.dies).
//
// Whoever has read flash asks take() first. If the read was given up, the same page of every other
// die of its group and row is read, the lost slots of it only, with the urgency and on behalf of
// the first read; when all of them decode the sink of the first read is told again, without lost
// slots. Slots stay lost where one of the others is lost too, or where the parity has no good
// block. What has been handed over and not been programmed, and parity that is not complete, is
// still in the controller and needs no read (frontier.h).
//
// The sink must keep the superblock from being erased until it is told. A read that ends within a
// rebuild does not start another. Combining the pages takes no time of its own: the data pass
// through while they are decoded.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/sched/scheduler.h"
#include "ftl/space/superblock_table.h"
#include "ftl/stats.h"
#include "nand/media.h"
#include "nand/operation.h"
#include "sim/event.h"
#include "sim/simulator.h"

namespace ftlsim {

class Rebuilder : private OperationSink {
 public:
  Rebuilder(Simulator& sim, const Media& media, DieScheduler& scheduler,
            const SuperblockTable& table, FtlStats& stats);
  ~Rebuilder();

  // To be asked by the sink of every read that has ended. True: the sink is told of it again when
  // its group has been read; Operation::lost then has what is lost for good.
  bool take(Operation& op) {
    if (op.lost == 0) [[likely]]
      return false;
    return begin(op);
  }
  // Nothing is being rebuilt.
  bool idle() const { return jobs_ == nullptr || free_.size() == kJobs; }

 private:
  static constexpr uint32_t kJobs = 32;

  // One read that is being rebuilt. Slots are bits by their position in the chunk.
  struct Job {
    Job() : start(this, Phase::kFirmware) {}
    void run() { owner->start(*this); }

    Rebuilder* owner = nullptr;
    Operation* read = nullptr;
    uint32_t first = 0;  // position of its first slot
    uint64_t wanted = 0;
    uint64_t lost = 0;     // of these, found not to come back
    uint32_t pending = 0;  // reads under way
    Time ready;            // when the last of them is decoded
    std::unique_ptr<Operation[]> ops;
    MemberEvent<Job, &Job::run> start;
  };

  bool begin(Operation& op);
  void assign(Job& job, Operation& op);
  void start(Job& job);
  void read_from(Job& job, Operation& op, DieId die, uint8_t planes);
  void finish(Job& job);
  void operation_done(Operation& op) override;
  uint64_t slots_of(uint8_t planes) const;

  Simulator& sim_;
  const Media& media_;
  DieScheduler& scheduler_;
  const SuperblockTable& table_;
  FtlStats& stats_;
  const Layout& layout_;
  std::unique_ptr<Job[]> jobs_;
  std::vector<Job*> free_;
  OperationList waiting_;                 // for a job
  const Operation* delivered_ = nullptr;  // whose sink is being told
};

}  // namespace ftlsim
