// A host interface without a drive: every command completes a fixed time after its doorbell. It
// checks the contract (room, range, MDTS) and keeps a log.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "ftl/host/host_interface.h"
#include "sim/assert.h"
#include "sim/simulator.h"

namespace ftlsim {

class FakeHost final : public HostInterface {
 public:
  struct Options {
    Bytes capacity = Bytes::mib(64);
    Bytes lba_size = Bytes(512);
    Bytes mdts = Bytes::kib(128);
    uint32_t queues = 4;
    uint32_t depth = 64;
    Duration latency = Duration::us(10);
    bool keep_log = true;
    std::optional<uint64_t> bad_lba = std::nullopt;  // reads and writes of it fail
  };
  struct Entry {
    Opcode opcode;
    uint16_t queue;
    uint64_t lba;
    uint32_t blocks;
    Time doorbell;
  };

  FakeHost(Simulator& sim, const Options& options) : sim_(sim), options_(options) {
    for (uint32_t i = 0; i < options.queues * options.depth; ++i)
      free_.push_back(&slots_.emplace_back(this));
    in_queue_.resize(options.queues);
    most_in_queue_.resize(options.queues);
  }

  Bytes capacity() const override { return options_.capacity; }
  Bytes lba_size() const override { return options_.lba_size; }
  Bytes mdts() const override { return options_.mdts; }
  uint32_t queue_count() const override { return options_.queues; }
  uint32_t queue_depth() const override { return options_.depth; }
  uint32_t room(QueueId q) const override { return options_.depth - in_queue_[q.value()]; }
  void set_interrupt_latency(Duration latency) override { interrupt_latency_ = latency; }
  void set_read_ahead(bool on) override {
    if (read_ahead.empty() || read_ahead.back() != on) read_ahead.push_back(on);
  }
  uint32_t outstanding() const override { return outstanding_; }
  void set_ambient(int64_t millidegrees) override {
    ambient_ = millidegrees;
    ambients.push_back({sim_.now(), millidegrees});
  }
  int64_t ambient() const override { return ambient_; }
  void rest_unpowered(Duration span, int64_t millidegrees) override {
    SIM_ASSERT(outstanding_ == 0, "power off with commands outstanding");
    rests.push_back({span, millidegrees});
  }
  void set_preconditioning(bool on) override { preconditioning = on; }

  void submit(Command& command, Time at) override {
    SIM_ASSERT(room(command.queue) > 0, "queue {} is full", command.queue.value());
    SIM_ASSERT(at >= sim_.now(), "doorbell in the past");
    check_range(command);
    if (options_.keep_log)
      log.push_back(
          {command.opcode, command.queue.value(), command.lba.value(), command.blocks, at});
    command.submitted = at;
    uint32_t& depth = in_queue_[command.queue.value()];
    most_in_queue_[command.queue.value()] =
        std::max(most_in_queue_[command.queue.value()], ++depth);
    most_outstanding = std::max(most_outstanding, ++outstanding_);
    Slot* slot = free_.back();
    free_.pop_back();
    slot->command = &command;
    sim_.schedule(*slot, at + options_.latency + interrupt_latency_);
  }

  uint32_t most_in_queue(size_t q) const { return most_in_queue_[q]; }
  Duration interrupt_latency() const { return interrupt_latency_; }

  std::vector<Entry> log;
  std::vector<std::pair<Time, int64_t>> ambients;
  std::vector<std::pair<Duration, int64_t>> rests;
  bool preconditioning = false;
  uint32_t most_outstanding = 0;
  uint64_t completed = 0;
  std::vector<bool> read_ahead{true};  // what it was set to, in order of change

 private:
  struct Slot final : Event {
    explicit Slot(FakeHost* host_in) : Event(Phase::kHost), host(host_in) {}
    void fire() override { host->complete(*this); }
    FakeHost* host;
    Command* command = nullptr;
  };

  void check_range(const Command& c) const {
    if (c.opcode == Opcode::kFlush || c.opcode == Opcode::kFormat) return;
    const uint64_t bytes = c.blocks * options_.lba_size.count();
    SIM_ASSERT(c.blocks > 0, "empty command");
    SIM_ASSERT(c.lba.value() * options_.lba_size.count() + bytes <= options_.capacity.count(),
               "command past the end");
    SIM_ASSERT(c.opcode == Opcode::kDeallocate || bytes <= options_.mdts.count(),
               "command beyond MDTS");
  }

  void complete(Slot& slot) {
    Command& command = *slot.command;
    free_.push_back(&slot);
    --in_queue_[command.queue.value()];
    --outstanding_;
    ++completed;
    command.completed = sim_.now();
    const uint64_t first = command.lba.value();
    if (options_.bad_lba && *options_.bad_lba >= first &&
        *options_.bad_lba < first + command.blocks)
      command.status = Status::kUnrecoveredRead;
    command.sink->on_completion(command);
  }

  Simulator& sim_;
  Options options_;
  std::deque<Slot> slots_;
  std::vector<Slot*> free_;
  std::vector<uint32_t> in_queue_;
  std::vector<uint32_t> most_in_queue_;
  uint32_t outstanding_ = 0;
  Duration interrupt_latency_;
  int64_t ambient_ = 25'000;
};

}  // namespace ftlsim
