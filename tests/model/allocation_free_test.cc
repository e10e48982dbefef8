// The run loop allocates nothing: after a warm-up, a mixed load with garbage collection, folding,
// flushes and TRIMs runs without one call of operator new.
#include <doctest/doctest.h>

#include "tests/allocation.h"
#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

class MixedSource final : public AccessSource {
 public:
  MixedSource(uint32_t span, uint64_t seed) : span_(span), rng_(seed, "test/mixed") {}
  Access next() override {
    const uint64_t what = rng_.below(100);
    const auto units = static_cast<uint32_t>(1 + rng_.below(16));
    const auto unit = static_cast<uint32_t>(rng_.below(span_ - units));
    if (what == 0) return {Opcode::kFlush, 0, 0};
    if (what < 5) return {Opcode::kDeallocate, unit, units};
    if (what < 40) return {Opcode::kRead, at_ = (at_ + units) % (span_ - 32), units};
    return {what < 60 ? Opcode::kRead : Opcode::kWrite, unit, units};
  }

 private:
  uint32_t span_;
  uint32_t at_ = 0;
  Rng rng_;
};

}  // namespace

TEST_CASE("the run loop allocates nothing") {
  for (const bool slc : {false, true}) {
    for (const RelocationOrder order :
         {RelocationOrder::kCompletion, RelocationOrder::kDieLocal, RelocationOrder::kStripe}) {
      DriveConfig c = tiny_drive();
      if (slc) use_slc(c);
      c.gc.order = order;
      c.sched.power_credits = 1;
      c.read_ahead.streams = 2;
      REQUIRE(fit_capacity(c, 1, 0));
      Simulator sim(1);
      Device device(sim, c, "drive");
      LoadHost host(sim, device.host(), 32);
      MixedSource source(c.user_slots(), 1);
      host.run(source, 20'000);
      const uint64_t before = allocation_count();
      host.run(source, 20'000);
      CHECK(allocation_count() == before);
      const FtlStats& s = device.firmware().stats();
      CHECK(s.victims_tlc + s.victims_slc > 0);
      CHECK(s.flushes > 0);
    }
  }
}

}  // namespace ftlsim::test
