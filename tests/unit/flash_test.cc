// Timing of single array operations in the form "not done one nanosecond earlier, done then", with
// the switches of the die: cache read, cache program, independent planes, suspend and resume.
#include "nand/flash.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace ftlsim {
namespace {

constexpr SuperblockId kSb{0};
constexpr DieId kDie{0};

// A die with a listener that schedules nothing, and a note of what ended when.
class Bench final : public DieListener, public OperationSink {
 public:
  explicit Bench(const NandConfig& config)
      : sim(1), media(config.geometry, 1), flash(sim, config, media), spare_(128, 0) {
    flash.set_listener(*this);
  }
  void die_ready(DieId) override {}
  void power_released(DieId) override { ++released; }
  void read_again(Operation& op) override { flash.start_read(op); }
  void operation_ended() override {}
  void operation_done(Operation& op) override { done.push_back(&op); }

  void set(Operation& op, OpKind kind, uint32_t row, uint8_t planes, uint16_t slots) {
    op.kind = kind;
    op.mode = CellMode::kTlc;
    op.die = kDie;
    op.superblock = kSb;
    op.row = static_cast<uint16_t>(row);
    op.plane_mask = planes;
    op.slots = slots;
    op.sink = this;
    op.spare = spare_.data();
  }
  // The operation ends exactly `after` from now.
  void expect_done(const Operation& op, Duration after) {
    const Time end = sim.now() + after;
    sim.run_until(end - Duration::ns(1));
    CHECK(std::find(done.begin(), done.end(), &op) == done.end());
    sim.run_until(end);
    CHECK(std::find(done.begin(), done.end(), &op) != done.end());
  }
  // Long enough for everything to end.
  void settle() { sim.run_until(sim.now() + Duration::s(1)); }
  // Erases the superblock and programs `rows` rows.
  void prepare(uint32_t rows) {
    Operation erase;
    set(erase, OpKind::kErase, 0, 3, 0);
    flash.start_erase(erase);
    settle();
    for (uint32_t row = 0; row < rows; ++row) {
      Operation program;
      set(program, OpKind::kProgram, row, 3, 24);
      flash.load_program(program);
      settle();
      flash.start_program(kDie);
      settle();
    }
    done.clear();
    released = 0;
  }

  Simulator sim;
  Media media;
  Flash flash;
  std::vector<Operation*> done;
  int released = 0;

 private:
  std::vector<uint32_t> spare_;
};

NandConfig die() {
  NandConfig c;
  c.geometry.channels = c.geometry.dies_per_channel = 1;
  c.geometry.planes = 2;
  c.geometry.blocks_per_plane = 8;
  c.geometry.word_lines = 8;
  c.geometry.strings = 1;
  c.geometry.factory_bad_blocks = 0;
  c.timing.read_slot = Duration::us(40);
  return c;
}

constexpr Duration bus(uint32_t slots) {  // 300 ns and 2.56 us per slot at 1600 MT/s
  return Duration::ns(300 + int64_t{slots} * 2560);
}

}  // namespace

TEST_CASE("a read takes sense and transfer") {
  Bench b(die());
  b.prepare(1);
  Operation page, slot;
  b.set(page, OpKind::kRead, 0, 3, 8);
  b.flash.start_read(page);
  CHECK_THROWS_AS(b.flash.start_read(page), std::logic_error);  // planes are taken
  b.expect_done(page, Duration::us(50) + bus(8));
  b.set(slot, OpKind::kRead, 0, 1, 1);
  b.flash.start_read(slot);
  b.expect_done(slot, Duration::us(40) + bus(1));
}

TEST_CASE("a program takes load and array time, an erase its own") {
  Bench b(die());
  b.prepare(0);
  Operation program, erase;
  b.set(program, OpKind::kProgram, 0, 3, 24);
  b.flash.load_program(program);
  b.sim.run_until(b.sim.now() + bus(24) - Duration::ns(1));
  CHECK(b.flash.loaded(kDie) == nullptr);
  b.sim.run_until(b.sim.now() + Duration::ns(1));
  REQUIRE(b.flash.loaded(kDie) == &program);
  b.flash.start_program(kDie);
  CHECK(b.flash.free_planes(kDie) == 0);
  CHECK(!b.flash.array_free(kDie));
  b.expect_done(program, Duration::us(1170));
  CHECK(b.released == 1);
  b.set(erase, OpKind::kErase, 0, 3, 0);
  b.flash.start_erase(erase);
  b.expect_done(erase, Duration::ms(5));
}

TEST_CASE("suspend gives the planes free after its time, resume adds to what remains") {
  Bench b(die());
  b.prepare(1);
  Operation program, read;
  b.set(program, OpKind::kProgram, 1, 3, 24);
  b.flash.load_program(program);
  b.settle();
  b.flash.start_program(kDie);
  b.sim.run_until(b.sim.now() + Duration::us(100));
  REQUIRE(b.flash.can_suspend(kDie));
  b.flash.suspend(kDie);
  b.sim.run_until(b.sim.now() + Duration::us(20) - Duration::ns(1));
  CHECK(b.flash.free_planes(kDie) == 0);
  CHECK(b.released == 0);
  b.sim.run_until(b.sim.now() + Duration::ns(1));
  CHECK(b.flash.free_planes(kDie) == 3);
  CHECK(b.released == 1);  // the power credit
  b.set(read, OpKind::kRead, 0, 3, 8);
  b.flash.start_read(read);
  CHECK(!b.flash.can_resume(kDie));
  b.expect_done(read, Duration::us(50) + bus(8));
  REQUIRE(b.flash.can_resume(kDie));
  b.flash.resume(kDie);
  b.expect_done(program, Duration::us(20 + 1170 - 100));
}

TEST_CASE("an operation is suspended at most so often, and not just before its end") {
  NandConfig c = die();
  c.timing.max_suspends = 2;
  Bench b(c);
  b.prepare(0);
  Operation program;
  b.set(program, OpKind::kProgram, 0, 3, 24);
  b.flash.load_program(program);
  b.settle();
  b.flash.start_program(kDie);
  for (int i = 0; i < 2; ++i) {
    REQUIRE(b.flash.can_suspend(kDie));
    b.flash.suspend(kDie);
    CHECK(!b.flash.can_suspend(kDie));
    b.settle();
    b.flash.resume(kDie);
  }
  CHECK(!b.flash.can_suspend(kDie));
  b.settle();
  b.done.clear();
  Operation next;
  b.set(next, OpKind::kProgram, 1, 3, 24);
  b.flash.load_program(next);
  b.settle();
  b.flash.start_program(kDie);
  b.sim.run_until(b.sim.now() + Duration::us(1170 - 40) - Duration::ns(1));
  CHECK(b.flash.can_suspend(kDie));
  b.sim.run_until(b.sim.now() + Duration::ns(1));
  CHECK(!b.flash.can_suspend(kDie));
  b.settle();
}

TEST_CASE("cache read frees the planes when the sense is done, else when the data are out") {
  for (const bool cache : {true, false}) {
    NandConfig c = die();
    c.timing.cache_read = cache;
    Bench b(c);
    b.prepare(1);
    Operation first, second;
    b.set(first, OpKind::kRead, 0, 3, 8);
    b.flash.start_read(first);
    b.sim.run_until(b.sim.now() + Duration::us(50));
    CHECK(b.flash.free_planes(kDie) == (cache ? 3 : 0));
    if (cache) {
      // The second sense is done long before its output register: it waits, then moves.
      b.set(second, OpKind::kRead, 0, 3, 8);
      b.flash.start_read(second);
      b.expect_done(second, Duration::us(50) + bus(8));
      CHECK(b.done.front() == &first);
    } else {
      b.expect_done(first, bus(8));
      CHECK(b.flash.free_planes(kDie) == 3);
    }
  }
}

TEST_CASE("cache program loads during the array time") {
  for (const bool cache : {true, false}) {
    NandConfig c = die();
    c.timing.cache_program = cache;
    Bench b(c);
    b.prepare(0);
    Operation first;
    b.set(first, OpKind::kProgram, 0, 3, 24);
    b.flash.load_program(first);
    CHECK(!b.flash.can_load(kDie));
    b.settle();
    b.flash.start_program(kDie);
    CHECK(b.flash.can_load(kDie) == cache);
    b.settle();
    CHECK(b.flash.can_load(kDie));
  }
}

TEST_CASE("planes that are not independent sense the same row at the same time only") {
  for (const bool independent : {true, false}) {
    NandConfig c = die();
    c.timing.independent_plane_reads = independent;
    Bench b(c);
    b.prepare(2);
    Operation left, same, other;
    b.set(left, OpKind::kRead, 0, 1, 1);
    b.set(same, OpKind::kRead, 0, 2, 1);
    b.set(other, OpKind::kRead, 1, 2, 1);
    b.flash.start_read(left);
    CHECK(b.flash.can_sense(same));
    CHECK(b.flash.can_sense(other) == independent);
    b.sim.run_until(b.sim.now() + Duration::ns(1));
    CHECK(b.flash.can_sense(same) == independent);
    b.settle();
  }
}

}  // namespace ftlsim
