// A closed-loop host without checks: keeps `depth` commands outstanding as fast as the drive
// allows. For rates and write amplification; see token_host.h for content.
#pragma once

#include <memory>
#include <vector>

#include "ftl/host/host_interface.h"
#include "sim/assert.h"
#include "sim/rng.h"
#include "sim/simulator.h"

namespace ftlsim::test {

struct Access {
  Opcode opcode = Opcode::kRead;
  uint32_t unit = 0;
  uint32_t units = 1;
};

// Where the next command goes.
class AccessSource {
 public:
  virtual ~AccessSource() = default;
  virtual Access next() = 0;
};

class LoadHost : public CompletionSink {
 public:
  LoadHost(Simulator& sim, HostInterface& host, uint32_t depth)
      : sim_(sim),
        host_(host),
        per_unit_(static_cast<uint32_t>(4096 / host.lba_size().count())),
        commands_(std::make_unique<Command[]>(depth)),
        depth_(depth) {}

  // Runs `n` commands to their completion. Allocates nothing.
  void run(AccessSource& source, uint64_t n) {
    source_ = &source;
    to_submit_ = n;
    outstanding_ = 0;
    for (uint32_t i = 0; i < depth_ && to_submit_ != 0; ++i) submit(commands_[i]);
    while (outstanding_ != 0) {
      const Time before = sim_.now();
      sim_.run_until(before + Duration::s(10));
      SIM_ASSERT(outstanding_ == 0 || last_ >= before, "commands are stuck at {} ns",
                 before.to_ns());
    }
  }

  // Commands completed and the time of the last completion.
  uint64_t completed() const { return completed_; }
  Time last_completion() const { return last_; }
  // Command-time pairs are noted every so many completions for rates in a steady state.
  void mark_every(uint64_t n) {
    mark_ = n;
    marks_.clear();
    marks_.reserve(4096);
  }
  // Commands per second between the marks at a quarter and at three quarters of the run.
  double steady_rate() const {
    SIM_ASSERT(marks_.size() >= 8, "{} marks are too few", marks_.size());
    const size_t a = marks_.size() / 4;
    const size_t b = marks_.size() * 3 / 4;
    const auto ns = static_cast<double>((marks_[b] - marks_[a]).to_ns());
    return static_cast<double>((b - a) * mark_) * 1e9 / ns;
  }

  void on_completion(Command& command) override {
    SIM_ASSERT(command.status == Status::kSuccess, "a command was refused");
    --outstanding_;
    ++completed_;
    last_ = sim_.now();
    if (mark_ != 0 && completed_ % mark_ == 0) marks_.push_back(last_);
    if (to_submit_ != 0)
      submit(command);
    else if (outstanding_ == 0)
      sim_.stop();
  }

 private:
  void submit(Command& c) {
    const Access a = source_->next();
    c.opcode = a.opcode;
    c.lba = Lba(uint64_t{a.unit} * per_unit_);
    c.blocks = a.units * per_unit_;
    c.sink = this;
    --to_submit_;
    ++outstanding_;
    host_.submit(c, sim_.now());
  }

  Simulator& sim_;
  HostInterface& host_;
  uint32_t per_unit_;
  std::unique_ptr<Command[]> commands_;
  uint32_t depth_;
  AccessSource* source_ = nullptr;
  uint64_t to_submit_ = 0;
  uint32_t outstanding_ = 0;
  uint64_t completed_ = 0;
  uint64_t mark_ = 0;
  std::vector<Time> marks_;
  Time last_;
};

// Equal, aligned pieces of a span, one after the other, wrapping around.
class SequentialSource final : public AccessSource {
 public:
  SequentialSource(Opcode opcode, uint32_t span, uint32_t units)
      : opcode_(opcode), span_(span - span % units), units_(units) {}
  Access next() override {
    const Access a{opcode_, at_, units_};
    at_ = at_ + units_ >= span_ ? 0 : at_ + units_;
    return a;
  }

 private:
  Opcode opcode_;
  uint32_t span_;
  uint32_t units_;
  uint32_t at_ = 0;
};

// Equal, aligned pieces of a span at random.
class RandomSource final : public AccessSource {
 public:
  RandomSource(Opcode opcode, uint32_t span, uint32_t units, Rng rng)
      : opcode_(opcode), pieces_(span / units), units_(units), rng_(rng) {}
  Access next() override {
    return {opcode_, static_cast<uint32_t>(rng_.below(pieces_)) * units_, units_};
  }

 private:
  Opcode opcode_;
  uint32_t pieces_;
  uint32_t units_;
  Rng rng_;
};

}  // namespace ftlsim::test
