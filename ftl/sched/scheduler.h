// Which operation a die does next.
//
// Per die there are three queues: host reads, other reads, and writes (programs and erases in order
// of arrival, so that an erase goes before the programs of its block). Rules, in order:
//   1. A write that has waited longer than the starvation bound stops new reads on its die until it
//      has run to its end. Otherwise the policy says which class goes first.
//   2. Reads start on any free plane, in order per plane; other planes overtake (sched.overtake).
//   3. If the policy suspends, a host read that finds a program or erase running suspends it,
//   within
//      the limits of the medium; the operation resumes when no host read is waiting or in progress.
//   4. Other reads start when no operation is in the array and no host read waits, or before host
//      reads where the policy says so.
//   5. A loaded program or an erase starts when the planes are quiet, no host read waits or writes
//      go first, and a power credit is free; dies wait for credits first come, first served.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ftl/config.h"
#include "ftl/decision_log.h"
#include "nand/flash.h"
#include "sim/simulator.h"

namespace ftlsim {

// Told of work that draws energy, before it counts.
class ActivityListener {
 public:
  // The medium begins to work, before the operation starts, or all work has ended.
  virtual void flash_active(bool active) = 0;
  // The drive is about to move data over the link that need not belong to a command.
  virtual void link_moves() = 0;

 protected:
  ~ActivityListener() = default;
};

class DieScheduler : public DieListener {
 public:
  DieScheduler(Simulator& sim, const SchedConfig& config, Flash& flash);
  ~DieScheduler();
  void set_activity_listener(ActivityListener& listener) { activity_ = &listener; }

  // Where decisions are recorded, or nullptr.
  void set_log(DecisionLog* log) {
    log_ = log != nullptr && log->takes(Decision::kSched) ? log : nullptr;
  }

  // Queues an operation; its sink is told when it is done.
  void submit(Operation& op);

  // Leaves this share of the power credits, at least one; or none at all. Dies that hold a credit
  // keep it to the end of their operation.
  void limit_credits(double share, bool none);

  // Operations submitted and not done.
  uint32_t outstanding() const { return outstanding_; }
  // Programs and erases that wait on a die: where relocated data find the shortest queue.
  uint32_t writes_waiting(DieId die) const { return dies_[die.value()].writes_waiting; }

  void die_ready(DieId die) override;
  void power_released(DieId die) override;
  void operation_ended() override {
    if (--outstanding_ == 0 && activity_ != nullptr) activity_->flash_active(false);
  }
  // Goes first among the reads of its class.
  void read_again(Operation& op) override;

 private:
  using WaitHook = boost::intrusive::list_member_hook<
      boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;
  struct DieQueue {
    OperationList host_reads;
    OperationList other_reads;
    OperationList writes;
    uint32_t writes_waiting = 0;
    bool dispatching = false;
    bool again = false;
    bool waits_for_credit = false;
    bool has_credit = false;
    WaitHook hook;
    DieId id;
  };
  using CreditList =
      boost::intrusive::list<DieQueue,
                             boost::intrusive::member_hook<DieQueue, WaitHook, &DieQueue::hook>,
                             boost::intrusive::constant_time_size<false>>;

  void dispatch(DieQueue& q);
  void step(DieQueue& q);
  const Operation* waiting_write(const DieQueue& q) const;
  bool starved(const DieQueue& q, const Operation* waiting) const;
  DieClass first(const DieQueue& q) const;
  void note_first(const DieQueue& q, const Operation* waiting, bool starved, DieClass c) const;
  bool only_host_reads(const DieQueue& q) const;
  void start_reads(DieQueue& q, OperationList& list);
  void load(DieQueue& q);
  void account_write(const DieQueue& q, Duration time);
  void start_array(DieQueue& q);
  void finish_array(DieQueue& q, Operation& array);
  bool take_credit(DieQueue& q);
  void grant_credits();

  Simulator& sim_;
  SchedConfig config_;
  std::unique_ptr<DiePolicy> policy_;
  bool suspends_;
  bool accounts_;
  Flash& flash_;
  std::vector<DieQueue> dies_;
  CreditList credit_waiters_;
  uint32_t credits_used_ = 0;
  const uint32_t all_credits_;
  uint32_t credits_;  // of those, what throttling leaves
  DecisionLog* log_ = nullptr;
  ActivityListener* activity_ = nullptr;
  uint32_t outstanding_ = 0;
};

}  // namespace ftlsim
