// What all threads of the host that issue requests have in common: one CPU that does one thing
// after the other, and the life of a request as NVMe commands.
//
// How long the CPU is busy is a number (`free_at_`), not an event. A request is cut into parts,
// each of which takes submission time; its latency ends when the last completion has been handled.
// The head carries direction, bytes and the time of the call, which the owner sets before the
// issue.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "ftl/host/host_interface.h"
#include "sim/simulator.h"
#include "workloads/block_layer.h"
#include "workloads/job_spec.h"
#include "workloads/phase_result.h"

namespace ftlsim {

class HostThread : public CompletionSink {
 protected:
  HostThread(Simulator& sim, HostInterface& host, const HostModel& cpu, SubmissionQueue& queue)
      : free_at_(sim.now()),
        sim_(&sim),
        cpu_(&cpu),
        queue_(&queue),
        mdts_(host.mdts()),
        lba_shift_(static_cast<uint32_t>(std::countr_zero(host.lba_size().count()))) {}
  ~HostThread() = default;

  // Whose completions come here. To be called once, before the first issue.
  void own(std::span<Part> parts) {
    for (Part& part : parts) {
      part.sink = this;
      part.queue = queue_->id();
    }
  }

  // When the CPU can begin something new.
  Time free_from_now() const { return max(free_at_, sim_->now()); }
  void spend(Duration time) { free_at_ = free_from_now() + time; }
  void spend_on_completion() { spend(cpu_->complete_cpu); }

  // Counts the request of `head` in `result` and gives each of its parts to `send`, filled in and
  // stamped with the time at which the CPU is done with it. The slot of `head` has room for all.
  // Returns the number of parts; a flush is one, without bytes.
  template <class Send>
  uint32_t issue_parts(Part& head, Opcode opcode, bool fua, uint64_t offset,
                       DirectionResult& result, Send&& send) {
    const uint64_t limit = split_limit(head.direction, mdts_);
    const uint64_t parts = head.bytes <= limit ? 1 : (head.bytes + limit - 1) / limit;
    head.parts_left = static_cast<uint32_t>(parts);
    ++result.issued;
    result.nvme_commands += parts;
    Part* part = &head;
    uint64_t done = 0;
    do {
      free_at_ += cpu_->submit_cpu;
      part->head = &head;
      part->ready = free_at_;
      part->opcode = opcode;
      part->fua = fua;
      part->lba = Lba((offset + done) >> lba_shift_);
      part->blocks = static_cast<uint32_t>(std::min(limit, head.bytes - done) >> lba_shift_);
      part->status = Status::kSuccess;
      send(*part);
      done += limit;
      ++part;
    } while (done < head.bytes);
    return head.parts_left;
  }

  // The last part of the request has been handled.
  void count_completion(const Part& head, DirectionResult& result) const {
    ++result.completed;
    result.bytes += head.bytes;
    result.latency.add(free_at_ - head.called);
  }

  uint32_t lba_shift() const { return lba_shift_; }

  Time free_at_;

 private:
  const Simulator* sim_;
  const HostModel* cpu_;
  SubmissionQueue* queue_;
  Bytes mdts_;
  uint32_t lba_shift_;
};

}  // namespace ftlsim
