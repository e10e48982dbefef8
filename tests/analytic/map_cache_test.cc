// The map cache against closed forms: hit ratio = reach / range, one read of the map per page of
// it, and the latency of a look-up that misses.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// 60 superblocks of 384 slots with a map on flash.
DriveConfig paged_drive(std::string_view policy, uint32_t page_entries, uint32_t sram_pages,
                        uint32_t hmb_pages) {
  DriveConfig c = tiny_drive();
  c.nand.geometry.blocks_per_plane = 60;
  c.queues.count = 1;
  c.map.cache.select(policy);
  c.map.page_entries = page_entries;
  c.map.sram = Bytes(kSlotBytes) * sram_pages;
  c.map.hmb = Bytes(kSlotBytes) * hmb_pages;
  REQUIRE(fit_capacity(c, 1, 8 * 384));  // room, so that nothing is collected meanwhile
  REQUIRE(problems(c, 1).empty());
  return c;
}

// Fills the drive and lets it rest until every page of the map is on flash.
void fill(Simulator& sim, Device& device, LoadHost& host) {
  const uint32_t units = device.firmware().config().user_slots();
  SequentialSource source(Opcode::kWrite, units, 8);
  host.run(source, units / 8);
  sim.run_until(sim.now() + Duration::s(2));
  const MapCache& cache = *device.firmware().map_cache();
  REQUIRE(cache.log().empty());
  REQUIRE(cache.tiers().dirty() == 0);
}

struct Counts {
  uint64_t lookups, sram, hmb, misses, reads;
};
Counts counts(const Device& device) {
  const FtlStats& s = device.firmware().stats();
  return {s.map_lookups, s.map_hits_sram, s.map_hits_hmb, s.map_misses, s.map_reads};
}
Counts operator-(const Counts& a, const Counts& b) {
  return {a.lookups - b.lookups, a.sram - b.sram, a.hmb - b.hmb, a.misses - b.misses,
          a.reads - b.reads};
}

// A share counted over n independent trials, within four standard deviations.
void check_share(uint64_t count, uint64_t n, double expected) {
  const double share = static_cast<double>(count) / static_cast<double>(n);
  const double sigma = std::sqrt(expected * (1 - expected) / static_cast<double>(n));
  INFO("share " << share << ", expected " << expected << " with sigma " << sigma);
  CHECK(std::abs(share - expected) <= 4 * sigma);
}

class OneCommand : public CompletionSink {
 public:
  void on_completion(Command&) override { done = true; }
  bool done = false;
};

int64_t read_latency(Simulator& sim, Device& device, uint32_t unit) {
  OneCommand sink;
  Command c;
  c.opcode = Opcode::kRead;
  c.lba = Lba(unit);
  c.blocks = 1;
  c.sink = &sink;
  device.host().submit(c, sim.now());
  sim.run_until(sim.now() + Duration::s(1));
  REQUIRE(sink.done);
  return (c.completed - c.submitted).to_ns();
}

}  // namespace

TEST_CASE("hits of uniform random reads are reach / range, for every policy and tier") {
  constexpr uint32_t kEntries = 16;
  constexpr uint32_t kRange = 8192;
  constexpr uint64_t kReads = 20'000;
  for (const char* policy : {"lru", "clock", "slru"}) {
    for (const uint32_t hmb : {0u, 64u}) {
      CAPTURE(policy);
      CAPTURE(hmb);
      const DriveConfig c = paged_drive(policy, kEntries, 32, hmb);
      REQUIRE(c.user_slots() >= kRange);
      Simulator sim(1);
      Device device(sim, c, "drive");
      LoadHost host(sim, device.host(), 1);
      fill(sim, device, host);
      RandomSource reads(Opcode::kRead, kRange, 1, Rng(1, "test/reads"));
      host.run(reads, 2'000);  // warm
      const Counts before = counts(device);
      host.run(reads, kReads);
      const Counts d = counts(device) - before;
      CHECK(d.lookups == kReads);
      CHECK(d.reads == d.misses);
      constexpr double kPages = kRange / kEntries;
      check_share(d.sram + d.hmb, kReads, (32 + hmb) / kPages);
      check_share(d.sram, kReads, 32 / kPages);
      if (hmb == 0) CHECK(d.hmb == 0);
    }
  }
}

TEST_CASE("sequential reads cost one map read per page, 4 MiB of addresses") {
  const DriveConfig c = paged_drive("lru", 1024, 4, 0);
  const uint32_t pages = c.map_pages();
  REQUIRE(pages > 8);
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 1);
  fill(sim, device, host);
  const auto pass = [&] {
    SequentialSource reads(Opcode::kRead, c.user_slots(), 32);
    host.run(reads, c.user_slots() / 32);
  };
  pass();  // leaves the last four pages, which the next pass throws out before it gets there
  const Counts before = counts(device);
  pass();
  pass();
  const Counts d = counts(device) - before;
  CHECK(d.reads == 2 * pages);
  CHECK(d.misses == 2 * pages);
  CHECK(d.lookups == d.misses + d.sram);
}

TEST_CASE("a miss adds one flash read to the latency, host memory its round trip") {
  const DriveConfig c = paged_drive("lru", 16, 4, 4);
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 1);
  fill(sim, device, host);
  const auto visit = [&](uint32_t page) { return read_latency(sim, device, page * 16); };
  for (uint32_t page = 0; page < 8; ++page) visit(page);
  const int64_t hit = visit(7);
  CHECK(visit(7) == hit);
  const double bus_ps = static_cast<double>(c.nand.bus.command_overhead.to_ns()) * 1000 +
                        4096.0 * 1e6 / c.nand.bus.transfer_rate;
  const int64_t flash = c.nand.timing.read_slot.to_ns() +
                        static_cast<int64_t>(std::ceil(bus_ps / 1000 - 1e-9)) +
                        c.firmware.ecc_latency.to_ns();
  CHECK(visit(20) == hit + flash);
  CHECK(visit(20) == hit);
  REQUIRE(device.firmware().map_cache()->tiers().tier(5) == PageTiers::Tier::kSram);
  REQUIRE(device.firmware().map_cache()->tiers().tier(3) == PageTiers::Tier::kHmb);
  const int64_t transfer = Link(c.link).transfer_time(1).to_ns();
  CHECK(visit(3) == hit + transfer + c.map.hmb_latency.to_ns());
  CHECK(visit(3) == hit);
}

TEST_CASE("what is written is brought into the map in batches, page by page") {
  // 64 units of each of 8 pages, interleaved: the log has room for all of them before it is half
  // full, so each page is read once and written once, when the drive is idle and the last of the
  // host data have been programmed.
  DriveConfig c = paged_drive("lru", 256, 4, 0);
  c.map.log = Bytes::kib(16);  // 2048 entries
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 4);
  fill(sim, device, host);
  class Strided final : public AccessSource {
   public:
    Access next() override {
      const uint32_t i = n_++;
      return {Opcode::kWrite, i % 8 * 256 + i / 8, 1};
    }

   private:
    uint32_t n_ = 0;
  } source;
  // Other pages into the frames first: those of the addresses above.
  for (uint32_t page = 16; page < 20; ++page) read_latency(sim, device, page * 256);
  const FtlStats& s = device.firmware().stats();
  const uint64_t reads = s.map_reads;
  const uint64_t written = s.programmed_by(Cause::kMeta);
  host.run(source, 512);
  sim.run_until(sim.now() + Duration::s(2));
  CHECK(s.map_reads - reads == 8);
  CHECK(s.programmed_by(Cause::kMeta) - written == 8);
  CHECK(device.firmware().map_cache()->log().empty());
}

}  // namespace ftlsim::test
