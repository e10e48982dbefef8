// Requests for relocation: the queue, and a whole drive that empties what it is asked to.
#include <doctest/doctest.h>

#include "tests/support/closed_superblocks.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"
#include "tests/support/token_host.h"

namespace ftlsim::test {
namespace {

// The first closed superblock of a mode that is wholly valid.
SuperblockId wholly_valid(const Firmware& f, CellMode mode) {
  const SuperblockTable& t = f.superblocks();
  for (uint32_t s = 0; s < t.size(); ++s) {
    const SuperblockId sb(s);
    if (t[sb].state == SuperblockState::kClosed && t[sb].mode == mode &&
        t.valid(sb) == t.usable(sb, mode))
      return sb;
  }
  return SuperblockId::invalid();
}

uint64_t copies(const Firmware& f, Cause cause) { return f.stats().programmed_by(cause); }

}  // namespace

TEST_CASE("the queue of requests") {
  ClosedSuperblocks p(100);
  RelocationQueue queue;
  const SuperblockId a = p.close_tlc(1);
  const SuperblockId b = p.close_tlc(2);
  const SuperblockId c = p.close_tlc(3);
  const SuperblockId open = p.open(CellMode::kTlc);
  CHECK(queue.empty());
  CHECK(queue.add(p.table, {a, Cause::kWear, 5, false}));
  CHECK(!queue.add(p.table, {a, Cause::kRefresh, 0, true}));  // once is enough
  CHECK(!queue.add(p.table, {open, Cause::kWear, 0, false}));
  CHECK(queue.add(p.table, {b, Cause::kRefresh, 0, false}));
  CHECK(!queue.take(p.table, true).superblock.valid());
  CHECK(queue.add(p.table, {c, Cause::kRefresh, 0, true}));
  CHECK(queue.take(p.table, true).superblock == c);
  // A superblock that reclaim took meanwhile is forgotten.
  p.table.set_state(a, SuperblockState::kVictim);
  CHECK(queue.take(p.table, false).superblock == b);
  CHECK(queue.empty());
  // One of a former life may be asked for again.
  const SuperblockId d = p.close_tlc(0);
  CHECK(queue.add(p.table, {d, Cause::kWear, 0, false}));
  p.table.set_state(d, SuperblockState::kFree);
  --p.next;
  CHECK(p.close_tlc(0) == d);
  CHECK(queue.add(p.table, {d, Cause::kRefresh, 9, false}));
  CHECK(queue.take(p.table, false).rate == 9);
  CHECK(queue.empty());
  for (uint32_t i = 0; i < RelocationQueue::kCapacity; ++i)
    CHECK(queue.add(p.table, {p.close_tlc(1), Cause::kWear, 0, false}));
  CHECK(!queue.add(p.table, {p.close_tlc(1), Cause::kWear, 0, false}));
  queue.reset();
  CHECK(queue.empty());
}

TEST_CASE("a wholly valid superblock is emptied on request, its copies counted under the cause") {
  for (const bool slc : {false, true}) {
    CAPTURE(slc);
    DriveConfig c = tiny_drive();
    if (slc) use_slc(c);
    c.slc.fold.idle_delay = Duration::s(100);
    c.slc.fold.paced = false;
    REQUIRE(fit_capacity(c, 1, 0));
    REQUIRE(problems(c, 1).empty());
    Simulator sim(1);
    Device device(sim, c, "drive", true);
    TokenHost host(sim, device, 4, 50);
    const uint32_t written = c.user_slots() / 8;  // far from forced reclaim
    for (uint32_t u = 0; u < written; u += 16) host.write(u, std::min(16u, written - u));
    Firmware& f = device.firmware();
    const SuperblockId sb = wholly_valid(f, slc ? CellMode::kSlc : CellMode::kTlc);
    REQUIRE(sb.valid());
    const uint32_t valid = f.superblocks().valid(sb);
    const uint64_t before = copies(f, Cause::kFold) + copies(f, Cause::kGc);
    REQUIRE(f.request_relocation({sb, Cause::kRefresh, 0, false}));
    CHECK(!f.request_relocation({sb, Cause::kRefresh, 0, false}));
    sim.run_until(sim.now() + Duration::s(1));
    CHECK(f.superblocks()[sb].state == SuperblockState::kFree);
    CHECK(copies(f, Cause::kRefresh) == valid);
    CHECK(f.relocator().moved(Cause::kRefresh) == valid);
    CHECK(copies(f, Cause::kFold) + copies(f, Cause::kGc) == before);
    host.check_now();
    host.verify_all();
    // Data go where collected or folded data go: to TLC.
    for (uint32_t u = 0; u < written; ++u) {
      const Ppn ppn = f.map().lookup(Lpn(u), 1).ppn;
      CHECK(f.media().layout().superblock_of(ppn) != sb);
    }
  }
}

TEST_CASE("a request is read at its rate") {
  DriveConfig c = tiny_drive();
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 8);
  SequentialSource fill(Opcode::kWrite, c.user_slots(), 16);
  host.run(fill, c.user_slots() / 32);
  Firmware& f = device.firmware();
  const SuperblockId sb = wholly_valid(f, CellMode::kTlc);
  REQUIRE(sb.valid());
  const uint64_t bytes = uint64_t{f.superblocks().valid(sb)} * kSlotBytes;
  constexpr uint64_t kRate = 10'000'000;
  const Time start = sim.now();
  REQUIRE(f.request_relocation({sb, Cause::kRefresh, kRate, false}));
  const Duration expected = Duration::ns(static_cast<int64_t>(bytes * 1'000'000'000 / kRate));
  sim.run_until(start + expected / 2);
  CHECK(f.superblocks()[sb].state == SuperblockState::kVictim);
  const uint64_t half = f.relocator().moved(Cause::kRefresh) * kSlotBytes;
  CHECK(half > bytes * 4 / 10);
  CHECK(half < bytes * 6 / 10);
  sim.run_until(start + expected + Duration::ms(20));
  CHECK(f.superblocks()[sb].state == SuperblockState::kFree);
}

// Asks for wholly valid superblocks all the time while the host overwrites a full drive.
TEST_CASE("requests give way to forced reclaim and everything stays right") {
  for (const bool urgent : {false, true}) {
    CAPTURE(urgent);
    DriveConfig c = tiny_drive();
    c.nand.geometry.blocks_per_plane = 40;
    c.gc.low_watermark = 5;
    c.gc.high_watermark = 6;
    REQUIRE(fit_capacity(c, 1, 0));
    Simulator sim(1);
    Device device(sim, c, "drive", true);
    TokenHost host(sim, device, 8, 100);
    Firmware& f = device.firmware();
    Rng rng(1, "test/requests");
    const uint32_t user = c.user_slots();
    for (uint32_t u = 0; u < user; ++u) host.apply({Step::Kind::kWrite, false, 1, u, {}});
    for (uint32_t i = 0; i < 3 * user; ++i) {
      host.apply({Step::Kind::kWrite, false, 1, rng.below(user), {}});
      if (i % 200 == 0)
        f.request_relocation({wholly_valid(f, CellMode::kTlc).valid()
                                  ? wholly_valid(f, CellMode::kTlc)
                                  : SuperblockId(0),
                              Cause::kRefresh, rng.chance(1, 2) ? 0u : 5'000'000u, urgent});
    }
    host.drain();
    host.verify_all();
    host.check_now();
    CHECK(copies(f, Cause::kRefresh) > 0);
    CHECK(copies(f, Cause::kGc) > copies(f, Cause::kRefresh));
    sim.run_until(sim.now() + Duration::s(60));
    CHECK(!f.relocator().active());
  }
}

}  // namespace ftlsim::test
