// Parity over dies: what it costs, and what it brings back. Content is checked by the token host.
#include <doctest/doctest.h>

#include "tests/support/reliability.h"
#include "tests/support/tiny_drive.h"
#include "tests/support/token_host.h"

namespace ftlsim::test {
namespace {

constexpr Duration kDay = Duration::s(86'400);

// Four dies in one group; pages differ in how fast they lose their charge, each for itself.
DriveConfig fading(uint32_t rain_dies) {
  DriveConfig c = tiny_drive();
  c.nand.geometry.channels = 4;
  c.nand.geometry.word_lines = 2;
  c.rain.dies = rain_dies;
  c.nand.reliability = ct_tlc_sigma(0.6);
  c.nand.reliability.retry.policy = RetryPolicy::kAgeIndexed;
  c.nand.reliability.retry.soft.enabled = false;
  c.nand.reliability.initial_cycles = 12'000;
  REQUIRE(fit_capacity(c, 1, 0));
  REQUIRE(problems(c, 1).empty());
  return c;
}

// A drive that is written whole and then left on the shelf until so many of its 4 KiB are lost.
struct Shelf {
  Shelf(const DriveConfig& config, double lost, uint64_t seed = 1)
      : sim(seed), device(sim, config, "drive", true), host(sim, device, 8, 0) {
    units = config.user_slots() / 32 * 32;
    for (uint32_t unit = 0; unit < units; unit += 32) host.write(unit, 32);
    host.flush();
    host.expect_unrecovered();
    for (int days = 0; loss() < lost; ++days) {
      REQUIRE(days < 20'000);
      device.host().rest_unpowered(kDay, 40'000);
    }
  }
  // The mean over page types of the probability that a read of 4 KiB is given up.
  double loss() {
    const Reliability& r = *device.reliability();
    double sum = 0;
    for (uint32_t page = 0; page < 3; ++page)
      sum += r.model().loss(r.page_state(SuperblockId(0), DieId(0), page, sim.now()), 1) / 3;
    return sum;
  }
  void read_each() {
    for (uint32_t unit = 0; unit < units; ++unit) host.read(unit);
  }
  const FtlStats& stats() const { return device.firmware().stats(); }

  Simulator sim;
  Device device;
  TokenHost host;
  uint32_t units = 0;
};

}  // namespace

TEST_CASE("a lost page is rebuilt from the others of its group, each read once") {
  Shelf plain(fading(0), 0.002);
  plain.read_each();
  CHECK(plain.host.unrecovered() > 0);
  CHECK(plain.stats().rebuilt_pages == 0);

  Shelf rain(fading(4), 0.002);
  rain.read_each();
  const FtlStats& s = rain.stats();
  MESSAGE(rain.loss() << " of 4 KiB lost: " << plain.host.unrecovered() << " of " << plain.units
                      << " without parity; with it " << s.rebuilt_pages << " rebuilt, "
                      << s.rebuild_failures << " not, of " << rain.units);
  CHECK(s.rebuilt_pages > 0);
  // One page for each read of 4 KiB, three reads for each page.
  CHECK(s.rebuild_reads == 3 * (s.rebuilt_pages + s.rebuild_failures));
  CHECK(rain.host.unrecovered() == s.rebuild_failures);
  CHECK(rain.host.unrecovered() * 10 < plain.host.unrecovered());  // of three others none is lost
  rain.host.check_now();
}

TEST_CASE("two losses in a group are a media error") {
  Shelf rain(fading(4), 0.15);
  rain.read_each();
  const FtlStats& s = rain.stats();
  const double lost = static_cast<double>(s.rebuilt_pages + s.rebuild_failures);
  const double p = lost / rain.units;
  const double failed = static_cast<double>(s.rebuild_failures) / lost;
  MESSAGE(p << " of 4 KiB lost, " << failed << " of them for good");
  CHECK(s.rebuilt_pages > 0);
  CHECK(s.rebuild_failures > 0);
  CHECK(rain.host.unrecovered() == s.rebuild_failures);
  CHECK(s.unrecovered_commands == s.rebuild_failures);
  // Three others of the same page type: page types that are worse than the mean find worse others.
  CHECK(failed > 0.9 * (1 - (1 - p) * (1 - p) * (1 - p)));
  CHECK(failed < 1 - (1 - 3 * p) * (1 - 3 * p) * (1 - 3 * p));
}

TEST_CASE("a rebuild takes the time of another read, after the decoder has given up") {
  const DriveConfig c = fading(4);
  Shelf rain(c, 0.01);
  const TimingConfig& t = c.nand.timing;
  Duration slowest_rebuilt;
  Duration slowest;
  for (uint32_t unit = 0; unit < rain.units; ++unit) {
    const uint64_t before = rain.stats().rebuilt_pages;
    const Time start = rain.sim.now();
    rain.host.read(unit);
    const Duration took = rain.sim.now() - start;
    if (rain.stats().rebuilt_pages != before)
      slowest_rebuilt = std::max(slowest_rebuilt, took);
    else if (rain.host.unrecovered() == 0)
      slowest = std::max(slowest, took);
  }
  CHECK(slowest_rebuilt > slowest + t.read_slot);
}

TEST_CASE("relocation moves what can be rebuilt as good data") {
  uint64_t lost[2] = {0, 0};
  for (const uint32_t n : {0u, 4u}) {
    Shelf shelf(fading(n), 0.01);
    // Every other 128 KiB is overwritten, so that collection moves the rest.
    for (int round = 0; round < 3; ++round)
      for (uint32_t unit = 0; unit < shelf.units; unit += 64) shelf.host.write(unit, 32);
    shelf.host.flush();
    lost[n != 0] = shelf.stats().relocation_lost_slots;
    CHECK(shelf.stats().programmed_by(Cause::kGc) > 0);
    if (n != 0) CHECK(shelf.stats().rebuilt_pages > 0);
    shelf.host.verify_all();
    shelf.host.check_now();
  }
  MESSAGE(lost[0] << " slots lost in relocation without parity, " << lost[1] << " with");
  CHECK(lost[0] > 0);
  CHECK(lost[1] * 5 < lost[0]);
}

TEST_CASE("a row that is not complete is rebuilt with the reads of what is") {
  DriveConfig c = fading(4);
  Simulator sim(1);
  Device device(sim, c, "drive", true);
  TokenHost host(sim, device, 1, 0);
  // A flush after each write of one word line: the other dies of the row hold nothing yet.
  for (uint32_t unit = 0; unit < 8; ++unit) {
    host.write(unit, 1);
    host.flush();
  }
  const FtlStats& s = device.firmware().stats();
  const uint64_t parity = s.programmed_by(Cause::kParity);
  const uint32_t unit_slots = device.firmware().media().layout().unit_slots(CellMode::kTlc);
  CHECK(parity == 2 * unit_slots);  // of eight units: three and three are complete rows
  const Reliability& r = *device.reliability();
  const auto loss = [&] {
    return r.model().loss(r.page_state(SuperblockId(0), DieId(0), 0, sim.now()), 1);
  };
  for (int days = 0; loss() < 0.5; ++days) {
    REQUIRE(days < 20'000);
    device.host().rest_unpowered(kDay, 40'000);
  }
  host.expect_unrecovered();
  for (uint32_t unit = 0; unit < 8; ++unit) host.read(unit);
  const uint64_t rebuilds = s.rebuilt_pages + s.rebuild_failures;
  CHECK(rebuilds > 0);
  // The third row has two units and no parity on the medium: their rebuild takes one read.
  CHECK(s.rebuild_reads <= 3 * rebuilds);
  CHECK(s.rebuild_reads >= rebuilds);
  host.check_now();
}

TEST_CASE("lost translation pages are rebuilt, and counted where they are not") {
  for (const uint32_t n : {0u, 4u}) {
    DriveConfig c = fading(n);
    c.map.cache.select("lru");
    c.map.sram = Bytes::kib(16);
    c.map.log = Bytes::kib(1);
    c.map.page_entries = 16;
    c.gc.low_watermark = 5;
    c.gc.high_watermark = 6;
    c.nand.geometry.blocks_per_plane = 40;
    REQUIRE(fit_capacity(c, 1, 0));
    REQUIRE_MESSAGE(problems(c, 1).empty(), problems(c, 1));
    Shelf shelf(c, 0.02);
    shelf.read_each();
    const FtlStats& s = shelf.stats();
    CHECK(s.map_reads > 100);
    MESSAGE(s.map_lost_pages << " of " << s.map_reads << " reads of the map are lost; "
                             << s.rebuilt_pages << " pages rebuilt");
    if (n == 0) CHECK(s.map_lost_pages > 0);
    if (n != 0) CHECK(s.map_lost_pages <= s.rebuild_failures);
    shelf.host.check_now();
  }
}

}  // namespace ftlsim::test
