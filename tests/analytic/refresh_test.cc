// What the firmware does about ageing, on small drives whose data age: refresh bounds age and
// retries, needs power, costs writes; read reclaim; patrol reads teach read levels; doing nothing
// changes nothing but the age.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "ftl/device.h"
#include "ftl/read/placement.h"
#include "nand/reliability/reliability.h"
#include "sim/math.h"
#include "tests/support/load_host.h"
#include "tests/support/reliability.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim {
namespace {

constexpr Duration kDay = Duration::s(86'400);
constexpr int64_t kRoom = 25'000;  // thousandths of a degree: the clock runs as time does

DriveConfig ageing_drive(RetryPolicy policy) {
  DriveConfig c = test::tiny_drive();
  c.nand.reliability = test::ct_tlc();
  c.nand.reliability.retry.policy = policy;
  // Two thirds of the drive are left free, so that relocation has room whatever it does.
  c.capacity = test::superblock_bytes(c) * 8;
  return c;
}

struct Drive {
  explicit Drive(const DriveConfig& config)
      : c(config), sim(1), device(sim, c, "drive"), host(sim, device.host(), 4) {
    REQUIRE(test::problems(c, 1).empty());
  }

  // Writes everything once, in order, and lets it reach the medium.
  void fill() {
    test::SequentialSource writes(Opcode::kWrite, c.user_slots(), 16);
    host.run(writes, c.user_slots() / 16);
    rest(Duration::s(1));
  }
  void rest(Duration span) { sim.run_until(sim.now() + span); }
  // Reads everything once. Returns how many of its pages needed retries.
  double retried_share() {
    const ReliabilityStats before = cells().stats();
    test::SequentialSource reads(Opcode::kRead, c.user_slots(), 16);
    host.run(reads, c.user_slots() / 16);
    const ReliabilityStats& after = cells().stats();
    uint64_t pages = 0;
    for (size_t n = 0; n < after.pages.size(); ++n) pages += after.pages[n] - before.pages[n];
    return 1 - static_cast<double>(after.pages[0] - before.pages[0]) / static_cast<double>(pages);
  }
  // Age in days of the oldest block in a closed superblock.
  double oldest() const {
    double most = 0;
    for (uint32_t s = 0; s < table().size(); ++s)
      if (table()[SuperblockId(s)].state == SuperblockState::kClosed)
        for (uint16_t d = 0; d < table().layout().dies(); ++d)
          most =
              std::max(most, device.reliability()->block_age(SuperblockId(s), DieId(d), sim.now()));
    return most / 86'400;
  }
  Reliability& cells() { return *device.reliability(); }
  const FtlStats& stats() const { return device.firmware().stats(); }
  const SuperblockTable& table() const { return device.firmware().superblocks(); }
  uint64_t refreshed() const { return stats().programmed_by(Cause::kRefresh); }
  Placement placement() const {
    return measure_placement(device.firmware().map(), table(), Lpn(0), c.user_slots(), 1 << 20);
  }
  // The first read of a page of the worst type fails with at most this probability at an age.
  double worst_failure(double days) {
    double worst = 0;
    for (uint32_t page = 0; page < 3; ++page) {
      PageState s;
      s.page = page;
      s.cycles = 40;  // more than any block sees here
      s.x = cells().model().rber().x_of(days * 86'400);
      worst = std::max(worst, cells().model().first_read_failure(s, 4));
    }
    return worst;
  }

  DriveConfig c;
  Simulator sim;
  Device device;
  test::LoadHost host;
};

}  // namespace

TEST_CASE("refresh by age bounds the age of the data and their retries, and costs writes") {
  DriveConfig c = ageing_drive(RetryPolicy::kTableWalk);
  Drive plain(c);
  c.refresh.age = kDay * 25;
  c.refresh.period = Duration::s(6 * 3600);
  Drive fresh(c);
  for (Drive* d : {&plain, &fresh}) {
    d->fill();
    d->rest(kDay * 730);
  }
  CHECK(plain.oldest() == doctest::Approx(730).epsilon(0.01));
  CHECK(plain.refreshed() == 0);
  CHECK(plain.retried_share() > 0.5);
  // One superblock a period: the last of all waits for as many periods as there are others.
  const double limit = 25 + 0.25 * (fresh.table().size() + 1);
  CHECK(fresh.oldest() < limit);
  CHECK(fresh.retried_share() <= fresh.worst_failure(limit) + 0.01);
  // Each superblock is written anew once in 25 to `limit` days.
  const double data = fresh.c.user_slots();
  CHECK(static_cast<double>(fresh.refreshed()) < data * (730.0 / 25 + 1));
  CHECK(static_cast<double>(fresh.refreshed()) > data * (730.0 / limit - 1.5));
  CHECK(fresh.stats().refreshed_old >= 8 * 20);
}

TEST_CASE("nothing is refreshed without power; what aged meanwhile is, afterwards") {
  DriveConfig c = ageing_drive(RetryPolicy::kTableWalk);
  c.refresh.age = kDay * 25;
  c.refresh.period = Duration::s(3600);
  Drive d(c);
  d.fill();
  d.device.host().rest_unpowered(kDay * 365, kRoom);
  CHECK(d.refreshed() == 0);
  CHECK(d.oldest() > 365);
  CHECK(d.retried_share() > 0.1);
  CHECK(d.refreshed() == 0);  // reading took less than a period
  d.rest(Duration::s(3600) * (d.table().size() + 1));
  CHECK(d.oldest() < 25);
  CHECK(d.refreshed() >= d.c.user_slots() - d.table().usable(SuperblockId(0), CellMode::kTlc));
}

TEST_CASE("refresh by error rate acts at the age at which the model reaches the limit") {
  DriveConfig c = ageing_drive(RetryPolicy::kTableWalk);
  const RberModel model(c.nand.reliability);
  // The limit: what the worst page type has after 60 days at the wear of a first writing.
  double limit = 0;
  for (uint32_t page = 0; page < 3; ++page)
    limit = std::max(
        limit, exact_exp(model.at(CellMode::kTlc, page, 1, model.x_of(60 * 86'400.0)).factory));
  c.refresh.rber = limit;
  c.refresh.period = Duration::s(3600);
  Drive d(c);
  d.fill();
  d.rest(kDay * 50);
  CHECK(d.stats().refreshed_old == 0);
  d.rest(kDay * 20);
  CHECK(d.stats().refreshed_old >= 7);  // the last superblock may still be open
  CHECK(d.oldest() < 20);
}

TEST_CASE("idle time without refresh changes nothing but the age") {
  Drive d(ageing_drive(RetryPolicy::kTableWalk));
  d.fill();
  const Placement before = d.placement();
  const uint64_t programmed = d.stats().programmed_total();
  const uint64_t fingerprint = d.device.firmware().flash().fingerprint().value();
  const double age = d.oldest();
  d.rest(kDay * 100);
  CHECK(d.oldest() - age == doctest::Approx(100).epsilon(1e-6));
  CHECK(d.stats().programmed_total() == programmed);
  CHECK(d.device.firmware().flash().fingerprint().value() == fingerprint);
  const Placement after = d.placement();
  CHECK(after.windows_by_dies == before.windows_by_dies);
  CHECK(after.windows_by_busiest == before.windows_by_busiest);
  CHECK(after.extents == before.extents);
}

TEST_CASE("read reclaim moves what is read too often") {
  DriveConfig c = ageing_drive(RetryPolicy::kTableWalk);
  c.refresh.reads = 5'000;
  c.refresh.period = Duration::s(1);
  Drive d(c);
  d.fill();
  test::SequentialSource again(Opcode::kRead, 16, 16);  // one chunk on each of both dies
  const uint64_t pages = c.nand.geometry.planes;        // that a command reads of a die block
  d.host.run(again, c.refresh.reads * 4 / 5 / pages);
  d.rest(Duration::s(2));
  CHECK(d.stats().refreshed_read == 0);
  d.host.run(again, c.refresh.reads * 2 / 5 / pages);
  d.rest(Duration::s(2));
  CHECK(d.stats().refreshed_read == 1);
  CHECK(d.refreshed() == d.table().usable(SuperblockId(0), CellMode::kTlc));
  CHECK(d.retried_share() == 0);
}

TEST_CASE("patrol reads teach the levels that the host's reads then use") {
  DriveConfig c = ageing_drive(RetryPolicy::kCached);
  Drive alone(c);
  c.patrol.period = kDay;
  c.patrol.share = 0.1;
  Drive patrolled(c);
  for (Drive* d : {&alone, &patrolled}) {
    d->fill();
    d->device.host().rest_unpowered(kDay * 365, kRoom);
    d->rest(kDay * 2);
  }
  CHECK(alone.stats().patrol_reads == 0);
  CHECK(patrolled.stats().patrol_reads > 0);
  CHECK(patrolled.stats().patrol_retried > 0);
  // Alone each block has its first failing read in front of the host. After the patrol only what is
  // still open is left.
  const double without = alone.retried_share();
  CHECK(without > 0);
  CHECK(patrolled.retried_share() < 0.2 * without);
}

TEST_CASE("a patrol read with many retries has its superblock refreshed") {
  DriveConfig c = ageing_drive(RetryPolicy::kTableWalk);
  c.patrol.period = kDay;
  c.patrol.retries = 1;
  Drive d(c);
  d.fill();
  d.rest(kDay * 2);
  CHECK(d.stats().refreshed_patrol == 0);
  d.device.host().rest_unpowered(kDay * 730, kRoom);
  d.rest(kDay * 2);
  CHECK(d.stats().refreshed_patrol >= 7);
  CHECK(d.oldest() < 3);
}

TEST_CASE("writing anew cures what age did") {
  Drive d(ageing_drive(RetryPolicy::kTableWalk));
  d.fill();
  CHECK(d.retried_share() == 0);
  d.device.host().rest_unpowered(kDay * 365, kRoom);
  CHECK(d.retried_share() > 0.1);
  d.fill();
  CHECK(d.retried_share() == 0);
}

TEST_CASE("refresh and patrol need data that age") {
  DriveConfig c = test::tiny_drive();
  c.capacity = test::superblock_bytes(c) * 8;
  c.refresh.age = kDay;
  c.patrol.period = kDay;
  const std::string text = test::problems(c, 1);
  CHECK(text.find("refresh.age: needs a drive whose data age") != std::string::npos);
  CHECK(text.find("nand.reliability.model") != std::string::npos);
  CHECK(text.find("patrol.period: needs") != std::string::npos);
}

}  // namespace ftlsim
