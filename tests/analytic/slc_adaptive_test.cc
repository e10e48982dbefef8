// What the adaptive cache is for: bursts as fast as with all free space as SLC, and fewer copies.
#include <doctest/doctest.h>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// What a day writes: small units to a busy area, then pieces all over the drive.
class Days final : public AccessSource {
 public:
  static constexpr uint32_t kBusy = 2'000;  // units of the busy area
  static constexpr uint32_t kSmall = 1'000;
  static constexpr uint32_t kFiles = 120;  // commands of kPiece units
  static constexpr uint32_t kPiece = 16;

  explicit Days(uint32_t span) : span_(span), rng_(1, "test/days") {}
  Access next() override {
    const bool small = count_++ % (kSmall + kFiles) < kSmall;
    if (small) return {Opcode::kWrite, static_cast<uint32_t>(rng_.below(kBusy)), 1};
    const auto pieces = (span_ - kBusy) / kPiece;
    return {Opcode::kWrite, kBusy + static_cast<uint32_t>(rng_.below(pieces)) * kPiece, kPiece};
  }

 private:
  uint32_t span_;
  Rng rng_;
  uint64_t count_ = 0;
};

struct Figures {
  double waf = 0;
  Duration burst;         // mean time of a day's writes
  uint64_t host = 0;      // units written in the month
  uint64_t host_tlc = 0;  // units that went past the cache
};

Figures month(const std::string& mode) {
  DriveConfig c = tiny_drive();
  c.nand.geometry.dies_per_channel = 2;
  c.nand.geometry.blocks_per_plane = 128;
  c.buffer.size = Bytes::kib(512);
  use_slc(c);
  c.slc.fold.idle_delay = Duration::ms(5);
  c.capacity = Bytes(90 * superblock_bytes(c).count());
  set_keys(c, {"slc.mode=" + mode, "slc.adaptive.smallest=1MiB", "gc.idle_target=10%"});
  REQUIRE(problems(c, 1) == "");
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 8);
  const uint32_t used = c.user_slots() / 2;
  SequentialSource fill(Opcode::kWrite, used, 32);
  host.run(fill, used / 32);
  sim.run_until(sim.now() + Duration::s(30));
  Days days(used);
  const FtlStats& s = device.firmware().stats();
  Figures f;
  uint64_t written = 0;
  uint64_t programmed = 0;
  uint64_t tlc = 0;
  for (int day = 0; day < 60; ++day) {
    if (day == 30) {  // learnt and in balance
      written = s.host_write_slots;
      programmed = s.programmed_total();
      tlc = s.programmed[static_cast<size_t>(Cause::kHost)][1];
      f.burst = Duration();
    }
    const Time begin = sim.now();
    host.run(days, Days::kSmall + Days::kFiles);
    f.burst += host.last_completion() - begin;
    sim.run_until(sim.now() + Duration::s(30));
  }
  f.waf = static_cast<double>(s.programmed_total() - programmed) /
          static_cast<double>(s.host_write_slots - written);
  f.host = s.host_write_slots - written;
  f.host_tlc = s.programmed[static_cast<size_t>(Cause::kHost)][1] - tlc;
  return f;
}

}  // namespace

TEST_CASE("adaptive: bursts go to SLC whole, and what dies in the cache is not copied") {
  const Figures all = month("full_drive");
  const Figures adaptive = month("adaptive");
  CAPTURE(all.waf);
  CAPTURE(adaptive.waf);
  // Half of the drive is used: free space has room for each day's burst.
  CHECK(adaptive.host > 60'000);
  CHECK(adaptive.host_tlc == 0);
  CHECK(adaptive.burst.to_ns() < all.burst.to_ns());
  // A third of the writes goes to the busy area, where a later day overwrites most of what one
  // wrote: adaptive lets it die in the cache, with few copies by folding and by collection.
  CHECK(all.waf > 1.8);
  CHECK(adaptive.waf < all.waf - 0.1);
}

}  // namespace ftlsim::test
