// The PCI Express link: rate by generation, one transfer after the other, directions apart.
#include "ftl/host/link.h"

#include <doctest/doctest.h>

namespace ftlsim {

TEST_CASE("rate by generation and lanes") {
  LinkConfig c;  // generation 4, 4 lanes, 256 B payload, 26 B overhead
  // 4,512 bytes on the wire per 4 KiB at 16 GT/s x 4 with 128b/130b.
  CHECK(c.ps_per_slot() == 572'812);
  c.generation = 3;
  CHECK(c.ps_per_slot() == 1'145'625);
  c.generation = 2;  // 8b/10b
  CHECK(c.ps_per_slot() == 2'256'000);
  c.lanes = 1;
  CHECK(c.ps_per_slot() == 9'024'000);
}

TEST_CASE("transfers of one direction queue, the other direction is free") {
  Link link(LinkConfig{});
  const Time t = Time::at_ns(1'000);
  CHECK(link.to_host(t, 1) == Time::at_ns(1'573));
  CHECK(link.to_host(t, 1) == Time::at_ns(2'146));
  CHECK(link.to_device(t, 1) == Time::at_ns(1'573));
  CHECK(link.to_host(Time::at_ns(5'000), 1) == Time::at_ns(5'573));
  // Rounded once for the whole transfer.
  CHECK(link.transfer_time(32) == Duration::ceil_ps(32 * 572'812));
  CHECK(link.up_busy_ns() == 3 * 573);
  CHECK(link.down_busy_ns() == 573);
}

}  // namespace ftlsim
