// A host for tests: applies a list of steps to a drive at a queue depth, checks every read against
// the version model, and throws when a command does not complete within a bound of simulated time.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ftl/check.h"
#include "ftl/device.h"
#include "sim/simulator.h"
#include "tests/support/version_model.h"

namespace ftlsim::test {

struct Step {
  enum class Kind : uint8_t { kRead, kWrite, kTrim, kFlush, kIdle, kFormat };
  Kind kind = Kind::kRead;
  bool fua = false;
  uint32_t blocks = 0;
  uint64_t lba = 0;
  Duration idle;
};

class TokenHost : public CompletionSink {
 public:
  // `check_every`: invariants are checked after so many completed commands, 0: never.
  TokenHost(Simulator& sim, Device& device, uint32_t depth, uint32_t check_every)
      : sim_(sim),
        device_(device),
        host_(device.host()),
        per_unit_(static_cast<uint32_t>(kSlotBytes / host_.lba_size().count())),
        model_(static_cast<uint32_t>(host_.capacity().count() / kSlotBytes)),
        check_every_(check_every) {
    for (uint32_t i = 0; i < depth; ++i) {
      all_.push_back(std::make_unique<Tagged>());
      all_.back()->sink = this;
      all_.back()->data.resize(host_.mdts().count() / kSlotBytes + 1);
      free_.push_back(all_.back().get());
    }
  }

  VersionModel& model() { return model_; }
  uint64_t units_checked() const { return units_checked_; }
  uint64_t completed() const { return completed_; }
  // From now on commands may end with Unrecovered Read Error; what they read is not checked.
  void expect_unrecovered() { unrecovered_allowed_ = true; }
  uint64_t unrecovered() const { return unrecovered_; }
  // A command that takes longer than this is stuck.
  void set_patience(Duration d) { patience_ = d; }

  void run(const std::vector<Step>& steps) {
    for (const Step& step : steps) apply(step);
    drain();
  }

  void apply(const Step& step) {
    if (step.kind == Step::Kind::kIdle) {
      drain();
      sim_.run_until(sim_.now() + step.idle);
      return;
    }
    const bool format = step.kind == Step::Kind::kFormat;
    if (format) drain();
    while (free_.empty()) wait_one();
    submit(step);
    if (format) {
      drain();
      model_.clear();
    }
  }

  // Whole 4 KiB units; returns when the command is complete.
  void write(uint32_t unit, uint32_t units = 1, bool fua = false) {
    apply({Step::Kind::kWrite, fua, units * per_unit_, uint64_t{unit} * per_unit_, {}});
    drain();
  }
  void read(uint32_t unit, uint32_t units = 1) {
    apply({Step::Kind::kRead, false, units * per_unit_, uint64_t{unit} * per_unit_, {}});
    drain();
  }
  void flush() {
    apply({Step::Kind::kFlush, false, 0, 0, {}});
    drain();
  }

  // Waits for all commands.
  void drain() {
    while (free_.size() != all_.size()) wait_one();
  }

  // Reads the whole drive and compares.
  void verify_all() {
    const auto most = static_cast<uint32_t>(host_.mdts().count() / kSlotBytes);
    for (uint32_t unit = 0; unit < model_.size(); unit += most) {
      const uint32_t n = std::min(most, model_.size() - unit);
      apply({Step::Kind::kRead, false, n * per_unit_, uint64_t{unit} * per_unit_, {}});
    }
    drain();
  }

  void check_now() {
    std::vector<std::string> faults = check_invariants(device_.firmware());
    if (free_.size() == all_.size())
      for (std::string& s : check_host_balance(device_.firmware())) faults.push_back(std::move(s));
    if (!faults.empty())
      throw std::runtime_error(fmt::format("at {} ns: {}", sim_.now().to_ns(), faults.front()));
  }

  void on_completion(Command& command) override {
    auto& tagged = static_cast<Tagged&>(command);
    tagged.busy = false;
    ++completed_;
    const bool lost = command.status == Status::kUnrecoveredRead && unrecovered_allowed_;
    unrecovered_ += lost;
    if (command.status != Status::kSuccess && !lost && error_.empty())
      error_ =
          fmt::format("command at block {} + {} was refused", command.lba.value(), command.blocks);
    if (command.opcode == Opcode::kRead && !lost) check_read(tagged);
    // A write that failed stays possible beside what was there: its tokens are in no unit.
    if ((command.opcode == Opcode::kWrite && !lost) || command.opcode == Opcode::kDeallocate)
      for (uint32_t i = 0; i < tagged.units; ++i)
        model_.end(tagged.first + i, tagged.number, sim_.now(), oldest());
    free_.push_back(&tagged);
    sim_.stop();
  }

 private:
  struct Tagged : Command {
    std::vector<uint64_t> data;
    uint32_t first = 0;  // units that change, or are read
    uint32_t units = 0;
    uint64_t number = 0;
    bool busy = false;
    uint64_t token(uint32_t i) const { return opcode == Opcode::kWrite ? data[i] : 0; }
  };

  void submit(const Step& step) {
    Tagged& c = *free_.back();
    free_.pop_back();
    constexpr Opcode kOpcodes[] = {Opcode::kRead,  Opcode::kWrite, Opcode::kDeallocate,
                                   Opcode::kFlush, Opcode::kFlush, Opcode::kFormat};
    static_assert(static_cast<size_t>(Step::Kind::kFormat) == 5);
    c.opcode = kOpcodes[static_cast<size_t>(step.kind)];
    c.fua = step.fua;
    c.lba = Lba(step.lba);
    c.blocks = step.blocks;
    c.number = ++submitted_;
    c.queue = QueueId(static_cast<uint16_t>(submitted_ % host_.queue_count()));
    c.tokens = c.data.data();
    c.busy = true;
    const uint64_t end = step.lba + step.blocks;
    const bool trim = c.opcode == Opcode::kDeallocate;
    const uint64_t lo = (step.lba + (trim ? per_unit_ - 1 : 0)) / per_unit_;
    const uint64_t hi = (end + (trim ? 0 : per_unit_ - 1)) / per_unit_;
    c.first = static_cast<uint32_t>(lo);
    c.units = hi > lo ? static_cast<uint32_t>(hi - lo) : 0;
    if (c.opcode == Opcode::kWrite)
      for (uint32_t i = 0; i < c.units; ++i) c.data[i] = ++last_token_;
    if (c.opcode == Opcode::kRead) std::fill(c.data.begin(), c.data.end(), kUnread);
    if (c.opcode == Opcode::kWrite || trim)
      for (uint32_t i = 0; i < c.units; ++i)
        model_.begin(c.first + i, c.token(i), c.number, sim_.now());
    host_.submit(c, sim_.now());
  }

  void wait_one() {
    const Time limit = oldest() + patience_;
    const uint64_t before = completed_;
    sim_.run_until(max(limit, sim_.now()));
    if (!error_.empty()) throw std::runtime_error(error_);
    if (completed_ == before) throw std::runtime_error(stuck());
    if (check_every_ != 0 && completed_ >= next_check_) {
      check_now();
      next_check_ = completed_ + check_every_;
    }
  }

  Time oldest() const {
    Time least = sim_.now();
    for (const auto& c : all_)
      if (c->busy) least = min(least, c->submitted);
    return least;
  }

  void check_read(const Tagged& c) {
    for (uint32_t i = 0; i < c.units && error_.empty(); ++i) {
      ++units_checked_;
      if (model_.allows(c.first + i, c.data[i], c.submitted)) continue;
      error_ = fmt::format("at {} ns: unit {} reads version {}, but {} was written last",
                           sim_.now().to_ns(), c.first + i, c.data[i], model_.newest(c.first + i));
    }
  }

  std::string stuck() const {
    const Firmware& f = device_.firmware();
    const SuperblockTable& t = f.superblocks();
    std::string commands;
    for (const auto& c : all_)
      if (c->busy)
        commands +=
            fmt::format(" {}@{}+{}", static_cast<int>(c->opcode), c->lba.value(), c->blocks);
    return fmt::format(
        "stuck at {} ns: {} of {} commands outstanding, buffer used {}, free {} open {} filled {} "
        "closed {} victim {}, forced {} idle {}, slc used {} limit {} exhausted {}, host units in "
        "flight {}, partial host {} relocation {}, operations quiescent {}, opcodes{}",
        sim_.now().to_ns(), all_.size() - free_.size(), all_.size(), f.writer().used(),
        f.space().free_count(), t.count(SuperblockState::kOpen), t.count(SuperblockState::kFilled),
        t.count(SuperblockState::kClosed), t.count(SuperblockState::kVictim), f.reclaim().forced(),
        f.reclaim().idle(), f.slc().used_slots(), f.slc().limit_slots(), f.slc().exhausted(),
        f.engine().host_units_in_flight(), f.engine().has_partial_host(),
        f.engine().has_partial_relocation(), f.quiescent(), commands);
  }

  static constexpr uint64_t kUnread = UINT64_MAX;

  Simulator& sim_;
  Device& device_;
  HostInterface& host_;
  uint32_t per_unit_;
  VersionModel model_;
  uint32_t check_every_;
  uint64_t next_check_ = 0;
  uint64_t submitted_ = 0;
  uint64_t completed_ = 0;
  uint64_t units_checked_ = 0;
  uint64_t last_token_ = 0;
  uint64_t unrecovered_ = 0;
  bool unrecovered_allowed_ = false;
  Duration patience_ = Duration::s(10);
  std::string error_;
  std::vector<std::unique_ptr<Tagged>> all_;
  std::vector<Tagged*> free_;
};

}  // namespace ftlsim::test
