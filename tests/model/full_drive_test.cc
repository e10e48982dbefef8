// A full drive never deadlocks: every LBA written, several passes, in any order; one small write
// and a flush at every fill level; storms of flushes and of FUA writes, whose padding eats the
// spare.
#include <doctest/doctest.h>

#include "tests/support/swarm.h"

namespace ftlsim::test {
namespace {

enum class Order { kSequential, kReverse, kRandom, kHotCold, kStrided };

constexpr const char* kOrderNames[] = {"sequential", "reverse", "random", "hot-cold", "strided"};

// Units of one pass over the drive. Random orders visit as many units as there are.
std::vector<uint32_t> pass_order(Order order, uint32_t units, Rng& rng) {
  std::vector<uint32_t> list(units);
  for (uint32_t i = 0; i < units; ++i) {
    switch (order) {
      case Order::kSequential:
        list[i] = i;
        break;
      case Order::kReverse:
        list[i] = units - 1 - i;
        break;
      case Order::kRandom:
        list[i] = static_cast<uint32_t>(rng.below(units));
        break;
      case Order::kHotCold:
        list[i] =
            static_cast<uint32_t>(rng.chance(9, 10) ? rng.below(units / 10 + 1) : rng.below(units));
        break;
      case Order::kStrided:
        list[i] = static_cast<uint32_t>(uint64_t{i} * 37 % units);
        break;
    }
  }
  return list;
}

Step write_step(const DriveConfig& c, uint32_t unit, bool fua) {
  const auto per_unit = static_cast<uint32_t>(kSlotBytes / c.lba_size.count());
  return {Step::Kind::kWrite, fua, per_unit, uint64_t{unit} * per_unit, {}};
}

// Fills the drive, then writes `passes` more in this order. Empty or what went wrong.
std::string overwrite(uint64_t seed, Order order, uint32_t flush_every, bool fua, int passes,
                      bool paged_map = false) {
  DriveConfig config = random_drive(seed, paged_map);
  // Padding every write to a word line is slow: keep the work alike.
  if (flush_every == 1 || fua) passes = 1;
  try {
    Rng rng(seed, "test/full_drive");
    Simulator sim(seed);
    Device device(sim, config, "drive", true);
    TokenHost host(sim, device, flush_every == 1 ? 1 : 16, 1000);
    for (uint32_t unit = 0; unit < config.user_slots(); ++unit)
      host.apply(write_step(config, unit, false));
    for (int pass = 0; pass < passes; ++pass) {
      uint32_t n = 0;
      for (const uint32_t unit : pass_order(order, config.user_slots(), rng)) {
        host.apply(write_step(config, unit, fua));
        if (flush_every != 0 && ++n % flush_every == 0)
          host.apply({Step::Kind::kFlush, false, 0, 0, {}});
      }
    }
    host.verify_all();
    host.check_now();
    return {};
  } catch (const std::exception& e) {
    return fmt::format("seed {} {} flush every {} fua {}: {}\n{}", seed,
                       kOrderNames[static_cast<size_t>(order)], flush_every, fua, e.what(),
                       echo_config(config));
  }
}

}  // namespace

TEST_CASE("a full drive takes any number of passes in any order") {
  uint32_t failures = 0;
  for (uint64_t seed = 1; seed <= 20 && failures < 5; ++seed)
    for (const Order order :
         {Order::kSequential, Order::kReverse, Order::kRandom, Order::kHotCold, Order::kStrided}) {
      const std::string failure = overwrite(seed, order, 0, false, 3);
      CHECK_MESSAGE(failure.empty(), failure);
      failures += !failure.empty();
    }
}

TEST_CASE("a full drive with its map on flash takes any number of passes and flushes") {
  uint32_t failures = 0;
  for (uint64_t seed = 201; seed <= 220 && failures < 5; ++seed)
    for (const Order order : {Order::kSequential, Order::kRandom, Order::kStrided}) {
      const uint32_t flush_every = seed % 4 == 0 ? 7 : 0;
      const std::string failure = overwrite(seed, order, flush_every, false, 3, true);
      CHECK_MESSAGE(failure.empty(), failure);
      failures += !failure.empty();
    }
}

TEST_CASE("a full drive takes storms of flushes and of FUA writes") {
  uint32_t failures = 0;
  for (uint64_t seed = 101; seed <= 120 && failures < 5; ++seed) {
    for (const uint32_t flush_every : {1u, 7u}) {
      const std::string failure = overwrite(seed, Order::kRandom, flush_every, false, 1);
      CHECK_MESSAGE(failure.empty(), failure);
      failures += !failure.empty();
    }
    const std::string failure = overwrite(seed, Order::kHotCold, 0, true, 1);
    CHECK_MESSAGE(failure.empty(), failure);
    failures += !failure.empty();
  }
}

TEST_CASE("one 4 KiB write and a flush at every fill level") {
  for (const char* mode : {"direct", "fold_through", "mix"}) {
    for (const bool slc : {false, true}) {
      DriveConfig config = tiny_drive();
      if (slc) use_slc(config);
      config.slc.at_exhaustion.select(mode);
      REQUIRE(fit_capacity(config, 1, 0));
      REQUIRE(problems(config, 1).empty());
      CAPTURE(slc);
      CAPTURE(mode);
      Simulator sim(1);
      Device device(sim, config, "drive", true);
      TokenHost host(sim, device, 4, 500);
      uint32_t flushed = 0;
      for (uint32_t unit = 0; unit < config.user_slots(); ++unit) {
        host.write(unit);
        host.flush();
        ++flushed;
        // Durable: nothing of it is left in the buffer.
        REQUIRE(device.firmware().engine().pending().empty());
        REQUIRE(device.firmware().map().lookup(Lpn(unit), 1).ppn.valid());
      }
      CHECK(device.firmware().stats().flushes == flushed);
      CHECK(device.firmware().map().mapped() == config.user_slots());
      host.verify_all();
      host.check_now();
    }
  }
}

}  // namespace ftlsim::test
