// Decisions of the die policies on hand-made states, and what they do to a loaded drive.
#include "ftl/sched/die_policy.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <vector>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

constexpr int64_t kNone = -1;

// Arrival times of the oldest of each class in microseconds.
DieView view_of(int64_t host_read, int64_t other_read, int64_t write) {
  DieView v;
  const int64_t since[kDieClasses] = {host_read, other_read, write};
  for (size_t c = 0; c < kDieClasses; ++c) {
    v.waiting[c] = since[c] != kNone;
    if (v.waiting[c]) v.since[c] = Time::at_ns(since[c] * 1000);
  }
  return v;
}

std::unique_ptr<DiePolicy> policy(std::string_view name) {
  return PolicyChoice<DiePolicyFamily>(die_policies(), name).make({1});
}

// A closed loop of one opcode that notes the latency of every command after a warm-up.
class Loop final : public CompletionSink {
 public:
  Loop(Simulator& sim, HostInterface& host, Opcode opcode, uint32_t depth, uint32_t span)
      : sim_(sim), host_(host), commands_(depth), span_(span), rng_(7, "test/loop") {
    for (Command& c : commands_) {
      c.opcode = opcode;
      c.blocks = 8;
      c.sink = this;
      submit(c);
    }
  }
  void on_completion(Command& c) override {
    if (stopped_) return;
    latencies.push_back((sim_.now() - c.submitted).to_ns());
    submit(c);
  }
  void stop() { stopped_ = true; }
  int64_t p99() {
    std::sort(latencies.begin(), latencies.end());
    return latencies[latencies.size() * 99 / 100];
  }
  std::vector<int64_t> latencies;

 private:
  void submit(Command& c) {
    c.lba = Lba(rng_.below(span_) * 8);
    host_.submit(c, sim_.now());
  }
  Simulator& sim_;
  HostInterface& host_;
  std::vector<Command> commands_;
  uint32_t span_;
  Rng rng_;
  bool stopped_ = false;
};

// 99th percentile of random reads at depth 2 beside random writes at depth 32, in nanoseconds.
int64_t read_p99(std::string_view name) {
  DriveConfig c = tiny_drive();
  c.sched.policy.select(name);
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 32);
  SequentialSource fill(Opcode::kWrite, c.user_slots(), 8);
  host.run(fill, c.user_slots() / 8);
  Loop writes(sim, device.host(), Opcode::kWrite, 32, c.user_slots());
  Loop reads(sim, device.host(), Opcode::kRead, 2, c.user_slots());
  sim.run_until(sim.now() + Duration::ms(400));
  writes.stop();
  reads.stop();
  sim.run_until(sim.now() + Duration::s(1));
  return reads.p99();
}

}  // namespace

TEST_CASE("fifo serves the oldest of all classes") {
  const auto fifo = policy("fifo");
  CHECK(fifo->first(view_of(5, 4, 3)) == DieClass::kWrite);
  CHECK(fifo->first(view_of(5, 4, 6)) == DieClass::kOtherRead);
  CHECK(fifo->first(view_of(2, 4, 3)) == DieClass::kHostRead);
  CHECK(fifo->first(view_of(9, kNone, kNone)) == DieClass::kHostRead);
  CHECK(!fifo->suspends());
}

TEST_CASE("read first serves host reads, other reads, writes, whatever their age") {
  for (const std::string_view name : {"read_first", "read_first_suspend"}) {
    const auto p = policy(name);
    CHECK(p->first(view_of(9, 4, 3)) == DieClass::kHostRead);
    CHECK(p->first(view_of(kNone, 4, 3)) == DieClass::kOtherRead);
    CHECK(p->first(view_of(kNone, kNone, 3)) == DieClass::kWrite);
    CHECK(p->suspends() == (name == "read_first_suspend"));
  }
}

TEST_CASE("weighted gives die time by weight to classes that always have work") {
  Diagnostics d;
  const std::string yaml = "policy: weighted\nweighted: {host_read: 6, other_read: 1, write: 3}\n";
  SchedConfig sched;
  REQUIRE(load_config_text(yaml, "sched.yaml", {}, sched, d));
  const auto p = sched.policy.make({1});
  const int64_t cost_us[kDieClasses] = {40, 55, 400};
  int64_t served[kDieClasses] = {0, 0, 0};
  int64_t total = 0;
  const DieView view = view_of(1, 1, 1);
  while (total < 10'000'000) {
    const DieClass c = p->first(view);
    const int64_t cost = cost_us[static_cast<size_t>(c)];
    p->started(0, c, Duration::us(cost));
    served[static_cast<size_t>(c)] += cost;
    total += cost;
  }
  for (const auto& [i, share] : {std::pair<size_t, int64_t>{0, 6}, {1, 1}, {2, 3}})
    CHECK(std::abs(served[i] * 10 - total * share) < 10 * 800);  // two of the longest operations
}

TEST_CASE("weighted: a class without work saves nothing up") {
  SchedConfig sched;
  sched.policy.select("weighted");
  const auto p = sched.policy.make({1});
  for (int i = 0; i < 1000; ++i) {
    CHECK(p->first(view_of(1, kNone, kNone)) == DieClass::kHostRead);
    p->started(0, DieClass::kHostRead, Duration::us(40));
  }
  // 40 ms later a write comes: it may go first once, not for 40 ms.
  uint32_t in_a_row = 0;
  while (p->first(view_of(1, kNone, 1)) == DieClass::kWrite && in_a_row < 100) {
    p->started(0, DieClass::kWrite, Duration::us(400));
    ++in_a_row;
  }
  CHECK(in_a_row <= 2);
}

TEST_CASE("reads before writes cut the read latency under writes, suspend cuts it further") {
  const int64_t fifo = read_p99("fifo");
  const int64_t first = read_p99("read_first");
  const int64_t suspend = read_p99("read_first_suspend");
  CHECK(first < fifo);
  CHECK(suspend < first);
  // Without suspend a read may wait for a whole program; with it only for the suspension and for
  // other reads.
  CHECK(suspend < tiny_drive().nand.timing.program.to_ns());
}

}  // namespace ftlsim::test
