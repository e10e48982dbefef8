// What retries cost a whole drive: closed forms against the simulation.
//
//   saturated by the channel   T = T_channel / (1 + N)
//   saturated by the dies      T = T_die / (1 + N (tR + tSET) / tR)
//   one request at a time      T = size / (L0 + p t_retry)
//   one of n pages at a time   T = size / (L0 + t_retry (1 - (1 - p)^n))
// The figures for 8 channels of 1,600 MB/s behind a link of 7,240 MB/s and for 1 MiB in 275.2 us
// are those of the closed forms.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/load_host.h"
#include "tests/support/reliability.h"
#include "tests/support/tiny_drive.h"

namespace ftlsim::test {
namespace {

// Decoding takes no time and levels are set at once: what is left is sense and bus.
ReliabilityConfig plain() {
  ReliabilityConfig r = ct_tlc();
  r.ecc.time = {{100, Duration()}};
  r.retry.set_levels = Duration();
  return r;
}

// Slow channels with many dies behind them: reads are limited by the bus.
DriveConfig bus_limited(uint32_t retries) {
  DriveConfig c = tiny_drive();
  c.nand.geometry.channels = 1;
  c.nand.geometry.dies_per_channel = 8;
  c.nand.bus.transfer_rate = 200;
  c.buffer.size = Bytes::mib(4);
  c.buffer.relocation_size = Bytes::mib(4);
  c.nand.reliability = plain();
  if (retries != 0) {
    c.nand.reliability.weak.share = 1;
    c.nand.reliability.weak.step = retries;
    c.nand.reliability.weak.rber = 0.03;
  }
  return c;
}

struct Rate {
  double per_second = 0;
  double mean_retries = 0;
};

Rate read_rate(const DriveConfig& config) {
  DriveConfig c = config;
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  const uint32_t span = std::min(c.user_slots(), 8192u) / 32 * 32;
  LoadHost host(sim, device.host(), 64);
  SequentialSource write(Opcode::kWrite, span, 32);
  host.run(write, span / 32);
  sim.run_until(sim.now() + Duration::s(1));
  const ReliabilityStats before = device.reliability()->stats();
  SequentialSource read(Opcode::kRead, span, 32);
  host.mark_every(8);
  host.run(read, 2000);
  const ReliabilityStats& s = device.reliability()->stats();
  Rate r;
  r.per_second = host.steady_rate();
  double pages = 0;
  for (size_t i = 0; i < s.pages.size(); ++i) {
    const auto n = static_cast<double>(s.pages[i] - before.pages[i]);
    pages += n;
    r.mean_retries += static_cast<double>(i) * n;
  }
  r.mean_retries /= pages;
  return r;
}

}  // namespace

TEST_CASE("a drive whose every page needs one retry runs at half the rate of its channels") {
  const Rate none = read_rate(bus_limited(0));
  CHECK(none.mean_retries == 0);
  for (const uint32_t n : {1u, 3u}) {
    const Rate some = read_rate(bus_limited(n));
    CHECK(some.mean_retries == n);
    CHECK(some.per_second == doctest::Approx(none.per_second / (1 + n)).epsilon(0.01));
  }
}

TEST_CASE("a share of pages with retries costs a saturated channel its mean") {
  const Rate none = read_rate(bus_limited(0));
  DriveConfig c = bus_limited(1);
  c.nand.reliability.weak.share = 0.5;
  c.nand.reliability.weak.rows = 1;
  const Rate some = read_rate(c);
  CHECK(some.mean_retries > 0.2);
  CHECK(some.mean_retries < 0.8);
  CHECK(some.per_second ==
        doctest::Approx(none.per_second / (1 + some.mean_retries)).epsilon(0.03));
}

TEST_CASE("one request at a time: the mean latency rises by the share of retries") {
  const auto run = [](double share, double* p) {
    DriveConfig c = bus_limited(1);
    c.nand.reliability.weak.share = share;
    c.nand.reliability.weak.rows = 1;
    REQUIRE(fit_capacity(c, 1, 0));
    Simulator sim(1);
    Device device(sim, c, "drive");
    const uint32_t span = std::min(c.user_slots(), 8192u) / 32 * 32;
    LoadHost host(sim, device.host(), 1);
    SequentialSource write(Opcode::kWrite, span, 32);
    host.run(write, span / 32);
    sim.run_until(sim.now() + Duration::s(1));
    const ReliabilityStats before = device.reliability()->stats();
    const Time start = sim.now();
    SequentialSource read(Opcode::kRead, span, 4);
    host.run(read, span / 4);
    const ReliabilityStats& s = device.reliability()->stats();
    *p = static_cast<double>(s.retried - before.retried) /
         static_cast<double>(s.reads - before.reads);
    return static_cast<double>((host.last_completion() - start).to_ns()) / (span / 4.0);
  };
  double none = 0;
  const double base = run(0, &none);
  CHECK(none == 0);
  // A page of four slots: sense, and the bus at 200 MT/s.
  const double retry = 50e3 + 300 + 4 * 20480;
  for (const double share : {0.1, 0.4, 1.0}) {
    double p = 0;
    const double mean = run(share, &p);
    CAPTURE(p);
    CHECK(p > 0);
    CHECK(mean == doctest::Approx(base + p * retry).epsilon(1e-3));
  }
}

TEST_CASE("eight channels behind a link: retries are hidden until the channels are the limit") {
  const auto megabytes = [](double share, uint32_t retries) {
    DriveConfig c = bus_limited(retries);
    c.nand.geometry.channels = 8;
    c.nand.bus.transfer_rate = 1600;
    c.nand.bus.command_overhead = Duration();
    c.link.packet_overhead = 22;  // 7,254 MB/s of data over four lanes of the fourth generation
    c.firmware.command_occupancy = Duration::ns(100);
    c.firmware.slot_occupancy = Duration();
    c.buffer.size = Bytes::mib(16);
    c.buffer.relocation_size = Bytes::mib(16);
    if (retries != 0) c.nand.reliability.weak.share = share;
    return read_rate(c).per_second * 131072 / 1e6;
  };
  CHECK(megabytes(0, 0) == doctest::Approx(7240).epsilon(0.01));
  CHECK(megabytes(0.5, 1) == doctest::Approx(7240).epsilon(0.02));
  CHECK(megabytes(1, 1) == doctest::Approx(6400).epsilon(0.02));
  CHECK(megabytes(1, 2) == doctest::Approx(4267).epsilon(0.02));
  CHECK(megabytes(1, 6) == doctest::Approx(12'800.0 / 7).epsilon(0.02));
}

TEST_CASE("dies that are the limit lose the senses of their retries") {
  const auto die_limited = [](uint32_t retries) {
    DriveConfig c = bus_limited(retries);
    c.nand.geometry.dies_per_channel = 1;
    c.nand.geometry.blocks_per_plane = 48;
    c.nand.bus.transfer_rate = 4800;
    c.nand.reliability.retry.set_levels = Duration::us(1);
    return read_rate(c).per_second;
  };
  const double none = die_limited(0);
  for (const uint32_t n : {1u, 4u}) {
    CAPTURE(n);
    CHECK(die_limited(n) == doctest::Approx(none / (1 + n * 51.0 / 50.0)).epsilon(0.02));
  }
}

TEST_CASE("a request of many pages waits for the slowest of them") {
  // 1 MiB are 64 pages, four on each of 16 dies; every page type fails alike.
  DriveConfig c = tiny_drive();
  c.nand.geometry.channels = 16;
  c.nand.geometry.planes = 4;
  c.nand.bus.transfer_rate = 1600;
  c.buffer.size = Bytes::mib(16);
  c.buffer.relocation_size = Bytes::mib(16);
  c.queues.mdts = Bytes::mib(1);
  c.link.generation = 6;  // else a retry hides behind what the link still has to move
  c.link.lanes = 16;
  c.nand.reliability = plain();
  auto& pages = c.nand.reliability.surface.pages;
  pages[0] = pages[2] = pages[1];
  c.nand.reliability.retry.table = {{Duration::s(86'400) * 110}};  // one retry is enough
  c.nand.reliability.initial_cycles = 30;
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  const uint32_t span = 256 * 128;
  REQUIRE(c.user_slots() >= span);
  LoadHost host(sim, device.host(), 1);
  SequentialSource write(Opcode::kWrite, span, 256);
  host.run(write, span / 256);
  sim.run_until(sim.now() + Duration::s(1));
  double p = 0;
  const auto mean_us = [&] {
    const ReliabilityStats before = device.reliability()->stats();
    const Time start = sim.now();
    SequentialSource read(Opcode::kRead, span, 256);
    host.run(read, 2 * span / 256);
    const ReliabilityStats& s = device.reliability()->stats();
    double all = 0;
    for (size_t i = 0; i < s.pages.size(); ++i)
      all += static_cast<double>(s.pages[i] - before.pages[i]);
    CHECK(s.pages[0] - before.pages[0] + (s.pages[1] - before.pages[1]) == all);
    p = static_cast<double>(s.pages[1] - before.pages[1]) / all;
    return static_cast<double>((host.last_completion() - start).to_ns()) / 1e3 / (2 * span / 256);
  };
  const double base = mean_us();
  CHECK(p == 0);
  // The sense with other levels, and the page over the bus: at 1,600 MT/s.
  const double retry = 50 + 0.3 + 4 * 2.56;
  double least = 1;
  double most = 0;
  for (int days = 96; days < 120; days += 8) {
    device.host().rest_unpowered(Duration::s(86'400) * (days == 96 ? 96 : 8), 25'000);
    const double mean = mean_us();
    least = std::min(least, p);
    most = std::max(most, p);
    const double slow = 1 - std::pow(1 - p, 64);
    CAPTURE(days);
    CAPTURE(p);
    // The closed form knows neither that the first pages cross the bus meanwhile nor that several of
    // a die are sensed again at once.
    CHECK(mean == doctest::Approx(base + retry * slow).epsilon(0.04));
    // The same drive with the first latency and the retry of the P41's reading: what that loses.
    const double shown = (mean - base) / retry;
    CHECK(1048.576e3 / (275.2 + 80 * shown) ==
          doctest::Approx(1048.576e3 / (275.2 + 80 * slow)).epsilon(0.025));
  }
  CHECK(least < 0.004);  // from hardly any to most requests with a retry
  CHECK(most > 0.03);
}

TEST_CASE("decoders limit the rate when there are too few of them") {
  DriveConfig c = bus_limited(0);
  c.nand.geometry.channels = 4;
  c.nand.geometry.dies_per_channel = 2;
  c.nand.bus.transfer_rate = 1200;
  c.nand.reliability.ecc.time = {{100, Duration::us(10)}};
  c.nand.reliability.ecc.decoders = 1;
  // A codeword of 4 KiB in 10 us: a command of 32 of them in 320.
  CHECK(read_rate(c).per_second == doctest::Approx(1e6 / 320).epsilon(0.01));
  c.nand.reliability.ecc.decoders = 2;
  CHECK(read_rate(c).per_second == doctest::Approx(2e6 / 320).epsilon(0.01));
}

TEST_CASE("TRIM, rewriting and idle time: what cures old data and what does not") {
  DriveConfig c = tiny_drive();
  c.nand.reliability = ct_tlc();
  c.nand.reliability.initial_cycles = 300;
  REQUIRE(fit_capacity(c, 1, 0));
  Simulator sim(1);
  Device device(sim, c, "drive");
  const uint32_t span = 2048;
  LoadHost host(sim, device.host(), 8);
  const auto pass = [&](Opcode opcode) {
    const uint64_t retried = device.reliability()->stats().retried;
    SequentialSource source(opcode, span, 32);
    host.run(source, span / 32);
    sim.run_until(sim.now() + Duration::ms(500));
    return device.reliability()->stats().retried - retried;
  };
  pass(Opcode::kWrite);
  CHECK(pass(Opcode::kRead) == 0);
  device.host().rest_unpowered(Duration::s(86'400) * 365, 25'000);
  const uint64_t old = pass(Opcode::kRead);
  CHECK(old > 0);
  // A day of rest changes nothing; reading does not either, without learning.
  const uint64_t programmed = device.firmware().stats().programmed_total();
  sim.run_until(sim.now() + Duration::s(86'400));
  CHECK(pass(Opcode::kRead) == old);
  CHECK(device.firmware().stats().programmed_total() == programmed);
  // Hotter surroundings age the data while power is on.
  const double before = device.reliability()->clock().age(sim.now());
  device.host().set_ambient(70'000);
  sim.run_until(sim.now() + Duration::s(3600));
  CHECK(device.reliability()->clock().age(sim.now()) - before ==
        doctest::Approx(3600 * AgeClock::acceleration(0.5, 70'000)).epsilon(1e-9));
  device.host().set_ambient(25'000);
  pass(Opcode::kDeallocate);
  pass(Opcode::kWrite);
  CHECK(pass(Opcode::kRead) == 0);
}

}  // namespace ftlsim::test
