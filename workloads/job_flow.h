// Threads that share work in proportion to their weights (fio's `flow`): each may issue while its
// part of all requests is not above its part of all weights. The others wait until it is.
#pragma once

#include <cstdint>

namespace ftlsim {

// A member of a flow, to be woken when it may go on.
class FlowMember {
 public:
  // The flow may let the member issue now; it has to ask again.
  virtual void on_flow() = 0;

 protected:
  ~FlowMember() = default;

 private:
  friend class FlowGroup;
  FlowMember* next_waiting_ = nullptr;
  uint64_t issued_ = 0;
  uint32_t weight_ = 0;
  bool waiting_ = false;
};

class FlowGroup {
 public:
  void join(FlowMember& member, uint32_t weight) {
    member.weight_ = weight;
    weights_ += weight;
  }

  // Counts a request of the member, or puts it in line and answers false.
  bool issue(FlowMember& member) {
    if (member.issued_ * weights_ > issued_ * member.weight_) {
      wait(member);
      return false;
    }
    ++member.issued_;
    ++issued_;
    wake();
    return true;
  }

  void leave(FlowMember& member) {
    issued_ -= member.issued_;
    weights_ -= member.weight_;
    wake();
  }

 private:
  void wait(FlowMember& member) {
    if (member.waiting_) return;
    member.waiting_ = true;
    member.next_waiting_ = waiting_;
    waiting_ = &member;
  }

  void wake() {
    while (waiting_ != nullptr) {
      FlowMember& member = *waiting_;
      waiting_ = member.next_waiting_;
      member.waiting_ = false;
      member.on_flow();
    }
  }

  uint64_t issued_ = 1;  // so that not all members can be above their part
  uint64_t weights_ = 0;
  FlowMember* waiting_ = nullptr;
};

}  // namespace ftlsim
