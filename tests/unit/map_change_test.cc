// When the map changes: an overwrite that is acknowledged and not yet programmed leaves the former
// version valid, so that its superblock can be neither released nor erased.
#include <doctest/doctest.h>

#include "tests/support/load_host.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

class OneAccess final : public AccessSource {
 public:
  explicit OneAccess(Access access) : access_(access) {}
  Access next() override { return access_; }

 private:
  Access access_;
};

}  // namespace

TEST_CASE("a superseded slot stays valid until its successor is programmed") {
  constexpr Lpn kUnit(5);
  DriveConfig c = tiny_drive();
  c.buffer.idle_flush = Duration::s(100);
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  LoadHost host(sim, device.host(), 1);
  OneAccess write({Opcode::kWrite, kUnit.value(), 1});
  OneAccess flush({Opcode::kFlush, 0, 0});
  const Firmware& firmware = device.firmware();
  const auto place = [&] { return firmware.map().lookup(kUnit, 1).ppn; };
  const auto valid_at = [&](Ppn ppn) {
    return firmware.superblocks().valid(firmware.media().layout().superblock_of(ppn));
  };

  host.run(write, 1);
  CHECK(!place().valid());
  host.run(flush, 1);
  const Ppn first = place();
  REQUIRE(first.valid());
  CHECK(valid_at(first) == 1);

  host.run(write, 3);  // acknowledged; in the buffer and in a word line that is not full
  CHECK(firmware.engine().pending().find(kUnit).valid());
  CHECK(place() == first);
  CHECK(valid_at(first) == 1);

  host.run(flush, 1);
  CHECK(!firmware.engine().pending().find(kUnit).valid());
  CHECK(place().valid());
  CHECK(place() != first);
  CHECK(!firmware.map().is_current(kUnit.value(), first));
  CHECK(valid_at(place()) == 1);
}

}  // namespace ftlsim::test
